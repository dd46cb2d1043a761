/**
 * The cost of a read before it is cached, for brands of several sizes in one database, measured in turn in one run.
 *
 *   node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/cold-reads.ts [runs …]
 *
 * The brands are imported first, which takes minutes; BENCH_DATABASE_URL names a database that keeps them.
 */

import { engineIds } from '../src/contract/engines.js';
import { type ReadName, readNames, reads } from '../src/contract/registry.js';
import { runFilterNames } from '../src/contract/slice.js';
import { findBrand, OPERATOR } from '../src/server/accounts/access.js';
import { parseParams } from '../src/server/answers/parameters.js';
import { readers } from '../src/server/answers/reads/index.js';
import type { ReadContext, Reader } from '../src/server/answers/reads/reader.js';
import { addDays } from '../src/server/base/days.js';
import { createRobotsChecks } from '../src/server/base/robots/fetch.js';
import { type Database, migrate, openDatabase } from '../src/server/database/database.js';
import { importRecords } from '../src/server/intake/dataset/import.js';
import { costOf, type Result } from './support/bench.js';
import { createDatabaseUrl } from './support/database-url.js';
import { least } from './support/least.js';
import { printResults } from './support/print-results.js';
import { brandOf, catalogOf, dailyStatsOf, runsOf } from './support/synthetic.js';

const TODAY = '2026-11-20';
const NOW = new Date(`${TODAY}T12:00:00Z`);

/** No robots.txt is fetched: the domain of the brands does not exist. */
const robots = createRobotsChecks(() => NOW, { allowPrivate: false, timeoutMs: 1 });

/** A brand with so many runs, imported unless the database has it. */
export async function brandWith({ knex }: Database, runs: number): Promise<ReadContext> {
  const id = brandOf(runs);
  if (typeof (await findBrand(knex, OPERATOR, id)) === 'string') {
    console.error(`importing ${runs} runs …`);
    await importRecords(knex, catalogOf(id), { now: NOW });
    await importRecords(knex, runsOf(id, runs, TODAY), { now: NOW });
  }
  await importRecords(knex, dailyStatsOf(id, TODAY), { now: NOW });
  const brand = await findBrand(knex, OPERATOR, id);
  if (typeof brand === 'string') throw new Error(`${id} was not imported`);
  return { db: knex, access: OPERATOR, brand, today: TODAY, now: NOW, robots, page: null };
}

/** A read and its parameters, as in a query string. */
export interface Request {
  readonly read: ReadName;
  readonly query?: Record<string, string>;
  /** The most that it may cost for the large brand, in multiples of the small one; if omitted, that of the read. */
  readonly target?: number;
}

/** The most that a read of the large brand may cost, in multiples of the small one. */
const TARGETS: { readonly [N in ReadName]?: number } = {
  overview: 1.5,
  competitors: 1.5,
  history: 1.5,
  why: 1.5,
  gaps: 2.5,
  sources: 2.5,
  urls: 2,
  'content-coverage': 2.5,
};

const history = { metric: 'visibility', competitors: 'true' };
const yearAgo = addDays(TODAY, -365);
const requests: Request[] = [
  // A briefing computes nothing of its own.
  ...readNames.filter((read) => !['history', 'answer', 'briefing'].includes(read)).map((read) => ({ read })),
  { read: 'answer', query: { run_id: 'r1' } },
  { read: 'history', query: { ...history, days: '56' } },
  { read: 'history', query: { ...history, engine: 'chatgpt', from: yearAgo, to: TODAY } },
  // That by prompt is among all reads.
  { read: 'why', query: { by: 'engine' } },
  { read: 'why', query: { by: 'tag' } },
  { read: 'why', query: { by: 'region' } },
  { read: 'why', query: { metric: 'share_of_voice_fraction', by: 'prompt' } },
  { read: 'why', query: { metric: 'share_of_voice_fraction', by: 'rival' } },
  { read: 'why', query: { metric: 'citation_share', by: 'domain' } },
  { read: 'why', query: { metric: 'citation_share', by: 'page' } },
  // Domains to win are among all reads.
  { read: 'gaps', query: { kind: 'lost_pages' } },
  { read: 'gaps', query: { kind: 'within_reach' } },
  { read: 'gaps', query: { kind: 'absent' } },
  { read: 'gaps', query: { kind: 'crawl' } },
  // Slices that roll-ups serve, and slices that are summed from runs: of one prompt of 200, of one tag of eight, and of a third.
  { read: 'overview', query: { engine: 'chatgpt' } },
  { read: 'sources', query: { engine: engineIds.join(',') }, target: 2.5 },
  { read: 'why', query: { metric: 'citation_share', by: 'domain', engine: engineIds.join(',') } },
  { read: 'why', query: { metric: 'citation_share', by: 'page', engine: engineIds.join(',') } },
  { read: 'overview', query: { from: addDays(TODAY, -27), to: TODAY } },
  { read: 'overview', query: { prompt: 'p3' } },
  { read: 'overview', query: { tag: 'tag3' } },
  { read: 'overview', query: { region: 'us' } },
  { read: 'competitors', query: { tag: 'tag3' } },
  { read: 'prompts', query: { engine: 'chatgpt' } },
  { read: 'sources', query: { tag: 'tag3' }, target: 2.5 },
  { read: 'urls', query: { tag: 'tag3' }, target: 2.5 },
  { read: 'answers', query: { tag: 'tag3', engine: 'chatgpt' } },
  { read: 'history', query: { ...history, days: '28', tag: 'tag3' } },
];

async function timed({ read, query = {} }: Request, context: ReadContext): Promise<number> {
  const params = parseParams(reads[read].params, query);
  const start = performance.now();
  await (readers[read] as Reader<ReadName>)(context, params as never);
  return performance.now() - start;
}

/** Whether the runs of the slice are read, so that the cost grows with them. */
const isSummed = ({ query = {} }: Request): boolean =>
  Object.keys(query).some((name) => (runFilterNames as string[]).includes(name));

/** Milliseconds of a read for each brand: the least of rounds in turn. */
export async function compared(
  request: Request,
  brands: readonly ReadContext[],
  rounds: number,
): Promise<number[]> {
  const times = brands.map(() => [] as number[]);
  // The first round plans and warms up.
  for (let round = -1; round < rounds; round++) {
    for (const [at, brand] of brands.entries()) {
      const took = await timed(request, brand);
      if (round >= 0) times[at]!.push(took);
    }
  }
  return times.map(least);
}

/** What each read costs at each size, in milliseconds. */
export interface Growth {
  readonly sizes: readonly number[];
  readonly reads: readonly { readonly name: string; readonly ms: readonly number[] }[];
}

export const nameOf = ({ read, query }: Request): string =>
  `${read}${query ? ` ${new URLSearchParams(query)}` : ''}`;

/** Compares the largest brand with the smallest. */
export async function coldReads(
  sizes: readonly number[],
  url?: string,
  rounds = 5,
): Promise<{ results: Result[]; growth: Growth }> {
  const database = await openDatabase({ url: url ?? (await createDatabaseUrl()) });
  await migrate(database.knex);
  const brands: ReadContext[] = [];
  for (const size of sizes) brands.push(await brandWith(database, size));
  const measured: (Request & { readonly ms: readonly number[] })[] = [];
  for (const request of requests) measured.push({ ...request, ms: await compared(request, brands, rounds) });
  await database.close();
  const [small, large] = [sizes[0]!, sizes.at(-1)!];
  const results = measured.map(({ ms, ...request }) =>
    costOf(`cold ${nameOf(request)}, ${large} runs`, ms.at(-1)!, `${small} runs`, ms[0]!, {
      unit: 'ms',
      digits: 2,
      target: request.target ?? (isSummed(request) ? undefined : TARGETS[request.read]),
    }),
  );
  return { results, growth: { sizes, reads: measured.map((each) => ({ name: nameOf(each), ms: each.ms })) } };
}

if (import.meta.filename === process.argv[1]) {
  const sizes = process.argv.slice(2).map(Number);
  const { BENCH_DATABASE_URL: url } = process.env;
  printResults((await coldReads(sizes.length > 0 ? sizes : [100_000, 1_000_000], url)).results);
}
