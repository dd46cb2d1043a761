/** The market of the archived brand. It is small enough for one file. Its makers are invented too. */
import type { DemoPrompt, Entity, Market, Page, Phrases } from './market.js';

const entities: readonly Entity[] = [
  {
    id: 'aerisvane',
    name: 'Aerisvane',
    domain: 'aerisvane.example',
    aliases: ['Aerisvane Air'],
    products: [
      { model: 'Halo 2', price: 329 },
      { model: 'Halo Mini', price: 149 },
    ],
    presence: 0.35,
    strength: 1,
    tones: { positive: 0.4, neutral: 0.35, negative: 0.25 },
    growth: -0.6,
  },
  {
    id: 'clarivent',
    name: 'Clarivent',
    domain: 'clarivent.example',
    aliases: [],
    products: [{ model: 'Pure 400', price: 279 }],
    presence: 0.7,
    strength: 1.5,
    tones: { positive: 0.55, neutral: 0.3, negative: 0.15 },
  },
  {
    id: 'oxenna',
    name: 'Oxenna',
    domain: 'oxenna.example',
    aliases: ['Oxenna Home'],
    products: [{ model: 'Room S', price: 199 }],
    presence: 0.4,
    strength: 1,
    tones: { positive: 0.4, neutral: 0.4, negative: 0.2 },
  },
];

const topics = [
  {
    id: 'rooms',
    name: 'By room',
    searches: ['best air purifier bedroom', 'air purifier room size calculator'],
  },
  {
    id: 'health',
    name: 'Allergies and smoke',
    searches: ['hepa air purifier pollen test', 'air purifier smoke cadr'],
  },
];

const rooms = {
  topic: 'rooms',
  naming: 1,
  shopping: true,
  tags: ['best-of'],
  stage: 'Consideration',
} as const;
const health = { topic: 'health', naming: 0.8, tags: ['health'], stage: 'Awareness' } as const;
const prompts: readonly DemoPrompt[] = [
  { ...rooms, id: 'a1', text: 'Best air purifier for a bedroom' },
  { ...rooms, id: 'a2', text: 'Best air purifier for a large living room' },
  { ...rooms, id: 'a3', text: 'Quietest air purifier' },
  { ...rooms, id: 'a4', text: 'Best cheap air purifier' },
  { ...health, id: 'a5', text: 'Do air purifiers help with pollen?', naming: 0.3 },
  { ...health, id: 'a6', text: 'Best air purifier for wildfire smoke' },
  { ...health, id: 'a7', text: 'Which air purifier is best for pet hair?' },
  { ...health, id: 'a8', text: 'How often do I change a HEPA filter?', naming: 0.2 },
];

const phrases: Phrases = {
  positive: [
    'The {name} {product} is a good choice: [it clears a bedroom in under twenty minutes].',
    '{name} does well in tests, and [the {product} is barely audible on its night setting].',
    'Owners like {name} because [filters for the {product} are cheap and easy to find].',
  ],
  neutral: [
    'The {name} {product} [uses a standard H13 filter and covers a mid-sized room].',
    '{name} is another option; [the {product} has an app, a timer and a filter light].',
  ],
  negative: [
    'The {name} {product} falls short in one way: [its sensor reacts late to smoke].',
    '{name} is on the list, though [replacement filters for the {product} cost a third of the machine].',
  ],
  unscored: ['{name} sells the {product} as well.', 'You may also come across the {name} {product}.'],
  closing: ['If you only look at one, look at {name}.'],
  openings: [
    'Match the clean air delivery rate to the size of your room.',
    'Any purifier with a true HEPA filter takes pollen and smoke out of the air.',
  ],
  general: {
    rooms: 'Aim for about five air changes an hour and place the purifier away from walls.',
    health: 'Change the filter every six to twelve months, sooner after a smoky season.',
  },
};

const pages: readonly Page[] = [
  {
    url: 'https://www.nytimes.com/wirecutter/reviews/best-air-purifier/',
    title: 'The 5 Best Air Purifiers of 2026',
    weight: 8,
  },
  {
    url: 'https://www.reddit.com/r/AirPurifiers/comments/1gm4t8k/bedroom_purifier_that_is_truly_quiet/',
    title: 'Bedroom purifier that is truly quiet?',
    weight: 6,
  },
  {
    url: 'https://www.epa.gov/indoor-air-quality-iaq/guide-air-cleaners-home',
    title: 'Guide to Air Cleaners in the Home',
    topics: ['health'],
    weight: 5,
  },
  { url: 'https://www.youtube.com/watch?v=hEpaT3st_9q', title: 'Smoke box test: 12 purifiers', weight: 4 },
  {
    url: 'https://www.which.co.uk/reviews/air-purifiers/article/how-to-buy-the-best-air-purifier-aRk2x7T0bVqN',
    title: 'How to buy the best air purifier',
    region: 'gb',
    weight: 6,
  },
  {
    url: 'https://www.test.de/Luftreiniger-im-Test-5579439-0/',
    title: 'Luftreiniger im Test',
    region: 'de',
    weight: 6,
  },
  { url: 'https://en.wikipedia.org/wiki/Air_purifier', title: 'Air purifier - Wikipedia', weight: 2 },
];

const site = (host: string, path: string, title: string): readonly Page[] => [
  { url: `https://${host}${path}`, title, weight: 3 },
];

export const purifiers: Market = {
  brand: 'aerisvane',
  entities,
  untracked: [],
  topics,
  prompts,
  demand: {},
  phrases,
  pages,
  sites: {
    aerisvane: site('aerisvane.example', '/products/halo-2', 'Aerisvane Halo 2'),
    clarivent: site('clarivent.example', '/products/pure-400', 'Clarivent Pure 400'),
    oxenna: site('oxenna.example', '/shop/room-s', 'Oxenna Room S'),
  },
  merchants: {
    us: [{ name: 'Amazon', link: 'https://www.amazon.com/dp/' }],
    gb: [{ name: 'Hearth & Hall', link: 'https://hearthandhall.example/p/' }],
    de: [{ name: 'Amazon.de', link: 'https://www.amazon.de/dp/' }],
  },
  ads: [],
  productKind: 'Air Purifier',
  cadenceDays: 3,
  dailyEngines: [],
};
