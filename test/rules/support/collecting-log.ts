import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Logger } from '../../../src/server/base/log.js';

export interface CollectingLog {
  readonly log: Logger;
  /** The lines so far, as they would be written. */
  readonly lines: string[];
}

/** A log at level trace that keeps its lines. */
export function collectingLog(): CollectingLog {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: pino({ level: 'trace', base: null }, stream), lines };
}
