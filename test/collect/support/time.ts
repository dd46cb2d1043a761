import { setImmediate as turn } from 'node:timers/promises';
import type { Time } from '../../../src/collect/time.js';

/** Time in which a wait takes a turn of the event loop, and everyone who waits for the same moment goes on with it. */
export function timeWithoutWaits(): Time {
  let elapsed = 0;
  return {
    clock: () => new Date(),
    elapsed: () => elapsed,
    wait: async (milliseconds) => {
      elapsed += milliseconds;
      await turn();
    },
  };
}
