import type { CallOptions } from '../call-options.js';
import type { IngestResult } from '../types.js';

/** The sums of the four counters over all bodies, and the position in the source. */
export interface IngestProgress extends IngestResult {
  /** Bytes that the server has acknowledged, before compression, including repeated directives. */
  bytes: number;
  /** Number of requests. */
  bodies: number;
  /** Lines that are longer than a body, or that the server refuses on their own (413). */
  skippedLines: number;
  /** Bytes from the beginning of the source that are done: the `from` of a later call. */
  offset: number;
}

/** `timeout` and `maxRetries` apply to each body; there is no deadline for all bodies. */
export interface IngestOptions extends Omit<CallOptions, 'deadline'> {
  /** The brand of the logs (the client's). */
  brand?: string | undefined;
  /** Bytes of the source to skip: the `offset` of an earlier call, which is the beginning of a line. */
  from?: number | undefined;
  /** The size of a body in bytes before compression (5000000); at most 10000000. */
  maxBodyBytes?: number | undefined;
  /** Whether bodies are compressed if the runtime supports it (true). */
  gzip?: boolean | undefined;
  /** Called after each body that the server has accepted. */
  onProgress?: ((progress: IngestProgress) => void) | undefined;
}
