/** The time of a collection. Tests replace it by one in which waits take none. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, type Stopwatch, systemStopwatch } from '../server/base/clock.js';

export interface Time {
  /** What the journal and the database state. */
  readonly clock: Clock;
  /** For waits, because the clock of the machine may be set. */
  readonly elapsed: Stopwatch;
  /** Ends early when the signal is aborted. */
  wait(milliseconds: number, stop: AbortSignal): Promise<void>;
}

/** The waits of the machine by a clock. */
export const timeBy = (clock: Clock): Time => ({
  clock,
  elapsed: systemStopwatch,
  wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => undefined),
});
