/** All pages of the brand's own site, and the competitors' pages that answers cite. */
import type { Page } from '../market.js';

export const SITE = 'https://www.torvello.example';

interface SitePath {
  readonly path: string;
  readonly title: string;
  /** Absent: answers do not cite the page. */
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
