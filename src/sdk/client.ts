import { Endpoints } from './endpoints.js';

/** The parameters of a read that can be sliced. */
const sliced = { brand: 1, from: 1, to: 1, engine: 1, prompt: 1, topic: 1, tag: 1, region: 1 } as const;

/**
 * The API of an svc server, one method per resource.
 *
 *     const svc = new SvcClient({ baseUrl, apiKey });
 *     const { visibility } = await svc.overview();
 *     for await (const prompt of svc.prompts.list()) …
 *
 * The client paces calls by the key's token bucket and retries failures that may be temporary. Failures are SvcErrors.
 */
export class SvcClient extends Endpoints {
  /** The brands that the key can see. */
  readonly brands = this.list('brands', {});
  /** The visibility scorecard of one brand over the last 7 days, or over a slice of its runs. */
  readonly overview = this.read('overview', sliced);
  /** Active prompts with presence, visibility and position. Null means not sampled, see `promptState`. */
  readonly prompts = this.list('prompts', { brand: 1, from: 1, to: 1, engine: 1 });
  /** The brand and its tracked competitors side by side. */
  readonly competitors = this.list('competitors', sliced);
  /** The domains that answers cite. */
  readonly sources = this.list('sources', sliced);
  /** The pages that answers cite. */
  readonly urls = this.list('urls', sliced);
  /** The collected answers with their mentions and citations. */
  readonly answers = this.list('answers', sliced);
  /** The products in shopping carousels; `win_rate` is the slot-1 share of a product's own appearances. */
  readonly shopping = this.read('shopping', { brand: 1 });
  /** Shopping carousels day by day; days without carousels have no point. */
  readonly shoppingTrend = this.read('shopping-trend', { brand: 1 });
  /** The last check of answers against the brand's knowledge base; `fact_check` null means never checked. */
  readonly factCheck = this.read('fact-check', { brand: 1 });
  /** Ad units that were captured next to answers, unchanged. */
  readonly ads = this.read('ads', { brand: 1, days: 1, from: 1, to: 1, engine: 1 });
  /** Tone per entity and engine, with the quotes it was read from, worst first. */
  readonly sentiment = this.read('sentiment', { brand: 1, days: 1, from: 1, to: 1, engine: 1 });
  /** One metric day by day; `pointState` explains a point without a value. */
  readonly history = this.read('metrics/history', {
    ...sliced,
    metric: 1,
    days: 1,
    competitors: 1,
  });
  /** Visits of AI crawlers, and the rules of robots.txt for them; from the Growth plan on. */
  readonly crawlers = this.read('crawlers', { brand: 1, days: 1, from: 1, to: 1 });
}
