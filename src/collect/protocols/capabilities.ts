/**
 * What each provider of answers as people see them can do: the only table of it. The faults of a plan, `--dry-run`, the
 * check of each reply and docs/collecting.md derive from it. Their documents of November 2026; prices are examples.
 */
import type { EngineId } from '../../contract/engines.js';
import type { Observable, Surface } from '../../contract/surfaces.js';

export const providerNames = ['cloro', 'dataforseo', 'brightdata', 'serpapi'] as const;
export type ProviderName = (typeof providerNames)[number];

export const isProvider = (name: unknown): name is ProviderName =>
  providerNames.some((each) => each === name);

/** `always`: every reply has the field, so that its absence is a change of form. `found`: only a reply with some has it. */
type Stated = 'always' | 'found' | 'never';

/** How a question is put: into a queue whose result is fetched, or in one call that waits for the answer. */
export const forms = ['queued', 'live'] as const;
export type Form = (typeof forms)[number];

export interface Capability {
  readonly surface: Exclude<Surface, 'api'>;
  /** Characters of the longest prompt. */
  readonly longestPrompt: number;
  readonly citations: Stated;
  readonly searches: Stated;
  readonly ads: Stated;
  readonly carousels: Stated;
  /** An example of the price of an answer in US dollars, by form; undefined: the provider has no such form. */
  readonly usd: { readonly [F in Form]?: number };
  /** Paid calls of one answer at most. */
  readonly mostCalls: number;
}

export interface ProviderRow {
  readonly label: string;
  readonly baseUrl: string;
  /** What the variable of `key_env` holds. */
  readonly key: string;
  /** How a queued answer is paid once although the collection is killed. */
  readonly paidOnce: string;
  /** Hours for which a result can be fetched. */
  readonly keepsHours: number;
  /** What a failed answer costs. */
  readonly failed: string;
  readonly engines: { readonly [E in EngineId]?: Capability };
}

/** What an engine states if the row says nothing else. */
const ui = (changed: Omit<Capability, 'surface'>): Capability => ({ surface: 'ui', ...changed });
const serp = (changed: Omit<Capability, 'surface'>): Capability => ({ surface: 'serp', ...changed });

const CLORO = { longestPrompt: 10_000, citations: 'always', mostCalls: 1 } as const;
const PAGES = { longestPrompt: 700, citations: 'always', searches: 'never', mostCalls: 1 } as const;
const SCRAPERS = { longestPrompt: 2000, citations: 'always', mostCalls: 1 } as const;
const DATASETS = { longestPrompt: 4096, citations: 'always', ads: 'never', mostCalls: 1 } as const;
/** The prompt is in an address. */
const ADDRESSES = { longestPrompt: 2000, citations: 'always', searches: 'never', ads: 'never' } as const;

/** A credit costs $0.31 to 0.80 per 1,000; the example is the dearest. */
const credits = (count: number) => ({ queued: (count * 0.8) / 1000 });

export const providerTable: Readonly<Record<ProviderName, ProviderRow>> = {
  cloro: {
    label: 'cloro',
    baseUrl: 'https://api.cloro.dev',
    key: 'the API key',
    paidOnce: 'a question sent again has the same idempotency key, and is refused (409)',
    keepsHours: 24,
    failed: 'nothing',
    engines: {
      chatgpt: ui({ ...CLORO, searches: 'found', ads: 'found', carousels: 'found', usd: credits(11) }),
      aio: serp({ ...CLORO, searches: 'never', ads: 'found', carousels: 'never', usd: credits(5) }),
      aimode: ui({ ...CLORO, searches: 'never', ads: 'found', carousels: 'found', usd: credits(4) }),
      copilot: ui({ ...CLORO, searches: 'never', ads: 'never', carousels: 'found', usd: credits(5) }),
      perplexity: ui({ ...CLORO, searches: 'found', ads: 'never', carousels: 'found', usd: credits(3) }),
      gemini: ui({ ...CLORO, searches: 'never', ads: 'never', carousels: 'never', usd: credits(4) }),
      grok: ui({ ...CLORO, searches: 'found', ads: 'never', carousels: 'never', usd: credits(4) }),
    },
  },
  dataforseo: {
    label: 'DataForSEO',
    baseUrl: 'https://api.dataforseo.com/v3',
    key: '`login:password`',
    paidOnce: 'a question that was sent is found by its tag, in a list of tasks that is free',
    keepsHours: 30 * 24,
    failed: 'the price, which is charged when the question is posted',
    engines: {
      chatgpt: ui({
        ...SCRAPERS,
        searches: 'found',
        ads: 'found',
        carousels: 'found',
        usd: { queued: 0.0012, live: 0.004 },
      }),
      aio: serp({ ...PAGES, ads: 'never', carousels: 'found', usd: { queued: 0.0012, live: 0.004 } }),
      aimode: ui({ ...PAGES, ads: 'found', carousels: 'found', usd: { queued: 0.0012, live: 0.004 } }),
      gemini: ui({
        ...SCRAPERS,
        searches: 'never',
        ads: 'never',
        carousels: 'never',
        usd: { queued: 0.0012, live: 0.004 },
      }),
    },
  },
  brightdata: {
    label: 'Bright Data',
    baseUrl: 'https://api.brightdata.com',
    key: 'the API token',
    paidOnce: 'its snapshot is noted before it is fetched; a kill between the two costs the answer',
    keepsHours: 16 * 24,
    failed: 'nothing, as far as its documents say',
    engines: {
      chatgpt: ui({
        ...DATASETS,
        searches: 'found',
        carousels: 'found',
        usd: { queued: 0.0015, live: 0.0015 },
      }),
      perplexity: ui({
        ...DATASETS,
        searches: 'found',
        carousels: 'never',
        usd: { queued: 0.0015, live: 0.0015 },
      }),
      copilot: ui({
        ...DATASETS,
        searches: 'never',
        carousels: 'never',
        usd: { queued: 0.0015, live: 0.0015 },
      }),
      gemini: ui({
        ...DATASETS,
        searches: 'never',
        carousels: 'never',
        usd: { queued: 0.0015, live: 0.0015 },
      }),
      aimode: ui({
        ...DATASETS,
        searches: 'never',
        carousels: 'never',
        usd: { queued: 0.0015, live: 0.0015 },
      }),
      aio: serp({
        ...DATASETS,
        longestPrompt: 2000,
        searches: 'never',
        carousels: 'never',
        usd: { live: 0.0015 },
      }),
    },
  },
  serpapi: {
    label: 'SerpApi',
    baseUrl: 'https://serpapi.com',
    key: 'the API key',
    paidOnce: 'an equal search within an hour is answered from a cache, free',
    keepsHours: 31 * 24,
    failed: 'nothing',
    engines: {
      aio: serp({ ...ADDRESSES, carousels: 'never', usd: { queued: 0.015, live: 0.015 }, mostCalls: 2 }),
      aimode: ui({ ...ADDRESSES, carousels: 'found', usd: { queued: 0.015, live: 0.015 }, mostCalls: 1 }),
    },
  },
};

export const capabilityOf = (provider: ProviderName, engine: string): Capability | undefined =>
  providerTable[provider].engines[engine as EngineId];

/** What a reply of the row says about ads and carousels, also if it has none. */
export const observed = (row: Capability): Observable[] =>
  (['ads', 'carousels'] as const).filter((each) => row[each] !== 'never');

/** How the answers of a target are collected: by the API of a vendor, unless a provider shows what people see. */
export const surfaceOf = ({
  protocol,
  engine,
}: {
  readonly protocol: string;
  readonly engine: string;
}): Surface => (isProvider(protocol) && capabilityOf(protocol, engine)?.surface) || 'api';
