import type { CallOptions } from '../call-options.js';
import type { IngestResult } from '../types.js';

/** The sums of the four counters over all bodies, and the position in the source. */
export interface IngestProgress extends IngestResult {
  /** Bytes that the server has acknowledged, before compression; repeated directives count too. */
  bytes: number;
  /** Number of requests. */
  bodies: number;
  /** Lines that no body can hold, or that the server refuses alone (413). */
  skippedLines: number;
  /** Bytes of the source that are done, from its very beginning: the `from` of a later call. */
  offset: number;
}

/** `timeout` and `maxRetries` count for each body; there is no deadline for the whole. */
export interface IngestOptions extends Omit<CallOptions, 'deadline'> {
  /** The brand whose logs these are (the client's). */
  brand?: string | undefined;
  /** Bytes of the source to pass over: the `offset` of an earlier call, which is a beginning of a line. */
  from?: number | undefined;
  /** Bytes of a body before compression (5000000); at most 10000000. */
  maxBodyBytes?: number | undefined;
  /** Whether bodies are compressed where the runtime can (true). */
  gzip?: boolean | undefined;
  /** Called after each body that the server has taken. */
  onProgress?: ((progress: IngestProgress) => void) | undefined;
}
