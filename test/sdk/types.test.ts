import { expect } from 'chai';
import type * as contract from '../../src/contract/registry.js';
import type * as catalog from '../../src/contract/tools.js';
import {
  type Answer,
  type ArgumentTypes,
  type BrandEntry,
  type CitedUrl,
  type Competitor,
  type CrawlerAgent,
  type EngineId,
  type FactCheck,
  type History,
  type HistoryPoint,
  type Listing,
  type Overview,
  type PageOf,
  type ParamTypes,
  type PayloadTypes,
  type Product,
  type Prompt,
  pointState,
  type Quote,
  type RateLimit,
  type ResponseTypes,
  type RowTypes,
  type Sentiment,
  type ShoppingTrend,
  type Source,
  type SvcClient,
  type ToolDescription,
  type ToolPayloadOf,
  type WithResponse,
} from '../../src/sdk/index.js';

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T => true as T;

/** The generated types equal those that are inferred from schemas and parameters. */
function sameAsInferred(): void {
  holds<Same<ResponseTypes, { [N in contract.ResourceName]: contract.ResponseOf<N> }>>();
  holds<Same<RowTypes, { [N in contract.ListName]: contract.RowOf<N> }>>();
  holds<Same<ParamTypes, { [N in contract.ResourceName]: contract.ParamsOf<N> }>>();
  holds<Same<PayloadTypes, { [N in catalog.ToolName]: catalog.ToolPayloadOf<N> }>>();
  // A tool without arguments accepts none, but the inferred type accepts any object.
  type Tool = Exclude<catalog.ToolName, 'list_brands'>;
  holds<Same<Pick<ArgumentTypes, Tool>, { [N in Tool]: catalog.ToolArgumentsOf<N> }>>();
  holds<Same<keyof ArgumentTypes, catalog.ToolName>>();
}

/** Never called. The test is that it compiles. */
async function typesOf(svc: SvcClient): Promise<void> {
  const overview = await svc.overview({ brand: 'b' }, { signal: AbortSignal.timeout(1), deadline: 1 });
  holds<Same<typeof overview, Overview>>();
  const response = await svc.overview().withResponse();
  holds<Same<typeof response, WithResponse<Overview>>>();
  holds<Same<typeof response.rateLimit, RateLimit | null>>();

  const page = await svc.prompts.list({ brand: 'b', limit: 50, cursor: undefined });
  holds<Same<typeof page, PageOf<'prompts'>>>();
  holds<Same<typeof page.next_cursor, string | null>>();
  holds<Same<(typeof page.prompts)[number], Prompt>>();
  holds<Same<Prompt['presence_rate'], number | null>>();
  const listing: Listing<PageOf<'urls'>, CitedUrl> = svc.urls.list();
  for await (const row of listing) holds<Same<typeof row, CitedUrl>>();

  const [brand] = await svc.brands.list().all({ max: 1 });
  const [competitor] = await svc.competitors.list().all({ max: 1 });
  const [answer] = await svc.answers.list().all({ max: 1 });
  holds<Same<typeof brand, BrandEntry | undefined>>();
  holds<Same<typeof competitor, Competitor | undefined>>();
  holds<Same<typeof answer, Answer | undefined>>();
  const top = await svc.sources.top();
  holds<Same<typeof top.sources, Source[]>>();

  const history = await svc.history({ metric: 'citation_share', days: 56, engine: ['chatgpt', 'aio'] });
  holds<Same<typeof history, History>>();
  holds<Same<HistoryPoint['value'], number | null>>();
  pointState(history.series[0]!.points[0]!) satisfies 'measured' | 'unmeasurable' | 'not_collected';
  await svc.overview({ tag: ['crm', 'b2b'], region: 'us', from: '2026-07-01', to: '2026-07-31' });
  await svc.sources.list({ prompt: 'p', engine: ['chatgpt'] });
  await svc.ads({ from: '2026-07-01', to: '2026-07-31', engine: 'chatgpt' });
  const { fact_check } = await svc.factCheck();
  holds<Same<typeof fact_check, FactCheck['fact_check']>>();
  const { quotes } = await svc.sentiment({ days: 14, engine: 'chatgpt,llama' });
  holds<Same<typeof quotes, Quote[]>>();
  const { products } = await svc.shopping();
  holds<Same<typeof products, Product[]>>();
  const { trend } = await svc.shoppingTrend();
  holds<Same<typeof trend, ShoppingTrend['trend']>>();
  const { agents } = await svc.crawlers({ days: 28 });
  holds<Same<typeof agents, CrawlerAgent[]>>();

  const fanouts = await svc.tools.call('list_fanouts', { brand_id: 'b' });
  holds<Same<typeof fanouts, ToolPayloadOf<'list_fanouts'>>>();
  holds<Same<(typeof fanouts.fanouts)[number]['volume'], number | null>>();
  const same = await svc.tools.call('get_overview').withResponse();
  holds<Same<typeof same, WithResponse<Overview>>>();
  await svc.tools.call('get_metrics_history', { metric: 'visibility', engine: ['chatgpt'] }, { timeout: 1 });
  const { ran } = await svc.tools.call('run_fact_check', { force: true, brand_id: undefined });
  holds<Same<typeof ran, boolean>>();
  const [tool] = await svc.tools.list();
  holds<Same<typeof tool, ToolDescription | undefined>>();
  holds<Same<ToolDescription['added_later'], unknown>>();

  // @ts-expect-error There is no such tool.
  await svc.tools.call('get_overveiw');
  // @ts-expect-error The tool of the history needs its metric.
  await svc.tools.call('get_metrics_history');
  // @ts-expect-error An object without the metric is not enough.
  await svc.tools.call('get_metrics_history', { days: 28 });
  // @ts-expect-error Tools call the brand brand_id.
  await svc.tools.call('get_overview', { brand: 'b' });
  // @ts-expect-error Tools return whole lists, never pages.
  await svc.tools.call('list_prompts', { limit: 5 });
  // @ts-expect-error The list of brands is about no brand.
  await svc.tools.call('list_brands', { brand_id: 'b' });

  // @ts-expect-error Arguments are an object, even if all of them are optional.
  await svc.tools.call('get_overview', 'torvello');
  // @ts-expect-error Arguments are not an array.
  await svc.tools.call('list_ads', [7]);

  // Engines are an open union, also in arrays: known ids complete in editors, later ones compile.
  const several: readonly string[] = ['chatgpt', 'newer'];
  await svc.history({ metric: 'visibility', engine: ['chatgpt', 'newer'] });
  await svc.sentiment({ engine: several });
  await svc.tools.call('list_ads', { engine: several });
  const cited: CitedUrl['engines'] = ['chatgpt', 'newer'];
  holds<Same<typeof cited, NonNullable<Sentiment['engines']>>>();
  const engine: Answer['engine'] = 'an-engine-of-next-year';
  holds<Same<EngineId extends Answer['engine'] ? true : false, true>>();

  // @ts-expect-error A misspelt parameter is refused.
  await svc.overview({ brnad: 'b' });
  // @ts-expect-error Options are the second argument.
  await svc.overview({ timeout: 5 });
  // @ts-expect-error A misspelt option is refused.
  await svc.overview({}, { timeOut: 5 });
  // @ts-expect-error The unpaged read has no limit.
  await svc.sources.top({ limit: 5 });
  // @ts-expect-error The unpaged read has no cursor.
  await svc.sources.top({ cursor: engine });
  // @ts-expect-error The list of brands is about no brand.
  await svc.brands.list({ brand: 'b' });
  // @ts-expect-error all() requires a limit.
  await svc.answers.list().all();
  // @ts-expect-error The limit is called max.
  await svc.answers.list().all({ limit: 5 });
  // @ts-expect-error A limit is a number.
  await svc.answers.list({ limit: '5' });
  // @ts-expect-error A history needs its metric.
  await svc.history({ days: 28 });
  // @ts-expect-error The read of crawlers has no window of 56 days.
  await svc.crawlers({ days: 56 });
  // @ts-expect-error Null means never checked, so it must be handled.
  (await svc.factCheck()).fact_check.discrepancies.length;
  // @ts-expect-error Null means not measured, so it must be handled.
  (await svc.overview()).sentiment_index.toFixed();
}

describe('the types', () => {
  it('equal the contract, and accept and refuse calls (the type check of this file is the test)', () => {
    expect(typesOf).to.be.a('function');
    expect(sameAsInferred).to.be.a('function');
  });
});
