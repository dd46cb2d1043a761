import prometheus, { type Registry } from 'prom-client';

/** Counted by the cache itself, because a counter of prom-client costs more than a look-up. */
export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}

/** Reads the counts of the cache at each scrape. */
export function watchCache(registry: Registry, counts: CacheCounts): void {
  new prometheus.Counter({
    name: 'svc_read_cache_requests_total',
    help: 'Reads that were answered from the cache (hit), or computed (miss).',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ result: 'hit' }, counts.hits);
      this.inc({ result: 'miss' }, counts.misses);
    },
  });
}
