/**
 * The glossary: one word for each thing, on the page, in the tables of the command, in reports and in the documents. People
 * read these words; they type, and programs read, the names of the API.
 */
import { findEngine } from './engines.js';
import { averagePosition, type MeasureName, measureNames, measureOf } from './measures.js';
import type { Schema } from './schema.js';

/** A word for people. */
export interface Term {
  /** In lower case, as in the head of a column. */
  readonly label: string;
  /** One or two sentences. */
  readonly means: string;
  /** What the API and the command line call it. */
  readonly api: readonly string[];
}

const termOf = (name: string, { label, means }: Omit<Term, 'api'>): Term => ({ label, means, api: [name] });

const measureTerms = Object.fromEntries(
  measureNames.map((name) => [name, termOf(name, measureOf(name))]),
) as Record<MeasureName, Term>;

export const glossary = {
  prompt: {
    label: 'prompt',
    means: 'A question that engines are asked, as a person would type it.',
    api: ['prompts'],
  },
  engine: {
    label: 'engine',
    means: 'A product that answers prompts. Tables show its name; you type its id.',
    api: ['engine'],
  },
  answers: {
    label: 'answers',
    means:
      'Collected answers, each of one engine to one prompt in one region. The API and the dataset call one a run.',
    api: ['run_count', 'sample_size', 'answers', 'runs'],
  },
  withBrand: {
    label: 'with brand',
    means: 'Whether, or in how many answers, the brand is named.',
    api: ['brand_present'],
  },
  ...measureTerms,
  avg_position: termOf('avg_position', averagePosition),
  shown_rate: {
    label: 'shown',
    means:
      'How often engines showed an answer at all when they were asked: a search may have no overview. Where none was shown, no other number counts it.',
    api: ['shown_rate'],
  },
  tone: {
    label: 'tone',
    means: 'How one answer speaks of a name: positive, neutral or negative.',
    api: ['sentiment'],
  },
  competitor: {
    label: 'competitor',
    means: 'A company that is tracked next to the brand.',
    api: ['competitors'],
  },
  name: {
    label: 'name',
    means: 'The brand or a competitor, in tables that have both.',
    api: ['name', 'entity'],
  },
  absentPrompts: {
    label: 'prompts where the brand is absent',
    means:
      'Prompts that were asked in the window and whose answers never name the brand. A prompt without an answer is not measured.',
    api: ['losing'],
  },
  citedDomains: {
    label: 'cited domains',
    means: 'The sites whose pages answers cite.',
    api: ['sources'],
  },
  citedPages: {
    label: 'cited pages',
    means: 'The pages that answers cite.',
    api: ['urls'],
  },
  domain: { label: 'domain', means: 'A cited site.', api: ['domain'] },
  page: {
    label: 'page',
    means: 'A cited page, a page that was requested, or one of the brand.',
    api: ['url', 'path'],
  },
  kind: {
    label: 'kind',
    means: 'What sort of site a domain is; see the kinds below. A workspace may set it.',
    api: ['classification'],
  },
  pageType: {
    label: 'page type',
    means: 'What sort of page a cited page is, such as a listicle or a comparison.',
    api: ['page_type'],
  },
  citations: {
    label: 'citations',
    means: 'How often answers cite a domain or a page. An answer that cites a page twice counts twice.',
    api: ['citations'],
  },
  before: {
    label: 'before',
    means: 'The same over the window of equal length just before.',
    api: ['prior_citations', 'previous', 'previous_window_value'],
  },
  mostCitedElsewhere: {
    label: 'most cited elsewhere',
    means: 'The domains that the answers to a prompt cite most, without those of the brand.',
    api: ['winners', 'cited'],
  },
  searches: {
    label: 'searches',
    means: 'What an engine searched the web for before it answered.',
    api: ['fanouts'],
  },
  repeatsPrompt: {
    label: 'repeats the prompt',
    means: 'Whether a search is only the prompt again.',
    api: ['is_echo'],
  },
  crawler: {
    label: 'crawler',
    means: 'A program of an AI company that requests pages of the site.',
    api: ['agent'],
  },
  requests: {
    label: 'requests',
    means: 'Lines of the server log with the user agent of a crawler.',
    api: ['hits'],
  },
  requestedPages: {
    label: 'pages',
    means: 'The number of different pages that were requested.',
    api: ['pages'],
  },
  outcomes: {
    label: 'let in',
    means:
      'Requests that the site answered with a page or a redirect, whatever robots.txt says; others got an error.',
    api: ['outcomes'],
  },
  verified: {
    label: 'verified',
    means:
      'Requests from an address that the operator of the crawler publishes; others may be of somebody else.',
    api: ['verified_hits', 'unknown_hits'],
  },
  unverified: {
    label: 'of others',
    means:
      'Requests under the name of the crawler from an address that its operator does not publish: they are of somebody else.',
    api: ['unverified_hits'],
  },
  served: {
    label: 'served',
    means: 'Requests of crawlers that answers depend on, which the site answered with the page.',
    api: ['served'],
  },
  visits: {
    label: 'visits',
    means: 'Visits of people; of those whom answers sent, a person counts once a day and page.',
    api: ['visits', 'visited'],
  },
  pageviews: {
    label: 'page views',
    means: 'How often people whom answers sent opened a page.',
    api: ['pageviews'],
  },
  product: {
    label: 'product',
    means: 'The assistant or AI search whose answer sent a person.',
    api: ['product'],
  },
  purpose: { label: 'purpose', means: 'What a crawler fetches pages for.', api: ['purpose'] },
  robots: {
    label: 'robots.txt',
    means: 'Whether the robots.txt of the site lets the crawler in; see the verdicts below.',
    api: ['robots'],
  },
} as const satisfies { readonly [name: string]: Term };

export type TermName = keyof typeof glossary;

/** The word in lower case, as in the head of a column. */
export const label = (name: TermName): string => glossary[name].label;
export const title = (name: TermName): string => capital(glossary[name].label);

const termsOfFields = new Map(
  Object.values<Term>(glossary).flatMap((term) => term.api.map((name) => [name, term] as const)),
);

/** The head of a field that is its own, and neither a word of the glossary nor its name. */
export const ownHead = (schema: Schema): string | undefined => {
  if (schema.kind === 'nullable') return ownHead(schema.of);
  if (schema.kind === 'pair') return schema.head ?? ownHead(schema.items as Schema);
  const { head, definition } = schema as { head?: string; definition?: { readonly head?: string } };
  return head ?? definition?.head;
};

/** What heads the column of a field. */
export const fieldHead = (name: string, schema: Schema): string =>
  ownHead(schema) ?? termsOfFields.get(name)?.label ?? name.replaceAll('_', ' ');

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The engines that count without an engine filter. */
export const SEARCH_ENGINES = 'all engines with web search';

/** The name of an engine; of one that this version does not know its id. */
export const engineLabel = (id: string): string => findEngine(id)?.label ?? id;

/** The words for values of the API, each with the values that people see under them. */
export const valueLabels = {
  /** `classification` of a domain. */
  kind: {
    owned: 'own',
    competitor: 'competitor',
    ugc: 'community',
    reference: 'reference',
    institutional: 'institution',
    commerce: 'shop',
    editorial: 'editorial',
    other: 'other',
  },
  /** `purpose` of a crawler. */
  purpose: {
    training: 'training',
    search_index: 'search index',
    user_fetch: 'for a user',
    ad_check: 'advertisements',
    unknown: 'not known',
  },
  /** `surface` of an answer. */
  surface: {
    api: 'API',
    ui: 'product',
    serp: 'search result page',
  },
  /** `kind` of gaps. */
  gap: {
    sources: 'domains to win',
    lost_pages: 'lost pages',
    within_reach: 'prompts within reach',
    absent: 'prompts where the brand is absent',
    crawl: 'from crawl to citation',
  },
  /** `fault` of a page that crawlers miss. */
  fault: {
    refused: 'refused by the site',
    closed: 'disallowed by robots.txt',
    never_fetched: 'never fetched',
    never_cited: 'never cited',
  },
  /** `verdict` of robots.txt. */
  robots: {
    allowed: 'allowed',
    blocked: 'disallowed',
    unaddressed: 'not named',
  },
} as const;

/** The word for a value; a value that this version does not know stays as it is. */
export const valueLabel = (of: keyof typeof valueLabels, value: string): string =>
  (valueLabels[of] as { readonly [value: string]: string })[value] ?? value;

/** What robots.txt says to a crawler: `allowed; /cart disallowed`. */
export function robotsWords({
  verdict,
  blocked_path,
}: {
  readonly verdict: string;
  readonly blocked_path: string | null;
}): string {
  const word = valueLabel('robots', verdict);
  return verdict === 'blocked' || blocked_path === null ? word : `${word}; ${blocked_path} disallowed`;
}
