/** Community threads that answers cite, and whether the brand participates in them. */
import type { Page } from '../market.js';

export interface Thread extends Page {
  readonly title: string;
  readonly kind: 'forum' | 'qa';
  /** Absent: not checked yet. */
  readonly brandInThread?: boolean;
}

export const threads: readonly Thread[] = [
  {
    url: 'https://www.reddit.com/r/espresso/comments/1kq7x2b/what_machine_would_you_buy_again/',
    title: 'What machine would you buy again?',
    topics: ['buying', 'value'],
    weight: 8,
    kind: 'forum',
    brandInThread: true,
  },
  {
    url: 'https://www.reddit.com/r/espresso/comments/1m03vd9/torvello_arco_six_months_in/',
    title: 'Torvello Arco, six months in',
    topics: ['buying', 'milk'],
    weight: 5,
    kind: 'forum',
    brandInThread: true,
  },
  {
    url: 'https://www.reddit.com/r/Coffee/comments/1jx9f4c/first_espresso_machine_under_500/',
    title: 'First espresso machine under 500?',
    topics: ['beginner', 'value'],
    weight: 7,
    kind: 'forum',
    brandInThread: false,
  },
  {
    url: 'https://www.reddit.com/r/espresso/comments/1l8e5wq/smallest_machine_that_can_steam_properly/',
    title: 'Smallest machine that can steam properly',
    topics: ['compact', 'milk'],
    weight: 6,
    kind: 'forum',
    brandInThread: false,
  },
  {
    url: 'https://www.reddit.com/r/BuyItForLife/comments/1k2hs70/espresso_machine_that_lasts/',
    title: 'Espresso machine that lasts?',
    topics: ['value'],
    weight: 5,
    kind: 'forum',
  },
  {
    url: 'https://www.home-barista.com/advice/small-kitchen-machine-t88412.html',
    title: 'Machine for a very small kitchen',
    topics: ['compact', 'buying'],
    weight: 3,
    kind: 'forum',
    brandInThread: false,
  },
  {
    url: 'https://www.kaffee-netz.de/threads/einstieg-siebtraeger-bis-700-euro.158203/',
    title: 'Einstieg Siebträger bis 700 Euro',
    region: 'de',
    weight: 5,
    kind: 'forum',
  },
  {
    url: 'https://coffee.stackexchange.com/questions/6712/how-often-should-i-descale-a-single-boiler-machine',
    title: 'How often should I descale a single boiler machine?',
    topics: ['value', 'beginner'],
    weight: 4,
    kind: 'qa',
    brandInThread: false,
  },
  {
    url: 'https://www.quora.com/Is-a-cheap-espresso-machine-worth-it',
    title: 'Is a cheap espresso machine worth it?',
    topics: ['value', 'beginner'],
    weight: 2,
    kind: 'qa',
    brandInThread: true,
  },
];
