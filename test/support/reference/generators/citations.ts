import { comparableDomain } from '../domains.js';
import type { CapturedCitation } from '../records.js';
import type { Draw } from './draw.js';

/** Spellings of one page, or of several under one address; a run states one title for all of them. */
export type Page = readonly string[];

const TITLES = [
  'The 10 best CRM tools of 2026',
  'Acme vs Globex',
  'How to choose a CRM',
  'Globex review',
  'Release notes',
  'Ünïcode – title',
] as const;

/** Longer than a B-tree entry may be, and hard to compress to less. */
const LONG_URL = `https://archive.example.org/${Array.from({ length: 500 }, (_, index) =>
  (Math.imul(index + 1, 2_654_435_761) >>> 0).toString(36),
).join('-')}`;

const OUTSIDE_PAGES: readonly Page[] = [
  [
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?t=4',
    'https://m.youtube.com/shorts/dQw4w9WgXcQ',
  ],
  ['https://notyoutube.com/watch?v=dQw4w9WgXcQ'],
  [
    'https://www.reddit.com/r/crm/comments/1abcd2/best_crm/',
    'https://old.reddit.com/r/crm/comments/1abcd2',
    'https://redd.it/1abcd2',
  ],
  ['https://stackoverflow.com/questions/11227809/how-to-sort', 'https://stackoverflow.com/q/11227809/42'],
  ['https://en.wikipedia.org/wiki/Customer_relationship_management#History'],
  [
    'https://www.g2.com/categories/crm?utm_source=chatgpt.com',
    'https://www.g2.com/categories/crm',
    'https://www.g2.com/categories/crm?UTM_Medium=x&ref=y',
  ],
  [
    'https://example.org/view?id=1',
    'https://example.org/view?ref=a&id=1&gclid=2',
    'HTTPS://Example.ORG/view?id=1#top',
  ],
  ['https://example.org/view?id=2'],
  ['https://www.example.org/view?id=2', 'http://example.org/view?id=2'],
  ['https://techcrunch.com/2026/10/01/crm-wars/', 'https://techcrunch.com/2026/10/01/crm-wars'],
  ['https://www.ftc.gov/data?fbclid=abc'],
  ['mailto:sales@acme.com'],
  ['ftp://files.example.org/list.txt'],
  ['not a url at all'],
  [LONG_URL],
];

/** Pages that the answers about a brand may cite: its own, its rivals', the usual ones and a long tail. */
export function citablePages(domains: string[]): Page[] {
  const tail = Array.from(
    { length: 60 },
    (_, index): Page => [`https://site-${index % 25}.example/page-${index}`],
  );
  return [...domains.filter((domain) => domain !== '').flatMap(pagesAround), ...OUTSIDE_PAGES, ...tail];
}

/** Hosts that are the domain in another spelling, hosts below it, and one that only ends like it. */
function pagesAround(stated: string): Page[] {
  const domain = comparableDomain(stated);
  return [
    [`https://${domain}/`, `https://${domain}`],
    [`https://www.${domain}/pricing?utm_campaign=a`, `https://www.${domain}/pricing`],
    [`https://${domain}/pricing`],
    [`https://${domain}:8443/pricing`],
    [`https://blog.${domain}/best-tools#top`, `https://blog.${domain}/best-tools`],
    [`https://www.shop.${domain}/p/1`],
    [`https://not${domain}/pricing`],
  ];
}

/** The citation list of one run: repeats, spellings and one title a page, stated here and not there. */
export function randomCitations(draw: Draw, pages: readonly Page[]): CapturedCitation[] {
  if (draw.chance(0.15)) return [];
  const citations: CapturedCitation[] = [];
  for (let count = draw.int(1, 5); count > 0; count -= 1) {
    const page = draw.pick(pages);
    const title = draw.pick(TITLES);
    for (let times = draw.chance(0.15) ? 2 : 1; times > 0; times -= 1) {
      const stated = draw.pick([{}, { title: null }, { title }, { title }]);
      citations.push({ url: draw.pick(page), ...stated });
    }
  }
  return oneTitleEach(pages, citations);
}

/** Which of two titles that one run states for one page counts is nowhere said, so a run states only one. */
function oneTitleEach(pages: readonly Page[], citations: CapturedCitation[]): CapturedCitation[] {
  const titles = new Map<Page | undefined, string>();
  return citations.map((citation) => {
    const page = pages.find((spellings) => spellings.includes(citation.url));
    if (!citation.title) return citation;
    const title = titles.get(page) ?? citation.title;
    titles.set(page, title);
    return { ...citation, title };
  });
}
