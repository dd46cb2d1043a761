/**
 * A cached read through all gates, compared with a bare Koa and a bare node:http that send the same bytes, and with a
 * Fastify that does the same work; the same read with metrics and with buckets in the database, as servers that share keys
 * need them; and the cached page of a brand. Processor time of the server per request, 32 connections with a key each, one
 * process each, three of those whose ratio is close to its target, in turn in one run.
 *
 *   npm run build && node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/cached-reads.ts
 */
import type { Result } from './support/bench.js';
import { printResults } from './support/print-results.js';
import { type Cost, costs, written } from './support/read-servers.js';

/** Servers whose ratio is close to its target. */
const CLOSE = ['memory', 'monitored'] as const;

const READ = 'cached read through all gates';

/** A cost next to that of an opponent, and the least that the opponent's cost may be of it. */
function against(name: string, own: Cost, opponent: string, other: Cost, least?: [number, string]): Result {
  const ratio = other.micros / own.micros;
  return {
    name,
    measured: written(own),
    opponent: `${opponent}: ${written(other)}`,
    ratio,
    target: least === undefined ? '' : `≥ ${least[0]} of ${least[1]}`,
    met: least === undefined ? null : ratio >= least[0],
  };
}

export async function cachedReads(options = { rounds: 5, seconds: 1 }): Promise<Result[]> {
  const of = await costs(
    ['node', 'koa', 'koa-with-headers', 'fastify', 'database', 'page', ...CLOSE, ...CLOSE, ...CLOSE],
    options,
  );
  return [
    against(READ, of.memory, 'bare Koa', of.koa, [0.7, 'it']),
    against(READ, of.memory, 'bare Koa that sets the same headers', of['koa-with-headers']),
    against(READ, of.memory, 'Fastify with the same work', of.fastify),
    against(READ, of.memory, 'bare node:http', of.node),
    against('cached read with metrics', of.monitored, 'without', of.memory, [0.85, 'without']),
    against('rate buckets in Postgres, many keys', of.database, 'in memory', of.memory, [0.6, 'memory']),
    // A page may cost as much as three reads.
    against('cached page of a brand', of.page, 'cached read', of.memory, [0.33, 'it']),
  ];
}

if (import.meta.filename === process.argv[1]) printResults(await cachedReads());
