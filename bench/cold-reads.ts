/**
 * The cost of a read before it is cached, for brands with 100,000 and 1,000,000 runs, measured in turn in one run.
 *
 *   node scripts/with-postgres.mjs node --import ts-blank-space/register bench/cold-reads.ts [small] [large]
 *
 * The two brands are imported first, which takes minutes; BENCH_DATABASE_URL names a database that keeps them.
 */

import { type ReadName, readNames, reads } from '../src/contract/registry.js';
import type { Access } from '../src/server/accounts/access.js';
import { findBrand } from '../src/server/accounts/find-brand.js';
import { type Database, migrate, openDatabase } from '../src/server/database/database.js';
import { importRecords } from '../src/server/dataset/import.js';
import { addDays } from '../src/server/days.js';
import { parseParams } from '../src/server/parameters.js';
import { readers } from '../src/server/reads/index.js';
import type { ReadContext, Reader } from '../src/server/reads/reader.js';
import { createRobotsChecks } from '../src/server/robots/robots-checks.js';
import type { Result } from './support/bench.js';
import { createDatabaseUrl } from './support/database-url.js';
import { median } from './support/median.js';
import { printResults } from './support/print-results.js';
import { catalogOf, dailyStatsOf, runsOf } from './support/synthetic.js';

const TODAY = '2026-11-20';
const NOW = new Date(`${TODAY}T12:00:00Z`);

const access: Access = {
  keyId: 'bench',
  kind: 'operator',
  workspaceId: null,
  plan: null,
  brandIds: null,
  expiresAt: null,
  allow: null,
};

/** No robots.txt is fetched: the domain of the brands does not exist. */
const robots = createRobotsChecks(() => NOW, { allowPrivate: false, timeoutMs: 1 });

/** A brand with so many runs, imported unless the database has it. */
async function brandWith({ knex }: Database, runs: number): Promise<ReadContext> {
  const id = `b${runs}`;
  if (typeof (await findBrand(knex, access, id)) === 'string') {
    console.error(`importing ${runs} runs …`);
    await importRecords(knex, catalogOf(id), { now: NOW });
    await importRecords(knex, runsOf(id, runs, TODAY), { now: NOW });
    await importRecords(knex, dailyStatsOf(id, TODAY), { now: NOW });
  }
  const brand = await findBrand(knex, access, id);
  if (typeof brand === 'string') throw new Error(`${id} was not imported`);
  return { db: knex, access, brand, today: TODAY, now: NOW, robots, page: null };
}

/** A read and its parameters, as in a query string. */
interface Request {
  readonly read: ReadName;
  readonly query?: Record<string, string>;
}

/** The most that a read of the large brand may cost, in multiples of the small one. */
const TARGETS: { readonly [N in ReadName]?: number } = {
  overview: 1.5,
  competitors: 1.5,
  history: 1.5,
  sources: 2.5,
  urls: 2,
};

const history = { metric: 'visibility', competitors: 'true' };
const yearAgo = addDays(TODAY, -365);
const requests: Request[] = [
  ...readNames.filter((read) => read !== 'history').map((read) => ({ read })),
  { read: 'history', query: { ...history, days: '56' } },
  { read: 'history', query: { ...history, engine: 'chatgpt', from: yearAgo, to: TODAY } },
];

async function timed({ read, query = {} }: Request, context: ReadContext): Promise<number> {
  const params = parseParams(reads[read].params, query);
  const start = performance.now();
  await (readers[read] as Reader<ReadName>).compute(context, params as never);
  return performance.now() - start;
}

async function compared(request: Request, brands: readonly [ReadContext, ReadContext], rounds: number) {
  const times: [number[], number[]] = [[], []];
  // The first round plans and warms up.
  for (let round = -1; round < rounds; round++) {
    for (const [at, brand] of brands.entries()) {
      const took = await timed(request, brand);
      if (round >= 0) times[at]!.push(took);
    }
  }
  return { small: median(times[0]), large: median(times[1]) };
}

export async function coldReads({ small = 100_000, large = 1_000_000, rounds = 15 } = {}): Promise<Result[]> {
  const database = await openDatabase({ url: process.env.BENCH_DATABASE_URL ?? (await createDatabaseUrl()) });
  await migrate(database.knex);
  const brands = [await brandWith(database, small), await brandWith(database, large)] as const;
  const results: Result[] = [];
  for (const request of requests) {
    const took = await compared(request, brands, rounds);
    const ratio = took.large / took.small;
    const target = TARGETS[request.read];
    results.push({
      name: `cold ${request.read}${request.query ? ` ${new URLSearchParams(request.query)}` : ''}`,
      measured: `${took.large.toFixed(2)} ms with ${large} runs`,
      opponent: `${took.small.toFixed(2)} ms with ${small} runs`,
      ratio,
      target: target === undefined ? '' : `≤ ${target} ×`,
      met: target === undefined ? null : ratio <= target,
    });
  }
  await database.close();
  return results;
}

if (import.meta.filename === process.argv[1]) {
  const [small, large] = process.argv.slice(2).map(Number);
  printResults(await coldReads({ ...(small && { small }), ...(large && { large }) }));
}
