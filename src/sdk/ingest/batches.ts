import { type Batch, Batcher, type BatcherOptions } from './batcher.js';
import { Lines } from './lines.js';
import type { IngestProgress } from './options.js';

/**
 * Yields the lines of a source in batches, each with the position behind it. Skips lines up to `from`.
 * @param totals Counts the lines that are too long for any body.
 */
export async function* batchesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: BatcherOptions,
  from: number,
  totals: Pick<IngestProgress, 'skippedLines'>,
): AsyncGenerator<Batch<number>, void, undefined> {
  const batcher = new Batcher<number>(options);
  let position = 0;
  const lines = new Lines((line, length) => {
    position += length;
    if (!line) totals.skippedLines += 1;
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
