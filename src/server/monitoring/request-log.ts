import type { Logger } from '../log.js';
import type { Observer } from './observed.js';

/** The levels at which each request is logged. */
const DETAILED = ['trace', 'debug'];

/**
 * Logs a line per request at level debug, without the path and the query, which may contain anything.
 * @returns undefined if the level logs no such lines.
 */
export const requestLog = (log: Logger, level: string): Observer | undefined =>
  DETAILED.includes(level)
    ? ({ seconds, ...exchange }) =>
        log.debug({ ...exchange, ms: Math.round(seconds * 1e6) / 1000 }, 'request')
    : undefined;
