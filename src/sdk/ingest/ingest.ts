import { type CallOptions, knownValues, queryOf } from '../arguments.js';
import { PayloadTooLargeError } from '../errors.js';
import type { Configuration } from '../options.js';
import type { WithResponse } from '../response.js';
import { unlessAborted } from '../transport.js';
import type { IngestResult } from '../types.js';
import { BODY_BYTES, batchesOf, OVERRUN_BYTES } from './batches.js';

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

const OPTIONS: readonly (keyof IngestOptions)[] = [
  'brand',
  'from',
  'maxBodyBytes',
  'gzip',
  'onProgress',
  'signal',
  'timeout',
  'maxRetries',
  'onRetry',
];

/** Sends a source of any size, one body after another. */
export async function ingest(
  source: IngestSource,
  options: IngestOptions,
  configuration: Configuration,
): Promise<IngestProgress> {
  const known: IngestOptions = knownValues('option', options, OPTIONS);
  const { from = 0, maxBodyBytes: target = BODY_BYTES, gzip = true, onProgress, signal } = known;
  const { warn } = configuration.log;
  const totals = noProgress(from);
  const post = poster(configuration, known, gzip && globalThis.CompressionStream && gzipped);
  const batches = batchesOf(bytesOf(source), { target, overrun: OVERRUN_BYTES, warn }, from, totals);
  try {
    for (;;) {
      const { done, value } = await unlessAborted(signal, batches.next());
      if (done) return totals;
      await send(value.bytes, totals, post, warn);
      totals.bytes += value.bytes.length;
      totals.offset = value.mark;
      onProgress?.({ ...totals });
    }
  } finally {
    // Not awaited, because a source that waits for more data would block the caller.
    batches.return().catch(() => {});
  }
}

const gzipped = (bytes: Uint8Array): Promise<ArrayBuffer> =>
  new Response(
    new Response(bytes as Uint8Array<ArrayBuffer>).body!.pipeThrough(new CompressionStream('gzip')),
  ).arrayBuffer();

/** The counters that the server returns for each body. */
const counters: IngestResult = { inserted: 0, matched: 0, totalLines: 0, unparsed: 0 };

type Gzip = (bytes: Uint8Array) => Promise<Uint8Array | ArrayBuffer>;

/** Sends one body as one request, with the retries of the options. */
export type Post = (bytes: Uint8Array) => Promise<WithResponse<unknown>>;

/** Posts to the crawler logs of a brand, by default the client's. Compresses the body if `gzip` is given. */
export function poster(
  { brand, shipping, optionsOf }: Configuration,
  options: CallOptions & { brand?: string | undefined },
  gzip: Gzip | false | undefined,
): Post {
  const path = `/api/v1/crawler-events${queryOf({ brand: options.brand ?? brand })}`;
  const call = optionsOf(options, { deadline: undefined });
  const resends = Infinity;
  return async (bytes) =>
    shipping(path, call, {
      body: gzip ? await gzip(bytes) : bytes,
      ...(gzip && { headers: { 'Content-Encoding': 'gzip' } }),
      resends,
    });
}

/** Progress before the first body. */
export const noProgress = (offset: number): IngestProgress => ({
  ...counters,
  bytes: 0,
  bodies: 0,
  skippedLines: 0,
  offset,
});

/**
 * Sends a body, or its halves if the server refuses it as too large, and adds the counters, bodies and skipped lines to
 * `totals`.
 * @throws SvcError of a body that could not be delivered.
 */
export async function send(
  bytes: Uint8Array,
  totals: IngestProgress,
  post: Post,
  warn: (message: string) => void,
): Promise<void> {
  const space = 32;
  // The server refuses a blank body.
  if (bytes.every((byte) => byte <= space)) return;
  try {
    const { data } = await post(bytes);
    for (const name of Object.keys(counters) as (keyof IngestResult)[]) {
      totals[name] += (data as IngestResult)[name];
    }
    totals.bodies += 1;
  } catch (error) {
    if (!(error instanceof PayloadTooLargeError)) throw error;
    const half = { target: bytes.length / 2, overrun: 0, warn };
    const parts: Uint8Array[] = [];
    for await (const part of batchesOf([bytes], half, 0, totals)) parts.push(part.bytes);
    if (parts.some((part) => part.length >= bytes.length)) totals.skippedLines += 1;
    else for (const part of parts) await send(part, totals, post, warn);
  }
}

/** The sources of crawler logs. Texts are sent as UTF-8. */
export type IngestSource =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>
  | readonly (Uint8Array | string)[];

/** Yields the bytes of the source in order. Ending the iteration early cancels the source. */
async function* bytesOf(source: IngestSource): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunksOf(source)) {
    yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
  }
}

const chunksOf = (source: IngestSource) =>
  Array.isArray(source) || Symbol.asyncIterator in Object(source)
    ? (source as AsyncIterable<Uint8Array | string>)
    : read(new Response(source as Blob).body!);

/** Iterates over a stream by its reader, because not every browser supports `for await` on streams. */
async function* read(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
