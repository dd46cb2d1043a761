/** The market of the demo's main brand: its phrases, shops and ads, and all other parts together. */
import type { AdUnit, Market, Merchant, Phrases, Region } from '../market.js';
import { makers, sites, untracked } from './makers.js';
import { pages } from './pages.js';
import { demand, prompts, topics } from './prompts.js';

// The sentences of answers about espresso machines.

const phrases: Phrases = {
  positive: [
    'The {name} {product} is a dependable all-rounder: [it heats up in under a minute and keeps its temperature shot after shot].',
    '{name} earns praise for its build, and [the {product} feels as if it will last ten years].',
    'Reviewers like the {name} {product} because [it pulls balanced, repeatable shots with very little fuss].',
    'For the money, [the {name} {product} is hard to beat].',
    '{name} is an easy recommendation; [owners call the {product} quiet, tidy and pleasant to live with].',
    'With the {product}, {name} gets the basics right: [temperature is stable and the controls explain themselves].',
    'Support is a strong point of {name}: [parts for the {product} are in stock and repairs are quick].',
  ],
  neutral: [
    'The {name} {product} is a mid-range option [with a 15-bar pump, a 54 mm basket and a two-litre tank].',
    '{name} also belongs on the list: [the {product} suits people who make two to four drinks a day].',
    'The {name} {product} [offers PID control and a single boiler, as most machines in its class do].',
    '{name} sells the {product} in three colours; [it is neither the cheapest nor the dearest choice].',
  ],
  negative: [
    '{name} is in the running, though [owners report that the {product} drips after every shot].',
    'The {name} {product} is less convincing: [the water tank is small and awkward to reach].',
    'Opinions on {name} are divided, because [the {product} is loud and vibrates on the worktop].',
    'The {name} {product} looks good on paper, but [shots come out uneven until it has run for half an hour].',
  ],
  unscored: [
    '{name} has the {product} in this range.',
    'Other names that come up are {name} and its {product}.',
    'You will also see the {name} {product} in shops.',
  ],
  closing: [
    'In short, start with {name} and move on only if it does not fit your kitchen.',
    'If you can try one machine before you buy, try {name}.',
    'Between the lot, {name} is where most comparisons end.',
  ],
  openings: [
    'The right machine depends on your budget, your space and how much milk you use.',
    'Most people are well served by a single-boiler machine with temperature control.',
    'Several machines stand out in current tests.',
    'Here is what reviewers and owners say at the moment.',
    'A good machine heats evenly, is easy to clean and can be repaired.',
  ],
  general: {
    buying: 'Look for stable temperature, a standard basket size and a pump that can be replaced.',
    compact: 'Measure the depth with the tank pulled out; many slim machines need room at the back.',
    beginner:
      'Weigh the dose, aim for twice the weight in the cup in 25 to 30 seconds, and change one thing at a time.',
    milk: 'Cold milk, a clean wand and a steady vortex matter more than the machine.',
    value:
      'Descale every two to three months with hard water, and change the filter as the manual of your machine says.',
  },
};

// The shops that sell espresso machines, and the ads next to answers.

const merchants: Readonly<Record<Region, readonly Merchant[]>> = {
  us: [
    { name: 'Amazon', link: 'https://www.amazon.com/dp/' },
    { name: 'Beanhaul', link: 'https://www.beanhaul.example/us/p/' },
  ],
  gb: [
    { name: 'Amazon.co.uk', link: 'https://www.amazon.co.uk/dp/' },
    { name: 'Kettle & Cog', link: 'https://kettleandcog.example/products/' },
  ],
  de: [
    { name: 'Amazon.de', link: 'https://www.amazon.de/dp/' },
    { name: 'Küchenkontor', link: 'https://www.kuechenkontor.example/artikel/' },
  ],
};

/** The ads as engines report them: with or without link, cards and name. */
const ads: readonly AdUnit[] = [
  {
    weight: 5,
    ad: {
      advertiser: 'Lanzaro',
      advertiser_url: 'https://lanzaro.example/?gclid=demo',
      favicon_url: 'https://lanzaro.example/favicon.ico',
      cards: [
        {
          title: 'Lanzaro Primo',
          body: 'Café pressure, ready in 40 seconds. Free delivery.',
          target_url: 'https://lanzaro.example/products/primo?utm_source=chatgpt',
          image_url: 'https://lanzaro.example/images/primo.jpg',
        },
        {
          title: 'Trade in your old machine',
          body: 'Up to $150 off the Primo Max.',
          target_url: 'https://lanzaro.example/trade-in',
        },
      ],
    },
  },
  {
    weight: 4,
    ad: {
      advertiser: 'Beanhaul',
      advertiser_url: 'https://www.beanhaul.example',
      favicon_url: 'https://www.beanhaul.example/favicon.png',
      cards: [
        {
          title: 'Espresso machines, tested by us',
          body: 'Thirty days to change your mind.',
          target_url: 'https://www.beanhaul.example/us/espresso',
        },
      ],
    },
  },
  {
    weight: 2,
    ad: {
      advertiser: 'Torvello',
      advertiser_url: 'https://www.torvello.example',
      cards: [
        {
          title: 'Torvello Piccola',
          body: '14 cm wide.',
          target_url: 'https://www.torvello.example/products/piccola',
        },
      ],
    },
  },
  { weight: 2, ad: { advertiser: 'Cremalto', advertiser_url: 'https://www.cremalto.example', cards: [] } },
  { weight: 1, ad: { advertiser: 'Kettle & Cog' } },
  { weight: 1, ad: { cards: [{ title: 'Coffee gear sale', body: 'This week only.' }] } },
];

export const espresso: Market = {
  brand: 'torvello',
  entities: makers,
  untracked,
  topics,
  prompts,
  demand,
  phrases,
  pages,
  sites,
  merchants,
  ads,
  productKind: 'Espresso Machine',
  cadenceDays: 2,
  dailyEngines: ['chatgpt'],
};
