/** The embedded database beside everything else that its process does. */
import type { PGlite } from '@electric-sql/pglite';

const SIMPLE_QUERY = 'Q'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);

/**
 * The embedded database as the driver uses it, with a turn of the event loop before the last message of every query:
 * its queries resolve in microtasks, so a row of them would keep everything else in the process waiting.
 */
export function givingWay(pglite: PGlite): Pick<PGlite, 'waitReady' | 'execProtocolStream'> {
  return {
    waitReady: pglite.waitReady,
    execProtocolStream: async (message, options) => {
      if (message[0] === SIMPLE_QUERY || message[0] === SYNC) await new Promise(setImmediate);
      return pglite.execProtocolStream(message, options);
    },
  };
}
