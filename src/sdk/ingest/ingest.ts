import { unlessAborted } from '../cancellation.js';
import { knownValues } from '../known-names.js';
import type { Configuration } from '../options.js';
import { batchesOf } from './batches.js';
import { BODY_BYTES, OVERRUN_BYTES } from './limits.js';
import type { IngestOptions, IngestProgress } from './options.js';
import { noProgress, poster, send } from './sender.js';
import { bytesOf, type IngestSource } from './source.js';

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
  given: IngestOptions,
  configuration: Configuration,
): Promise<IngestProgress> {
  const options: IngestOptions = knownValues('option', given, OPTIONS);
  const { from = 0, maxBodyBytes: target = BODY_BYTES, gzip = true, onProgress, signal } = options;
  const { warn } = configuration.log;
  const totals = noProgress(from);
  const post = poster(configuration, options, gzip && globalThis.CompressionStream && gzipped);
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
