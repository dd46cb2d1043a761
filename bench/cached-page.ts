/**
 * The cached page of a brand, compared with a cached read: processor time of the server per request, one process each, in
 * turn in one run.
 *
 *   npm run build && node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/cached-page.ts
 */
import type { Result } from './support/bench.js';
import { printResults } from './support/print-results.js';
import { costs, written } from './support/read-servers.js';

/** A page may cost as much as three reads. */
const TARGET = 1 / 3;

export async function cachedPage(options = { rounds: 5, seconds: 3 }): Promise<Result[]> {
  const { memory, page } = await costs(['memory', 'page'], options);
  const ratio = memory.micros / page.micros;
  return [
    {
      name: 'cached page of a brand',
      measured: written(page),
      opponent: `cached read: ${written(memory)}`,
      ratio,
      target: `≥ ${TARGET.toFixed(2)} of it`,
      met: ratio >= TARGET,
    },
  ];
}

if (import.meta.filename === process.argv[1]) printResults(await cachedPage());
