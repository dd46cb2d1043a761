/**
 * Collects checks of buckets in the database, so that all checks of one turn of the event loop, and all that arrive while
 * a statement is running, are one statement.
 */
import type { RateState } from '../queries/rate-buckets.js';
import { CAPACITY, remaining } from './token-bucket.js';

/** Takes `count` tokens from each bucket, or none from a bucket that holds fewer. */
export type TakeTokens = (
  wanted: readonly { readonly bucket: string; readonly count: number }[],
) => Promise<readonly (RateState & { readonly bucket: string })[]>;

interface Waiter {
  readonly resolve: (state: RateState) => void;
  readonly reject: (error: unknown) => void;
}

/** The checks of one bucket that have no answer yet, in the order of their arrival. */
interface Queue {
  readonly waiters: Waiter[];
  /** The most tokens that the next statement takes; less than the capacity if the last one asked for too many. */
  limit: number;
}

/** Returns a function that takes a token from a bucket. Its answers are those of single checks in the same order. */
export function batchedTakes(takeTokens: TakeTokens): (bucket: string) => Promise<RateState> {
  const queues = new Map<string, Queue>();
  let isRunning = false;

  async function run(): Promise<void> {
    while (queues.size > 0) await checkOnce(queues, takeTokens);
    isRunning = false;
  }

  return (bucket) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(bucket) ?? { waiters: [], limit: CAPACITY };
      queue.waiters.push({ resolve, reject });
      queues.set(bucket, queue);
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void run());
    });
}

/** Runs one statement for all queues. A failure is the answer to every check that waits for it; later ones go on waiting. */
async function checkOnce(queues: Map<string, Queue>, takeTokens: TakeTokens): Promise<void> {
  const asked = [...queues].map(([bucket, queue]) => ({
    bucket,
    queue,
    length: queue.waiters.length,
    count: Math.min(queue.waiters.length, queue.limit),
  }));
  try {
    const states = new Map((await takeTokens(asked)).map((state) => [state.bucket, state]));
    for (const { bucket, queue, length, count } of asked) settle(queue, length, count, states.get(bucket)!);
  } catch (error) {
    for (const { queue, length } of asked) {
      for (const { reject } of queue.waiters.splice(0, length)) reject(error);
    }
  }
  for (const { bucket, queue } of asked) if (queue.waiters.length === 0) queues.delete(bucket);
}

/**
 * Answers the first `length` checks of a queue after `count` tokens were asked for. Checks without an answer stay: they
 * need another statement, because the bucket still holds a token.
 */
function settle(queue: Queue, length: number, count: number, { tokens, at, granted }: RateState): void {
  const taken = granted ? count : 0;
  const whole = remaining({ tokens, at });
  for (let nth = 1; nth <= taken; nth++) {
    queue.waiters.shift()!.resolve({ tokens: tokens + taken - nth, at, granted: true });
  }
  queue.limit = granted ? CAPACITY : whole;
  if (whole > 0) return;
  queue.limit = CAPACITY;
  for (const { resolve } of queue.waiters.splice(0, length - taken)) resolve({ tokens, at, granted: false });
}
