/**
 * The cost of a slice before it is cached: of a large brand against a small one, and against the plain read of the large one,
 * measured in turn in one run.
 *
 *   node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/slices.ts [runs …]
 *
 * BENCH_DATABASE_URL names a database that keeps the brands.
 */

import type { ReadContext } from '../src/server/answers/reads/reader.js';
import { migrate, openDatabase } from '../src/server/database/database.js';
import { brandWith, compared, nameOf, type Request } from './cold-reads.js';
import { atMost, costOf, type Result } from './support/bench.js';
import { createDatabaseUrl } from './support/database-url.js';
import { printResults } from './support/print-results.js';

const history = { metric: 'visibility', competitors: 'true', days: '28' };
const plain: readonly Request[] = [
  { read: 'overview' },
  { read: 'competitors' },
  { read: 'history', query: history },
];

/** One value of each: a tag has an eighth of the prompts, a topic a tenth, a region a third of the runs, a surface half. */
const choices: readonly Record<string, string>[] = [
  { tag: 'tag3' },
  { topic: 't3' },
  { prompt: 'p3' },
  { prompt: 'p3,p7,p9,p11,p13' },
  { region: 'us' },
  { surface: 'ui' },
];
const twoDimensions: readonly Record<string, string>[] = [
  { tag: 'tag3', engine: 'chatgpt' },
  { tag: 'tag3', region: 'us' },
  { region: 'us', engine: 'chatgpt' },
];

/** The most that a slice of the large brand may cost, in multiples of that of the small one, and of the plain read. */
const GROWTH = 1.5;
const OF_PLAIN = 3;
const TWO_DIMENSIONS_MS = 100;

/** Compares the largest brand with the smallest. */
export async function slices(sizes: readonly number[], url?: string, rounds = 7): Promise<Result[]> {
  const database = await openDatabase({ url: url ?? (await createDatabaseUrl()) });
  await migrate(database.knex);
  const brands: ReadContext[] = [];
  for (const size of [sizes[0]!, sizes.at(-1)!]) brands.push(await brandWith(database, size));
  const [small, large] = [sizes[0]!, sizes.at(-1)!];
  const growth = { unit: 'ms', digits: 2, target: GROWTH };
  const results: Result[] = [];
  for (const each of plain) {
    for (const choice of choices) {
      const request = { ...each, query: { ...each.query, ...choice } };
      // Next to the plain read, because the machine may be slower at another time.
      const [, whole] = await compared(each, brands, rounds);
      const [few, many] = await compared(request, brands, rounds);
      const name = `${nameOf(request)}, ${large} runs`;
      results.push(
        costOf(name, many!, `${small} runs`, few!, growth),
        costOf(name, many!, 'the plain read', whole!, { ...growth, target: OF_PLAIN }),
      );
    }
  }
  const ofEngine: Request = { read: 'prompts', query: { engine: 'chatgpt' } };
  const [few, many] = await compared(ofEngine, brands, rounds);
  results.push(costOf(`${nameOf(ofEngine)}, ${large} runs`, many!, `${small} runs`, few!, growth));
  for (const { read } of plain.slice(0, 2)) {
    for (const query of twoDimensions) {
      const [, took] = await compared({ read, query }, brands, rounds);
      results.push(atMost(`${nameOf({ read, query })}, ${large} runs`, took!, TWO_DIMENSIONS_MS, 'ms'));
    }
  }
  await database.close();
  return results;
}

if (import.meta.filename === process.argv[1]) {
  const sizes = process.argv.slice(2).map(Number);
  const { BENCH_DATABASE_URL: url } = process.env;
  printResults(await slices(sizes.length > 0 ? sizes : [100_000, 1_000_000], url));
}
