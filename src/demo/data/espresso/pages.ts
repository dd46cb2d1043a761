/** Pages of third parties that answers about espresso machines cite, community threads and videos included. */
import type { Page } from '../market.js';

// Community threads that answers cite, and whether the brand participates in them.

interface Thread extends Page {
  readonly title: string;
  readonly kind: 'forum' | 'qa';
  /** Undefined if the thread was not checked yet. */
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

// Videos that answers cite, with the statistics that the vendor states.

interface Video extends Page {
  readonly id: string;
  readonly title: string;
  readonly channel?: { readonly id: string; readonly name: string };
  readonly publishedAt?: string;
  /** Undefined if statistics were never stated. */
  readonly views?: number;
  readonly likes?: number;
}

const watch = (video: Omit<Video, 'url'>): Video => ({
  ...video,
  url: `https://www.youtube.com/watch?v=${video.id}`,
});

const tamper = { id: 'UCq7Tn3mPlaEsprLab5kZt2w', name: 'Tamper & Test' };
const smallKitchen = { id: 'UCs1mKitch9nGear0aLrXy8v', name: 'Small Kitchen Gear' };

export const videos: readonly Video[] = [
  watch({
    id: 'tT4vRc0Esp8',
    title: 'Torvello Arco: three months of daily use',
    channel: tamper,
    publishedAt: '2026-02-11T16:00:00Z',
    views: 184_220,
    likes: 6_120,
    topics: ['buying', 'milk'],
    weight: 4,
  }),
  watch({
    id: 'Lz9PrMo_2xA',
    title: 'Lanzaro Primo vs everything under $1000',
    channel: tamper,
    publishedAt: '2026-01-20T17:30:00Z',
    views: 612_904,
    likes: 21_377,
    topics: ['buying', 'value'],
    weight: 6,
  }),
  watch({
    id: 'k5MiLkFoam1',
    title: 'Steam wands compared: 9 home machines',
    channel: tamper,
    publishedAt: '2025-11-04T15:00:00Z',
    views: 97_411,
    likes: 3_902,
    topics: ['milk'],
    weight: 6,
  }),
  watch({
    id: 'sM4LL-15cmW',
    title: 'Espresso in 15 centimetres',
    channel: smallKitchen,
    publishedAt: '2026-03-29T09:00:00Z',
    views: 41_808,
    topics: ['compact'],
    weight: 5,
  }),
  watch({
    id: 'd1aLin30sec',
    title: 'Dial in your espresso in ten minutes',
    topics: ['beginner'],
    weight: 4,
  }),
];

const articles: readonly Page[] = [
  {
    url: 'https://www.nytimes.com/wirecutter/reviews/best-espresso-machine-grinder-and-accessories-for-beginners/',
    title: 'The 3 Best Espresso Machines for Beginners of 2026',
    topics: ['buying', 'beginner'],
    weight: 9,
  },
  {
    url: 'https://www.seriouseats.com/best-espresso-machines-7373529',
    title: 'We Tested 18 Espresso Machines: These Are the Best',
    topics: ['buying', 'beginner', 'milk'],
    weight: 8,
  },
  {
    url: 'https://www.techradar.com/best/best-espresso-machine',
    title: 'The 7 best espresso machines of 2026, tested and ranked',
    topics: ['buying', 'value'],
    weight: 6,
  },
  {
    url: 'https://www.tomsguide.com/best-picks/best-espresso-machines',
    title: 'The best espresso machines in 2026',
    topics: ['buying', 'compact'],
    weight: 5,
  },
  {
    url: 'https://www.bonappetit.com/story/best-espresso-machine',
    title: 'The Best Espresso Machines, Tested by Our Editors',
    topics: ['buying', 'milk'],
    weight: 4,
  },
  {
    url: 'https://www.goodhousekeeping.com/appliances/coffee-maker-reviews/g32748/best-espresso-machines/',
    title: '9 Best Espresso Machines, According to Experts',
    topics: ['buying', 'beginner', 'milk'],
    weight: 4,
  },
  {
    url: 'https://www.foodandwine.com/best-compact-espresso-machines-8362514',
    title: 'The 6 Best Compact Espresso Machines for Small Kitchens',
    topics: ['compact'],
    weight: 7,
  },
  {
    url: 'https://www.thespruceeats.com/best-small-espresso-machines-5198321',
    title: 'Best Small Espresso Machines',
    topics: ['compact'],
    weight: 4,
  },
  {
    url: 'https://www.wired.com/review/torvello-arco-espresso-machine/',
    title: 'Torvello Arco Review: Great Shots, Patient Milk',
    topics: ['buying', 'milk', 'compact'],
    weight: 3,
  },
  {
    url: 'https://www.techradar.com/reviews/lanzaro-primo',
    title: 'Lanzaro Primo review',
    topics: ['buying', 'milk'],
    weight: 4,
  },
  {
    url: 'https://www.theguardian.com/thefilter/2026/mar/14/best-espresso-machines-uk',
    title: 'The best espresso machines to turn your kitchen into a café',
    region: 'gb',
    weight: 7,
  },
  {
    url: 'https://www.which.co.uk/reviews/coffee-machines/article/how-to-buy-the-best-coffee-machine-aPkZ58Q9d3Lq',
    title: 'How to buy the best coffee machine',
    region: 'gb',
    weight: 6,
  },
  {
    url: 'https://www.bbcgoodfood.com/review/best-coffee-machines',
    title: 'Best coffee machines 2026, tried and tested',
    region: 'gb',
    weight: 5,
  },
  {
    url: 'https://www.test.de/Espressomaschinen-im-Test-4635644-0/',
    title: 'Espressomaschinen im Test',
    region: 'de',
    weight: 8,
  },
  {
    url: 'https://www.chip.de/artikel/Siebtraegermaschinen-Test_182391.html',
    title: 'Siebträgermaschinen Test: Die besten Modelle im Vergleich',
    region: 'de',
    weight: 6,
  },
  {
    url: 'https://www.coffeeness.de/en/best-espresso-machine/',
    title: 'Best Espresso Machine 2026: 12 Machines Reviewed',
    weight: 3,
  },
  {
    url: 'https://www.homegrounds.co/best-home-espresso-machines/',
    title: '11 Best Espresso Machines for Home Baristas',
    topics: ['buying', 'beginner'],
    weight: 4,
  },
  {
    url: 'https://www.homegrounds.co/lanzaro-primo-vs-torvello-arco/',
    title: 'Lanzaro Primo vs Torvello Arco: Which Is Better?',
    topics: ['buying'],
    weight: 3,
  },
  {
    url: 'https://www.homegrounds.co/lanzaro-alternatives/',
    title: '8 Lanzaro alternatives worth a look',
    topics: ['buying', 'value'],
    weight: 2,
  },
  {
    url: 'https://perfectdailygrind.com/2026/02/are-compact-espresso-machines-here-to-stay/',
    title: 'Are compact espresso machines here to stay?',
    topics: ['compact'],
    weight: 2,
  },
  {
    url: 'https://sprudge.com/how-to-dial-in-espresso-at-home-190233.html',
    title: 'How To Dial In Espresso At Home',
    topics: ['beginner'],
    weight: 5,
  },
  {
    url: 'https://clivecoffee.com/blogs/learn/how-to-descale-an-espresso-machine',
    title: 'How to Descale an Espresso Machine',
    topics: ['value'],
    weight: 5,
  },
  {
    url: 'https://www.wholelattelove.com/blogs/articles/single-boiler-vs-dual-boiler',
    title: 'Single Boiler vs. Dual Boiler Espresso Machines',
    topics: ['buying', 'milk'],
    weight: 3,
  },
  {
    url: 'https://www.seattlecoffeegear.com/collections/espresso-machines',
    title: 'Espresso Machines',
    topics: ['buying', 'value', 'milk'],
    weight: 2,
  },
  {
    url: 'https://www.amazon.com/dp/B0CX7TVLA2',
    title: 'Torvello Piccola Espresso Machine, Steel',
    topics: ['compact', 'value'],
    weight: 3,
  },
  {
    url: 'https://www.amazon.com/s?k=espresso+machine&rh=p_72%3A1248897011',
    topics: ['value'],
    weight: 1,
  },
  {
    url: 'https://www.trustpilot.com/review/torvello.example',
    title: 'Torvello Reviews | Read Customer Service Reviews of torvello.example',
    topics: ['value'],
    weight: 2,
  },
  {
    url: 'https://en.wikipedia.org/wiki/Espresso_machine',
    title: 'Espresso machine - Wikipedia',
    weight: 2,
  },
  {
    url: 'https://www.energystar.gov/products/coffee_brewers',
    topics: ['value', 'compact'],
    weight: 1,
  },
  {
    url: 'https://www.reuters.com/business/retail-consumer/home-coffee-machine-makers-see-demand-hold-2026-05-19/',
    title: 'Home coffee machine makers see demand hold',
    topics: ['value', 'buying'],
    weight: 1,
  },
  {
    url: 'https://beanhaul.example/journal/milk-steaming-guide?page=2',
    title: 'A guide to steaming milk, part two',
    topics: ['milk'],
    weight: 3,
  },
];

export const pages: readonly Page[] = [...articles, ...threads, ...videos];
