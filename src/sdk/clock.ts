/** The clock of the SDK. Tests replace it by a faster one. */
export interface Clock {
  /** Milliseconds; never decreases. */
  now(): number;
  /** Runs `callback` once after `ms` milliseconds; the returned function cancels that. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest delay of setTimeout. With a longer one, the callback runs immediately. */
export const LONGEST_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
