/**
 * A cached read through all gates, compared with a bare Koa and a bare node:http that send the same bytes: processor
 * time of the server per request, one process each, in turn in one run.
 *
 *   npm run build && node scripts/with-postgres.mjs node --import ts-blank-space/register bench/cached-reads.ts
 */
import type { Result } from './support/bench.js';
import { printResults } from './support/print-results.js';
import { costs, written } from './support/read-servers.js';

const TARGET = 0.7;
const MONITORED_TARGET = 0.85;

export async function cachedReads(options = { rounds: 7, seconds: 3 }): Promise<Result[]> {
  const { node, koa, memory, monitored } = await costs(['node', 'koa', 'memory', 'monitored'], options);
  const ofKoa = koa.micros / memory.micros;
  return [
    {
      name: 'cached read through all gates',
      measured: written(memory),
      opponent: `bare Koa: ${written(koa)}`,
      ratio: ofKoa,
      target: `≥ ${TARGET} of bare Koa`,
      met: ofKoa >= TARGET,
    },
    {
      name: 'cached read through all gates',
      measured: written(memory),
      opponent: `bare node:http: ${written(node)}`,
      ratio: node.micros / memory.micros,
      target: '',
      met: null,
    },
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
