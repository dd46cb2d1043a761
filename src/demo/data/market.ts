/** The markets from which the generators make records: data files, and their shape. All makers are invented. */
import { z } from 'zod';
import { type EngineId, engineIds } from '../../contract/engines.js';
import type { RecordOf } from '../../server/intake/dataset/records/index.js';
import espressoFile from './espresso.json' with { type: 'json' };
import purifiersFile from './purifiers.json' with { type: 'json' };

const { strictObject: object, array, string, number } = z;
const texts = array(string());
const engine = z.enum(engineIds as readonly [EngineId, ...EngineId[]]);
const region = z.enum(['us', 'gb', 'de']);
export type Region = z.infer<typeof region>;

const product = object({
  /** The name of the product in answers, without the maker's name. */
  model: string(),
  /** List price in US dollars. */
  price: number(),
});
export type Product = z.infer<typeof product>;

/** Weights of the three tones. */
const tones = object({ positive: number(), neutral: number(), negative: number() });
export type Tones = z.infer<typeof tones>;

/** The brand, a tracked competitor, or, without an id, a name that is not tracked. */
const maker = object({
  name: string(),
  aliases: texts,
  products: array(product).min(1),
  /** Mean probability that an answer names the maker. */
  presence: number(),
  /** The higher it is, the earlier the answer names the maker. */
  strength: number(),
  tones,
  /** Factors on `presence`; the default is 1; 0: the engine never names the maker. */
  engines: z.partialRecord(engine, number()).optional(),
  topics: z.record(string(), number()).optional(),
  /** Factors by prompt id. */
  prompts: z.record(string(), number()).optional(),
  /** The growth of presence in a rise of the market: 1 is from 0.5 to 1.5 times `presence`. */
  growth: number().optional(),
  /** Phrases for its negative tone, in addition to those of the market. */
  complaints: texts.optional(),
});
export type Maker = z.infer<typeof maker>;

const entity = maker.extend({
  id: string(),
  /** Undefined if the maker has no site. */
  domain: string().optional(),
});
export type Entity = z.infer<typeof entity>;

const prompt = object({
  id: string(),
  text: string(),
  topic: string(),
  tags: texts,
  /** Undefined if the funnel stage was never set. */
  stage: string().optional(),
  /** `seasonal`: inactive, sampled only at the beginning of a quarter. `new`: added today, never sampled. */
  status: z.enum(['seasonal', 'new']).optional(),
  /** Entities that the prompt itself names. */
  about: texts.optional(),
  /** Factor on the presence of every maker; 1 if omitted. */
  naming: number().optional(),
  /** Whether answers may contain product carousels. */
  shopping: z.boolean().optional(),
});
export type DemoPrompt = z.infer<typeof prompt>;

/** The estimated search volume of a prompt. Each part may be unknown. */
const demand = object({
  volume: number().optional(),
  band: z.tuple([number(), number()]).optional(),
  confidence: string().optional(),
  query: string().optional(),
  impressions: number().optional(),
});
export type Demand = z.infer<typeof demand>;

/** `{name}` and `{product}` are replaced; the text in brackets is the evidence of the tone. */
const phrases = object({
  positive: texts,
  neutral: texts,
  negative: texts,
  /** For mentions without a tone, so without brackets. */
  unscored: texts,
  /** Repeats a maker's name at the end. */
  closing: texts,
  openings: texts,
  /** Answers without a name, by topic. */
  general: z.record(string(), string()),
});

const page = object({
  url: z.url(),
  /** Undefined if no engine reports a title. */
  title: string().optional(),
  /** If omitted, the page is cited under every topic. */
  topics: texts.optional(),
  /** If omitted, the page is cited in every region. */
  region: region.optional(),
  weight: number(),
});
export type Page = z.infer<typeof page>;

/** `searches`: those that engines run for answers, besides the prompt itself. */
const topic = object({ id: string(), name: string(), searches: texts });

const market = object({
  /** The id of the brand, which is the first entity. */
  brand: string(),
  entities: array(entity),
  untracked: array(maker),
  topics: array(topic),
  prompts: array(prompt),
  /** By prompt id. A prompt without an entry was never estimated. */
  demand: z.record(string(), demand),
  phrases,
  pages: array(page),
  /** The pages of the entities' own sites, by entity id. */
  sites: z.record(string(), array(page)),
  /** `link`: the beginning of its product links. */
  merchants: z.record(region, array(object({ name: string(), link: string() }))),
  /** The ads as engines report them: with or without link, cards and name. An import checks their form. */
  ads: array(object({ weight: number(), ad: z.custom<NonNullable<RecordOf<'run'>['ad']>>() })),
  /** The suffix of a product's name in a carousel: `Torvello Arco` + this. */
  productKind: string(),
  /** The number of days between two runs of a prompt on an engine. */
  cadenceDays: number(),
  /** The engines on which every prompt runs each day. */
  dailyEngines: array(engine),
});
export type Market = z.infer<typeof market>;

/** A community thread. `brandInThread`: undefined if it was not checked yet. */
const thread = page.extend({
  title: string(),
  kind: z.enum(['forum', 'qa']),
  brandInThread: z.boolean().optional(),
});
/** A video of YouTube. Statistics are undefined if they were never stated. */
const video = page.extend({
  id: string(),
  title: string(),
  channel: object({ id: string(), name: string() }).optional(),
  publishedAt: string().optional(),
  views: number().optional(),
  likes: number().optional(),
});
const sitePath = object({
  path: string(),
  title: string(),
  /** Undefined if answers do not cite the page. */
  cited: object({ weight: number(), topics: texts.optional() }).optional(),
});
const share = number();

/** The market of the main brand, and what its site and its surroundings have. */
const observedMarket = market.omit({ pages: true }).extend({
  articles: array(page),
  threads: array(thread),
  videos: array(video),
  /** In creation order. No active prompt has `seasonal`, and `Watch list` is empty. */
  tagGroups: array(object({ id: string(), name: string(), color: string(), tags: texts })),
  /** All pages of the brand's own site. `sites` has those of the competitors. */
  site: object({
    url: z.url(),
    paths: array(sitePath),
    /** What crawlers request besides: how a crawl starts, former pages, pages that are closed to them. */
    crawlStart: texts,
    gone: texts,
    closed: texts,
    /** The result of the last crawl. `untimed`: without a timing, for example because the request timed out. */
    botWalls: texts,
    errors: z.record(string(), number()),
    untimed: texts,
  }),
  /**
   * Agents, and their mean number of requests per day. `isUserFetch`: it fetches for a user: single pages, no robots.txt, more
   * requests on weekdays. `spoofed`: the share of its requests that somebody else sends; absent: nobody knows.
   */
  crawlers: array(
    object({
      agent: string(),
      daily: number(),
      isUserFetch: z.boolean().optional(),
      spoofed: z.number().optional(),
    }),
  ),
  /** Shares of the visits of a page. The last country is unknown. */
  visits: object({
    pages: array(object({ path: string(), daily: number() })),
    origins: array(object({ ai_source: string().optional(), share })),
    countries: array(object({ country: string().optional(), share })),
  }),
  /** `ranks`: undefined if they were never fetched. */
  trackedPages: array(object({ url: z.url(), title: string(), ranks: array(number()).optional() })),
  offsiteSources: array(object({ kind: z.enum(['news', 'web']), host: z.url(), title: string() })),
  knowledgeBase: texts,
  discrepancies: z.custom<RecordOf<'fact_check'>['discrepancies']>(),
  /** The volumes of the first searches; the others were never measured. */
  searchVolumes: array(number()),
});

/** Reduces the weight of own pages, because the list has far more own pages than pages of competitors. */
const OWN_WEIGHT = 0.5;

function observed(file: z.infer<typeof observedMarket>) {
  const { brand, articles, threads, videos, site, sites } = file;
  const own = site.paths.flatMap(({ path, title, cited }): Page[] =>
    cited ? [{ url: `${site.url}${path}`, title, ...cited, weight: cited.weight * OWN_WEIGHT }] : [],
  );
  return { ...file, pages: [...articles, ...threads, ...videos], sites: { [brand]: own, ...sites } };
}

export const espresso = observed(observedMarket.parse(espressoFile));
/** The market of the archived brand. */
export const purifiers: Market = market.parse(purifiersFile);
