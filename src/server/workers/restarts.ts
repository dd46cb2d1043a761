/** How long to wait before a worker that ended is started again. */

/** A worker that ran for this long counts as sound. */
const SOUND_AFTER_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

/** How often in a row the worker has ended soon after its start, now that it has ended after `ranMs`. */
export const failuresAfter = (failures: number, ranMs: number): number =>
  ranMs >= SOUND_AFTER_MS ? 1 : failures + 1;

/** Doubles from 100 ms up to 30 s. */
export const pauseAfter = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
