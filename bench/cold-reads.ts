/**
 * The cost of a read before it is cached, for brands with 100,000 and 1,000,000 runs, measured in turn in one run.
 *
 *   node scripts/with-postgres.mjs node --import tsx/esm bench/cold-reads.ts [small] [large]
 *
 * The two brands are imported first, which takes minutes; BENCH_DATABASE_URL names a database that keeps them.
 */

import { type ReadName, readNames, reads } from '../src/contract/registry.js';
import type { Access } from '../src/server/accounts/access.js';
import { findBrand } from '../src/server/accounts/find-brand.js';
import { migrate, openDatabase } from '../src/server/database/database.js';
import { importRecords } from '../src/server/dataset/import.js';
import { addDays } from '../src/server/days.js';
import { parseParams } from '../src/server/parameters.js';
import { readers } from '../src/server/reads/index.js';
import type { ReadContext, Reader } from '../src/server/reads/reader.js';
import { createRobotsChecks } from '../src/server/robots/robots-checks.js';
import { createDatabaseUrl } from './support/database-url.js';
import { median } from './support/median.js';
import { catalogOf, dailyStatsOf, runsOf } from './support/synthetic.js';

const TODAY = '2026-11-20';
const NOW = new Date(`${TODAY}T12:00:00Z`);
const ROUNDS = 15;
const [small = 100_000, large = 1_000_000] = process.argv.slice(2).map(Number);

const url = process.env.BENCH_DATABASE_URL ?? (await createDatabaseUrl());
const database = await openDatabase({ url });
await migrate(database.knex);

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

async function scopeWith(runs: number): Promise<ReadContext> {
  const id = `b${runs}`;
  if (typeof (await findBrand(database.knex, access, id)) === 'string') {
    console.error(`importing ${runs} runs …`);
    await importRecords(database.knex, catalogOf(id), { now: NOW });
    await importRecords(database.knex, runsOf(id, runs, TODAY), { now: NOW });
    await importRecords(database.knex, dailyStatsOf(id, TODAY), { now: NOW });
  }
  const brand = await findBrand(database.knex, access, id);
  if (typeof brand === 'string') throw new Error(`${id} was not imported`);
  return { db: database.knex, access, brand, today: TODAY, now: NOW, robots, page: null };
}

/** A read and its parameters, as in a query string. */
interface Question {
  readonly read: ReadName;
  readonly query?: Record<string, string>;
  /** Points of a series, if the cost is also reported per point. */
  readonly points?: number;
}

const history = { metric: 'visibility', competitors: 'true' };
const questions: Question[] = [
  ...readNames.filter((read) => read !== 'history').map((read) => ({ read })),
  { read: 'history', query: { ...history, days: '56' }, points: 56 },
  {
    read: 'history',
    query: { ...history, engine: 'chatgpt', from: addDays(TODAY, -365), to: TODAY },
    points: 366,
  },
];

async function timed({ read, query = {} }: Question, scope: ReadContext): Promise<number> {
  const params = parseParams(reads[read].params, query);
  const start = performance.now();
  await (readers[read] as Reader<ReadName>).compute(scope, params as never);
  return performance.now() - start;
}

const scopes = [await scopeWith(small), await scopeWith(large)] as const;
console.log(`median ms of ${ROUNDS} rounds in turn`);
console.log(
  `${'read'.padEnd(36)}${`${small} runs`.padStart(14)}${`${large} runs`.padStart(14)}   ratio   µs a point`,
);
for (const question of questions) {
  const times: [number[], number[]] = [[], []];
  // The first round is not counted: it plans and warms up.
  for (let round = -1; round < ROUNDS; round++) {
    for (const [at, scope] of scopes.entries()) {
      const took = await timed(question, scope);
      if (round >= 0) times[at]!.push(took);
    }
  }
  const [few, many] = [median(times[0]), median(times[1])];
  const { read, query, points } = question;
  const label = points ? `${read}, ${points} days${query?.engine ? ', one engine' : ''}` : read;
  const perPoint = points ? ((many * 1000) / points).toFixed(1).padStart(13) : '';
  console.log(
    `${label.padEnd(36)}${few.toFixed(2).padStart(14)}${many.toFixed(2).padStart(14)}${(many / few).toFixed(2).padStart(8)}${perPoint}`,
  );
}
await database.close();
