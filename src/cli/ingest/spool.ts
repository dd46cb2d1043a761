import type { Chunk } from './log-file.js';

export interface SpoolOptions {
  /** The most bytes in memory; one chunk may exceed it. */
  readonly limit: number;
  /** Called when the limit is reached for the first time; reading stops until there is room. */
  readonly onFull: () => void;
}

/**
 * Yields the chunks of a source and reads ahead into memory up to a limit, because a followed log may be rotated away
 * while sending waits. Ends after the last chunk of the source.
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
  // The reader waits for room, the consumer waits for chunks; they never wait at the same time.
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
