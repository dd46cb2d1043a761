import type { Knex } from 'knex';
import prometheus, { type Registry } from 'prom-client';

/** The pools of a server by the value of their label. */
export type Pools = Readonly<Record<string, WatchedPool>>;

interface WatchedPool {
  readonly db: Knex;
  /** The reads that use it in turns; absent: none do. */
  readonly reads?: { readonly waiting: number };
}

/** The methods of the pool of knex, which its types omit. */
interface Pool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

const poolOf = (db: Knex): Pool => db.client.pool;

/** Reads the state of the pools at each scrape. */
export function watchPools(registry: Registry, pools: Pools): void {
  const gauge = (
    name: string,
    help: string,
    more: string[],
    values: (pool: Pool, watched: WatchedPool) => [object, number][],
  ) =>
    new prometheus.Gauge({
      name,
      help,
      labelNames: ['pool', ...more],
      registers: [registry],
      collect() {
        for (const [pool, watched] of Object.entries(pools))
          for (const [labels, value] of values(poolOf(watched.db), watched))
            this.set({ pool, ...labels }, value);
      },
    });
  gauge('svc_database_pool_connections', 'Open connections to the database.', ['state'], (pool) => [
    [{ state: 'used' }, pool.numUsed()],
    [{ state: 'idle' }, pool.numFree()],
  ]);
  gauge('svc_database_pool_max_connections', 'Connections that the pool may open.', [], (pool) => [
    [{}, pool.max],
  ]);
  gauge(
    'svc_database_pool_waiting',
    'Statements that wait for a connection, and reads that wait for their turn to use one.',
    [],
    (pool, { reads }) => [[{}, pool.numPendingAcquires() + (reads?.waiting ?? 0)]],
  );
}
