/** Runs the embedded database without blocking the rest of the process. */
import type { PGlite } from '@electric-sql/pglite';

const SIMPLE_QUERY = 'Q'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);

/**
 * Wraps the embedded database for the driver and yields to the event loop before the last message of every query. Its
 * queries resolve in microtasks, so that a sequence of them would block everything else in the process.
 */
export function yieldingPglite(pglite: PGlite): Pick<PGlite, 'waitReady' | 'execProtocolStream'> {
  return {
    waitReady: pglite.waitReady,
    execProtocolStream: async (message, options) => {
      if (message[0] === SIMPLE_QUERY || message[0] === SYNC) await new Promise(setImmediate);
      return pglite.execProtocolStream(message, options);
    },
  };
}
