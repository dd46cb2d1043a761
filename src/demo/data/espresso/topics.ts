/** The folders and tag groups of the prompts about espresso machines. */
import type { Topic } from '../market.js';

export const topics: readonly Topic[] = [
  {
    id: 'buying',
    name: 'Buying guides',
    searches: [
      'best espresso machine 2026 reviews',
      'best home espresso machine under 1000',
      'espresso machine comparison test',
      'espresso machine expert picks',
    ],
  },
  {
    id: 'compact',
    name: 'Small kitchens',
    searches: [
      'compact espresso machine dimensions',
      'slim espresso machine reviews',
      'quiet espresso machine apartment',
    ],
  },
  {
    id: 'beginner',
    name: 'First machine',
    searches: [
      'best espresso machine for beginners reddit',
      'easy espresso machine first time',
      'espresso machine with built in grinder beginner',
    ],
  },
  {
    id: 'milk',
    name: 'Milk drinks',
    searches: [
      'best espresso machine for lattes',
      'automatic milk frother espresso machine test',
      'steam wand power comparison home espresso',
    ],
  },
  {
    id: 'value',
    name: 'Price and upkeep',
    searches: [
      'cheap espresso machine worth it',
      'espresso machine running cost per year',
      'espresso machine descaling how often',
      'espresso machine warranty comparison',
    ],
  },
];

/** In creation order. No active prompt has `seasonal`, and `Watch list` is empty. */
export const tagGroups = [
  { id: 'intent', name: 'Intent', color: '#3366cc', tags: ['best-of', 'comparison', 'how-to', 'review'] },
  { id: 'need', name: 'Need', color: '#2e8b57', tags: ['compact', 'beginner', 'milk', 'prosumer', 'office'] },
  { id: 'money', name: 'Money', color: '#cc8400', tags: ['price', 'durability', 'seasonal'] },
  { id: 'watch', name: 'Watch list', color: '#8a8a8a', tags: [] },
] as const;
