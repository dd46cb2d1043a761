/** The package's entry: the typed client of the API, for every runtime that has fetch. */
export type { ApiPromise } from './api-promise.js';
export type { Arguments, CallOptions } from './call-options.js';
export { SvcClient } from './client.js';
export type { Clock } from './clock.js';
export type { List, Read } from './endpoints.js';
export {
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  type ErrorDetails,
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
export type { Listing, PageEnvelope } from './listing.js';
export { type Logger, type LogLevel, logLevels } from './log.js';
export type { RateLimit, ResponseMetadata, WithResponse } from './metadata.js';
export { type PointState, type PromptState, pointState, promptState } from './null-states.js';
export type { SvcClientOptions } from './options.js';
export type {
  ListName,
  PageOf,
  ParamsOf,
  ResourceName,
  ResponseOf,
  RowOf,
  ToolArgumentsOf,
  ToolName,
  ToolPayloadOf,
  TopParamsOf,
} from './resources.js';
export type { ToolDescription, Tools } from './tools.js';
export type * from './types.js';
