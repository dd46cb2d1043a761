import prometheus, { type Registry } from 'prom-client';
import { crawlerEvents } from '../../contract/crawler-events.js';
import type { Observer } from './observed.js';

/** From a cached read to a long log. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Clients may send any of Node's methods. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** Counts requests, their duration and refusals by the rate limit. Each series is looked up once. */
export function countRequests(registry: Registry): Observer {
  const registers = [registry];
  const requests = new prometheus.Counter({
    name: 'svc_http_requests_total',
    help: 'Requests by route and status; aborted: the client closed the connection before the response.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new prometheus.Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers,
  });
  const refusals = new prometheus.Counter({
    name: 'svc_rate_limit_refusals_total',
    help: 'Requests that were refused because the bucket of their key was empty.',
    labelNames: ['surface'],
    registers,
  });
  const seriesOf = memoised((method: string) =>
    memoised((route: string) => {
      const surface = route.endsWith(`/${crawlerEvents.name}`) ? 'ingest' : 'reads';
      return memoised((status: number | 'aborted') => ({
        request: requests.labels(method, route, String(status)),
        duration: durations.labels(method, route),
        refusal: status === 429 ? refusals.labels(surface) : null,
      }));
    }),
  );
  return ({ method, route = 'unknown', status, aborted, seconds }) => {
    const known = METHODS.has(method) ? method : 'other';
    const { request, duration, refusal } = seriesOf(known)(route)(aborted ? 'aborted' : status);
    request.inc();
    duration.observe(seconds);
    refusal?.inc();
  };
}

function memoised<K, T extends object>(make: (name: K) => T): (name: K) => T {
  const made = new Map<K, T>();
  return (name) => {
    const found = made.get(name);
    if (found) return found;
    const result = make(name);
    made.set(name, result);
    return result;
  };
}
