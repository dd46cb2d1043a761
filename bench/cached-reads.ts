/**
 * A cached read through all gates, compared with a bare Koa and a bare node:http that send the same bytes, and with a
 * Fastify that does the same work: processor time of the server per request, one process each, in turn in one run.
 *
 *   npm run build && node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/cached-reads.ts
 */
import type { Result } from './support/bench.js';
import { printResults } from './support/print-results.js';
import { type Cost, costs, written } from './support/read-servers.js';

const TARGET = 0.7;
const MONITORED_TARGET = 0.85;

export async function cachedReads(options = { rounds: 7, seconds: 3 }): Promise<Result[]> {
  const measured = await costs(
    ['node', 'koa', 'koa-with-headers', 'fastify', 'memory', 'monitored'],
    options,
  );
  const { node, koa, fastify, memory, monitored } = measured;
  const against = (name: string, other: Cost, target?: number): Result => ({
    name: 'cached read through all gates',
    measured: written(memory),
    opponent: `${name}: ${written(other)}`,
    ratio: other.micros / memory.micros,
    target: target === undefined ? '' : `≥ ${target} of it`,
    met: target === undefined ? null : other.micros / memory.micros >= target,
  });
  return [
    against('bare Koa', koa, TARGET),
    against('bare Koa that sets the same headers', measured['koa-with-headers']),
    against('Fastify with the same work', fastify),
    against('bare node:http', node),
    {
      name: 'cached read with metrics',
      measured: written(monitored),
      opponent: `without: ${written(memory)}`,
      ratio: memory.micros / monitored.micros,
      target: `≥ ${MONITORED_TARGET} of without`,
      met: memory.micros / monitored.micros >= MONITORED_TARGET,
    },
  ];
}

if (import.meta.filename === process.argv[1]) printResults(await cachedReads());
