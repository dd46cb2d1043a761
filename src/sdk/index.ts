/** The package's entry: the typed client of the API, for every runtime that has fetch. */

export type { EngineId } from '../contract/engines.js';
export type { KeyKind } from '../contract/keys.js';
export type { BrandRef } from '../contract/read.js';
export type { Ad, Ads } from '../contract/reads/ads.js';
export type { Answer } from '../contract/reads/answers.js';
export type { BrandEntry } from '../contract/reads/brands.js';
export type { Competitor } from '../contract/reads/competitors.js';
export type { CrawlerAgent, Crawlers } from '../contract/reads/crawlers.js';
export type { FactCheck } from '../contract/reads/fact-check.js';
export type { History, HistoryMetric, HistoryPoint, HistorySeries } from '../contract/reads/history.js';
export type { Overview } from '../contract/reads/overview.js';
export type { Prompt, TagGroup } from '../contract/reads/prompts.js';
export type { EntityTone, Quote, Sentiment } from '../contract/reads/sentiment.js';
export type { Product, Shopping } from '../contract/reads/shopping.js';
export type { ShoppingTrend } from '../contract/reads/shopping-trend.js';
export type { Source } from '../contract/reads/sources.js';
export type { CitedUrl } from '../contract/reads/urls.js';
export type { ListName, PageOf, ParamsOf, ResourceName, ResponseOf, RowOf } from '../contract/registry.js';
export type { ToolArgumentsOf, ToolName, ToolPayloadOf } from '../contract/tools.js';
export type { Answered } from './answered.js';
export type { CallOptions } from './call-options.js';
export { SvcClient } from './client.js';
export type { Clock } from './clock.js';
export type { List, Read } from './endpoints.js';
export {
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  isSvcError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  RateLimitError,
  ServerError,
  SvcError,
  TimeoutError,
  ToolError,
} from './errors.js';
export type { IngestOptions, IngestProgress } from './ingest/options.js';
export type { IngestSource } from './ingest/source.js';
export type { Listing } from './listing.js';
export { type Logger, type LogLevel, logLevels } from './log.js';
export type { RateLimit, ResponseMetadata, WithResponse } from './metadata.js';
export type { SvcClientOptions } from './options.js';
export { type PointState, type PromptState, pointState, promptState } from './states.js';
export type { ToolDescription, Tools } from './tools.js';
