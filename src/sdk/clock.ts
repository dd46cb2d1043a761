/** Time as the SDK sees it; a test gives one that runs faster. */
export interface Clock {
  /** Milliseconds on a scale that never runs backwards. */
  now(): number;
  /** Runs `callback` once after `ms` milliseconds; the returned function takes that back. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest delay that setTimeout takes; beyond it the callback would run at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
