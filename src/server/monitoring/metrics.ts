/**
 * The metrics of a server for Prometheus, named by its conventions. Labels have few values: routes and never paths, brands or
 * keys.
 */
import prometheus, { type Registry } from 'prom-client';
import { API_VERSION } from '../../contract/versions.js';
import type { Ingested } from '../ingest/routes.js';
import { type CacheCounts, watchCache } from './cache-metrics.js';
import { countRequests } from './http-metrics.js';
import { countIngest } from './ingest-metrics.js';
import type { Observer } from './observed.js';
import { type Pools, watchPools } from './pool-metrics.js';

/** What a server reports while it runs. */
export interface ServerMetrics {
  readonly registry: Registry;
  readonly observe: Observer;
  readonly ingested: Ingested;
  watchPools(pools: Pools): void;
  watchCache(counts: CacheCounts): void;
}

/** The metrics of a process that serves requests. */
export function serverMetrics(): ServerMetrics {
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  new prometheus.Gauge({
    name: 'svc_build_info',
    help: 'Always 1; the label has the version of the API.',
    labelNames: ['api_version'],
    aggregator: 'first',
    registers: [registry],
  }).set({ api_version: API_VERSION }, 1);
  return {
    registry,
    observe: countRequests(registry),
    ingested: countIngest(registry),
    watchPools: (pools) => watchPools(registry, pools),
    watchCache: (counts) => watchCache(registry, counts),
  };
}
