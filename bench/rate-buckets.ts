/**
 * Buckets in the database, as servers that share keys need them, compared with buckets in memory: processor time of the
 * server per cached read, 32 connections with a key each, in turn in one run.
 *
 *   npm run build && node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/rate-buckets.ts
 */
import type { Result } from './support/bench.js';
import { printResults } from './support/print-results.js';
import { costs, written } from './support/read-servers.js';

const TARGET = 0.6;

export async function rateBuckets(options = { rounds: 7, seconds: 3 }): Promise<Result[]> {
  const { memory, database } = await costs(['memory', 'database'], options);
  const ratio = memory.micros / database.micros;
  return [
    {
      name: 'rate buckets in Postgres, many keys',
      measured: written(database),
      opponent: `in memory: ${written(memory)}`,
      ratio,
      target: `≥ ${TARGET} of memory`,
      met: ratio >= TARGET,
    },
  ];
}

if (import.meta.filename === process.argv[1]) printResults(await rateBuckets());
