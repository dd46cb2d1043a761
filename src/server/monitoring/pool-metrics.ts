import type { Knex } from 'knex';
import prometheus, { type Registry } from 'prom-client';

/** The pools of a server. */
export interface Pools {
  readonly primary: Knex;
  readonly replica: Knex | null;
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
export function watchPools(registry: Registry, { primary, replica }: Pools): void {
  const pools = { primary, ...(replica && { replica }) };
  const gauge = (name: string, help: string, more: string[], values: (pool: Pool) => [object, number][]) =>
    new prometheus.Gauge({
      name,
      help,
      labelNames: ['pool', ...more],
      registers: [registry],
      collect() {
        for (const [pool, db] of Object.entries(pools))
          for (const [labels, value] of values(poolOf(db))) this.set({ pool, ...labels }, value);
      },
    });
  gauge('svc_database_pool_connections', 'Open connections to the database.', ['state'], (pool) => [
    [{ state: 'used' }, pool.numUsed()],
    [{ state: 'idle' }, pool.numFree()],
  ]);
  gauge('svc_database_pool_max_connections', 'Connections that the pool may open.', [], (pool) => [
    [{}, pool.max],
  ]);
  gauge('svc_database_pool_waiting', 'Statements that wait for a connection.', [], (pool) => [
    [{}, pool.numPendingAcquires()],
  ]);
}
