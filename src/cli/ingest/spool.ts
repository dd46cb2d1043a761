import type { Chunk } from './log-file.js';

export interface SpoolOptions {
  /** Bytes that may wait; a chunk more may come in. */
  readonly limit: number;
  /** Called when so many wait for the first time; reading stops while they do. */
  readonly onFull: () => void;
}

/**
 * The chunks of a source, which is read on while nobody takes them, in memory up to a limit: a log that is followed may be
 * rotated away while sending waits. Ends with the source; what was read before is given first.
 */
export async function* spooled(
  source: AsyncIterable<Chunk>,
  { limit, onFull }: SpoolOptions,
): AsyncGenerator<Chunk> {
  const waiting: Chunk[] = [];
  let size = 0;
  let isLeft = false;
  let wasFull = false;
  let wake = () => {};
  // Never both sides wait: one for room, the other for chunks.
  const change = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  async function fill(): Promise<void> {
    for await (const chunk of source) {
      waiting.push(chunk);
      size += chunk.bytes.length;
      wake();
      if (size >= limit && !wasFull) {
        wasFull = true;
        onFull();
      }
      while (size >= limit && !isLeft) await change();
      if (isLeft) return;
    }
  }

  let end: { readonly error?: unknown } | undefined;
  fill().then(
    () => {
      end = {};
      wake();
    },
    (error: unknown) => {
      end = { error };
      wake();
    },
  );
  try {
    for (;;) {
      const chunk = waiting.shift();
      if (chunk !== undefined) {
        size -= chunk.bytes.length;
        wake();
        yield chunk;
      } else if (end === undefined) await change();
      else if ('error' in end) throw end.error;
      else return;
    }
  } finally {
    isLeft = true;
    wake();
  }
}
