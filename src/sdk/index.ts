/** The package's entry: the typed client of the API, for every runtime that has fetch. */
export type { Answer } from '../contract/answers.js';
export type { BrandEntry } from '../contract/brands.js';
export type { Competitor } from '../contract/competitors.js';
export type { EngineId } from '../contract/engines.js';
export type { KeyKind } from '../contract/keys.js';
export type { Overview } from '../contract/overview.js';
export type { Prompt, TagGroup } from '../contract/prompts.js';
export type { ListName, PageOf, ParamsOf, ResourceName, ResponseOf, RowOf } from '../contract/registry.js';
export type { BrandRef } from '../contract/resource.js';
export type { Source } from '../contract/sources.js';
export type { CitedUrl } from '../contract/urls.js';
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
} from './errors.js';
export type { Listing } from './listing.js';
export { type Logger, type LogLevel, logLevels } from './log.js';
export type { RateLimit, ResponseMetadata, WithResponse } from './metadata.js';
export type { SvcClientOptions } from './options.js';
export { type PointState, type PromptState, pointState, promptState } from './states.js';
