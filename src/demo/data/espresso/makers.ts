/** The makers of espresso machines in the demo, and their sites. All are invented, with domains that cannot exist. */
import type { Entity, Maker, Page } from '../market.js';

export const makers: readonly Entity[] = [
  {
    id: 'torvello',
    name: 'Torvello',
    domain: 'torvello.example',
    aliases: ['Torvello Espresso', 'Torvello Coffee'],
    products: [
      { model: 'Arco', price: 699 },
      { model: 'Arco Duo', price: 1149 },
      { model: 'Piccola', price: 449 },
      { model: 'Tempo', price: 899 },
    ],
    presence: 0.44,
    strength: 1.15,
    tones: { positive: 0.5, neutral: 0.24, negative: 0.26 },
    growth: 1.2,
    engines: {
      chatgpt: 1.1,
      aio: 0.9,
      copilot: 0.7,
      perplexity: 1.3,
      gemini: 0.8,
      grok: 0,
      claude: 1.2,
      deepseek: 0.4,
      llama: 0.2,
    },
    topics: { compact: 1.35, milk: 0.7 },
    prompts: { p16: 0, p22: 0 },
    complaints: [
      'The {name} {product} pulls a good shot, but [its steam wand is slow and needs almost a minute to build pressure].',
      'A common complaint about {name}: [steam pressure fades on the {product} when you make more than two milk drinks in a row].',
      '{name} comes up often, yet [several owners of the {product} say that frothing milk takes far too long].',
    ],
  },
  {
    id: 'lanzaro',
    name: 'Lanzaro',
    domain: 'lanzaro.example',
    aliases: ['Lanzaro Espresso'],
    products: [
      { model: 'Primo', price: 799 },
      { model: 'Primo Max', price: 1499 },
      { model: 'Nano', price: 379 },
    ],
    presence: 0.82,
    strength: 1.75,
    tones: { positive: 0.58, neutral: 0.27, negative: 0.15 },
    complaints: [
      '{name} leads most lists, although [replacement parts for the {product} are expensive and slow to arrive].',
    ],
  },
  {
    id: 'cremalto',
    name: 'Cremalto',
    domain: 'cremalto.example',
    aliases: [],
    products: [
      { model: 'Easy Touch', price: 899 },
      { model: 'Easy Touch S', price: 649 },
    ],
    presence: 0.5,
    strength: 1.2,
    tones: { positive: 0.45, neutral: 0.4, negative: 0.15 },
    topics: { milk: 1.5, beginner: 1.2 },
  },
  {
    id: 'pressavia',
    name: 'Pressavia',
    domain: 'pressavia.example',
    aliases: ['Pressavia Lever'],
    products: [
      { model: 'Lever 3', price: 549 },
      { model: 'Lever Go', price: 129 },
    ],
    presence: 0.38,
    strength: 0.95,
    tones: { positive: 0.42, neutral: 0.33, negative: 0.25 },
    topics: { value: 1.4, care: 0.6 },
    growth: -0.4,
  },
  {
    id: 'fjellbrygg',
    name: 'Fjellbrygg',
    domain: 'fjellbrygg.example',
    aliases: ['Fjell Brygg'],
    products: [
      { model: 'Stål', price: 1899 },
      { model: 'Fjord Mini', price: 599 },
    ],
    presence: 0.27,
    strength: 1.05,
    tones: { positive: 0.6, neutral: 0.3, negative: 0.1 },
    engines: { claude: 1.4, perplexity: 1.2, aio: 0.7 },
  },
  {
    id: 'bexley-vine',
    name: 'Bexley & Vine',
    domain: 'bexleyvine.example',
    aliases: ['Bexley and Vine'],
    products: [
      { model: 'Heritage', price: 999 },
      { model: 'Cottage', price: 429 },
    ],
    presence: 0.2,
    strength: 0.8,
    tones: { positive: 0.35, neutral: 0.35, negative: 0.3 },
  },
  {
    id: 'oskari-lab',
    name: 'Oskari Lab',
    aliases: [],
    products: [{ model: 'One', price: 349 }],
    presence: 0.1,
    strength: 0.7,
    tones: { positive: 0.4, neutral: 0.4, negative: 0.2 },
    growth: 1,
  },
];

export const untracked: readonly Maker[] = [
  {
    name: 'Rivadoro',
    aliases: [],
    products: [{ model: 'Classica', price: 519 }],
    presence: 0.16,
    strength: 0.8,
    tones: { positive: 0.4, neutral: 0.4, negative: 0.2 },
  },
  {
    name: 'Steamlark',
    aliases: [],
    products: [{ model: 'Wren', price: 259 }],
    presence: 0.11,
    strength: 0.6,
    tones: { positive: 0.3, neutral: 0.4, negative: 0.3 },
    topics: { milk: 1.6 },
  },
  {
    name: 'Kuvoto',
    aliases: [],
    products: [{ model: 'K2', price: 189 }],
    presence: 0.07,
    strength: 0.5,
    tones: { positive: 0.2, neutral: 0.4, negative: 0.4 },
    topics: { value: 1.8 },
  },
];

// All pages of the brand's own site, and the competitors' pages that answers cite.

export const SITE = 'https://www.torvello.example';

interface SitePath {
  readonly path: string;
  readonly title: string;
  /** Undefined if answers do not cite the page. */
  readonly cited?: { readonly weight: number; readonly topics?: readonly string[] };
}

const models = ['arco', 'arco-duo', 'piccola', 'tempo'];
const titled = (slug: string): string =>
  slug
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

const perModel = models.flatMap((model): SitePath[] => [
  { path: `/products/${model}`, title: `Torvello ${titled(model)}`, cited: { weight: 4 } },
  { path: `/products/${model}/specifications`, title: `Torvello ${titled(model)}: specifications` },
  {
    path: `/support/${model}/manual`,
    title: `${titled(model)} manual`,
    cited: { weight: 1, topics: ['value'] },
  },
  { path: `/support/${model}/troubleshooting`, title: `${titled(model)} troubleshooting` },
  { path: `/parts/${model}`, title: `Spare parts for ${titled(model)}` },
]);

const guides = (
  [
    ['how-to-dial-in-espresso', 'beginner', 5],
    ['how-to-descale', 'value', 6],
    ['how-to-steam-milk', 'milk', 4],
    ['espresso-in-a-small-kitchen', 'compact', 5],
    ['grinder-or-pre-ground', 'beginner', 3],
    ['water-hardness', 'value', 2],
    ['first-espresso-machine', 'beginner', 3],
    ['latte-art-basics', 'milk', 1],
    ['backflushing', 'value', 1],
    ['choosing-a-basket', 'buying', 1],
  ] as const
).map(
  ([slug, topic, weight]): SitePath => ({
    path: `/guides/${slug}`,
    title: `${titled(slug)} | Torvello`,
    cited: { weight, topics: [topic] },
  }),
);

const comparisons = [
  'lanzaro-primo',
  'cremalto-easy-touch',
  'pressavia-lever-3',
  'fjellbrygg-fjord-mini',
].map(
  (rival): SitePath => ({
    path: `/compare/arco-vs-${rival}`,
    title: `Torvello Arco vs ${titled(rival)}`,
    cited: { weight: 2, topics: ['buying'] },
  }),
);

const journal = [
  'piccola-in-graphite',
  'why-we-publish-repair-guides',
  'new-service-centre-in-leeds',
  'arco-five-years-on',
];
const plain = [
  '/',
  '/products',
  '/products/grinders',
  '/guides',
  '/support',
  '/support/warranty',
  '/support/repair-request',
  '/support/contact',
  '/parts',
  '/stores',
  '/about',
  '/sustainability',
  '/press',
  '/careers',
  '/journal',
  '/gift-cards',
  '/trade',
  '/privacy',
  '/terms',
  '/cart',
  '/account/login',
  '/search',
];

export const sitePaths: readonly SitePath[] = [
  ...plain.map((path) => ({ path, title: path === '/' ? 'Torvello' : titled(path.split('/').pop()!) })),
  ...perModel,
  ...guides,
  ...comparisons,
  ...journal.map((slug) => ({ path: `/journal/${slug}`, title: titled(slug) })),
];

/** Reduces the weight of own pages, because the list has far more own pages than pages of competitors. */
const OWN_WEIGHT = 0.5;
const ownPages = sitePaths.flatMap(({ path, title, cited }): Page[] =>
  cited ? [{ url: `${SITE}${path}`, title, ...cited, weight: cited.weight * OWN_WEIGHT }] : [],
);

export const sites: Readonly<Record<string, readonly Page[]>> = {
  torvello: ownPages,
  lanzaro: [
    { url: 'https://lanzaro.example/products/primo', title: 'Lanzaro Primo', weight: 5 },
    { url: 'https://lanzaro.example/products/primo-max', title: 'Lanzaro Primo Max', weight: 3 },
    { url: 'https://lanzaro.example/guides/choose-your-machine', title: 'Choose your machine', weight: 4 },
    {
      url: 'https://support.lanzaro.example/articles/descaling-primo',
      title: 'Descaling the Primo',
      topics: ['value'],
      weight: 4,
    },
    {
      url: 'https://lanzaro.example/compare/lanzaro-vs-torvello',
      title: 'Lanzaro vs Torvello',
      topics: ['buying'],
      weight: 2,
    },
  ],
  cremalto: [
    {
      url: 'https://www.cremalto.example/easy-touch',
      title: 'Easy Touch: milk at the touch of a button',
      weight: 3,
    },
    {
      url: 'https://www.cremalto.example/blog/latte-at-home',
      title: 'A latte at home',
      topics: ['milk'],
      weight: 3,
    },
  ],
  pressavia: [
    { url: 'https://pressavia.example/shop/lever-3', title: 'Pressavia Lever 3', weight: 3 },
    {
      url: 'https://pressavia.example/blog/why-levers-last',
      title: 'Why levers last',
      topics: ['value'],
      weight: 2,
    },
  ],
  fjellbrygg: [{ url: 'https://fjellbrygg.example/en/machines/stal', title: 'Stål – Fjellbrygg', weight: 2 }],
  'bexley-vine': [{ url: 'https://www.bexleyvine.example/heritage', title: 'Heritage', weight: 2 }],
};
