/** The package's entry: the typed client of the API, for every runtime that has fetch. */

export type {
  Arguments,
  CallOptions,
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
} from './arguments.js';
export { SvcClient } from './client.js';
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
export type { IngestOptions, IngestProgress, IngestSource } from './ingest/ingest.js';
export type { Listing, PageEnvelope } from './listing.js';
export { type Logger, type LogLevel, logLevels } from './log.js';
export { type PointState, type PromptState, pointState, promptState } from './null-states.js';
export type { SvcClientOptions } from './options.js';
export type { Clock } from './pacing.js';
export type { ApiPromise, RateLimit, ResponseMetadata, WithResponse } from './response.js';
export type { ToolDescription, Tools } from './tools.js';
export type * from './types.js';
