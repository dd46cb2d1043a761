import type { IngestResult } from '../../contract/crawler-events.js';
import { unlessAborted } from '../cancellation.js';
import { isSvcError } from '../errors.js';
import type { WithResponse } from '../metadata.js';
import { type Batch, Batcher, type BatcherOptions } from './batcher.js';
import { Lines } from './lines.js';
import type { IngestOptions, IngestProgress } from './options.js';
import { bytesOf, type IngestSource } from './source.js';

const TARGET = 5_000_000;
const OVERRUN = 1_000_000;
const SPACE = 32;
const counters = ['inserted', 'matched', 'totalLines', 'unparsed'] as const;

type Body = Uint8Array | ArrayBuffer;

/** Sends one body. */
type Post = (body: Body, headers: Readonly<Record<string, string>>) => Promise<WithResponse<unknown>>;

/** Ships a source of any size, body after body. */
export async function ingest(
  source: IngestSource,
  { from = 0, maxBodyBytes = TARGET, gzip = true, onProgress, signal }: IngestOptions,
  post: Post,
  warn: (message: string) => void,
): Promise<IngestProgress> {
  const totals = { bytes: 0, bodies: 0, skippedLines: 0, offset: from } as IngestProgress;
  for (const name of counters) totals[name] = 0;
  const skip = () => {
    totals.skippedLines += 1;
  };

  async function send(bytes: Uint8Array): Promise<void> {
    // The server refuses a body without anything in it.
    if (bytes.every((byte) => byte <= SPACE)) return;
    const packs = gzip && globalThis.CompressionStream;
    try {
      const { data } = packs
        ? await post(await gzipped(bytes), { 'Content-Encoding': 'gzip' })
        : await post(bytes, {});
      for (const name of counters) totals[name] += (data as IngestResult)[name];
      totals.bodies += 1;
    } catch (error) {
      if (!isSvcError(error) || error.status !== 413) throw error;
      const half = { target: bytes.length / 2, overrun: 0, warn };
      const parts: Uint8Array[] = [];
      for await (const part of batchesOf([bytes], half, 0, skip)) parts.push(part.bytes);
      if (parts.some((part) => part.length >= bytes.length)) skip();
      else for (const part of parts) await send(part);
    }
  }

  const options = { target: maxBodyBytes, overrun: OVERRUN, warn };
  const batches = batchesOf(bytesOf(source), options, from, skip);
  try {
    for (;;) {
      const { done, value } = await unlessAborted(signal ?? new AbortController().signal, batches.next());
      if (done) return totals;
      await send(value.bytes);
      totals.bytes += value.bytes.length;
      totals.offset = value.mark;
      onProgress?.({ ...totals });
    }
  } finally {
    // Not awaited: a source that waits for more would keep the caller waiting too.
    batches.return().catch(() => {});
  }
}

/** The source's lines in batches, each marked with the place behind it; those up to `from` are passed over. */
async function* batchesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: BatcherOptions,
  from: number,
  skip: () => void,
): AsyncGenerator<Batch<number>, void, undefined> {
  const batcher = new Batcher<number>(options);
  let position = 0;
  const lines = new Lines((line, length) => {
    position += length;
    if (!line) skip();
    else if (position > from) batcher.add(line, position);
    else batcher.pass(line);
  });
  for await (const chunk of chunks) {
    lines.push(chunk);
    yield* batcher.ready.splice(0);
  }
  lines.end();
  batcher.flush();
  yield* batcher.ready.splice(0);
}

const gzipped = (bytes: Uint8Array): Promise<ArrayBuffer> =>
  new Response(
    new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('gzip')),
  ).arrayBuffer();
