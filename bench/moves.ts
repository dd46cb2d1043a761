/**
 * The cost of looking for moves, as every night and every import do: of a large brand against a small one, measured in turn in one run.
 *
 *   node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/moves.ts [runs …]
 *
 * BENCH_DATABASE_URL names a database that keeps the brands.
 */

import { brandOfMoves, movesOfRuns } from '../src/server/alerts/moves/tell.js';
import { addDays, windowEnding } from '../src/server/base/days.js';
import { migrate, openDatabase } from '../src/server/database/database.js';
import { brandWith } from './cold-reads.js';
import { costOf, type Result } from './support/bench.js';
import { createDatabaseUrl } from './support/database-url.js';
import { printResults } from './support/print-results.js';

/** The most that the large brand may cost, in multiples of the small one: roll-ups have as many rows of both. */
const GROWTH = 1.5;
const NIGHTS = 28;

/** Compares the largest brand with the smallest. */
export async function moves(sizes: readonly number[], url?: string, rounds = 5): Promise<Result[]> {
  const database = await openDatabase({ url: url ?? (await createDatabaseUrl()) });
  await migrate(database.knex);
  const [small, large] = [sizes[0]!, sizes.at(-1)!];
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const searches: (() => Promise<unknown>)[] = [];
  for (const size of [small, large]) {
    const { brand, today } = await brandWith(database, size);
    const [found] = await brandOfMoves(database.knex, { brandKey: brand.key });
    const nights = windowEnding(addDays(today, -1), NIGHTS);
    searches.push(() => movesOfRuns(database.knex, found!, nights));
  }
  for (let round = 0; round <= rounds; round++) {
    for (const [at, search] of searches.entries()) {
      const began = performance.now();
      await search();
      // The first round reads from the disk.
      if (round > 0) least[at] = Math.min(least[at]!, performance.now() - began);
    }
  }
  await database.close();
  const [few, many] = least;
  const growth = { unit: 'ms', target: GROWTH };
  return [costOf(`moves of ${NIGHTS} nights, ${large} runs`, many!, `${small} runs`, few!, growth)];
}

if (import.meta.filename === process.argv[1]) {
  const sizes = process.argv.slice(2).map(Number);
  const { BENCH_DATABASE_URL: url } = process.env;
  printResults(await moves(sizes.length > 0 ? sizes : [100_000, 1_000_000], url));
}
