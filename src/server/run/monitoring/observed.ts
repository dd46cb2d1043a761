/** Watches responses: one listener at their end, whatever handled them. */
import { performance } from 'node:perf_hooks';
import type { Logger } from '../../base/log.js';
import type { Handler } from '../../web/state.js';

interface Exchange {
  readonly method: string;
  /** The pattern of the route; undefined if no route has the path. */
  readonly route: string | undefined;
  readonly status: number;
  /** Whether the client closed the connection before the response was sent. */
  readonly aborted: boolean;
  readonly seconds: number;
  readonly requestId: string;
  /** The id of the key; undefined without a valid key. */
  readonly keyId: string | undefined;
}

export type Observer = (exchange: Exchange) => void;

/** Calls the observers at the end of each response. Without observers it costs nothing. */
export function observed(observers: readonly Observer[], handle: Handler): Handler {
  if (observers.length === 0) return handle;
  return (ctx) => {
    const startedAt = performance.now();
    const { res, req } = ctx;
    // It is emitted once; `once` would add a wrapper and remove it.
    res.on('close', () => {
      const { route, requestId, keyId } = ctx.state;
      const exchange: Exchange = {
        method: req.method ?? '',
        route,
        status: res.statusCode,
        aborted: !res.writableFinished,
        seconds: (performance.now() - startedAt) / 1000,
        requestId,
        keyId,
      };
      for (const observe of observers) observe(exchange);
    });
    return handle(ctx);
  };
}

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
