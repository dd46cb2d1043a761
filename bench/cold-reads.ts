/**
 * What a read costs before it is cached, at 100,000 and at 1,000,000 runs in a brand, measured in turn in one run.
 *
 *   node scripts/with-postgres.mjs node --import tsx/esm bench/cold-reads.ts [small] [large]
 *
 * The two brands are imported first, which takes minutes; BENCH_DATABASE_URL names a database that keeps them.
 */
import type { Access } from '../src/server/accounts/access.js';
import { findBrand } from '../src/server/accounts/brand-scope.js';
import { migrate, openDatabase } from '../src/server/database.js';
import { importRecords } from '../src/server/dataset/import.js';
import { readers } from '../src/server/reads/index.js';
import type { Reader, ReadScope } from '../src/server/reads/scope.js';
import { createDatabaseUrl } from './support/database-url.js';
import { median } from './support/median.js';
import { catalogOf, runsOf } from './support/synthetic.js';

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

async function scopeWith(runs: number): Promise<ReadScope> {
  const id = `b${runs}`;
  if (typeof (await findBrand(database.knex, access, id)) === 'string') {
    console.error(`importing ${runs} runs …`);
    await importRecords(database.knex, catalogOf(id), { now: NOW });
    await importRecords(database.knex, runsOf(id, runs, TODAY), { now: NOW });
    await database.knex.raw('analyze');
  }
  const brand = await findBrand(database.knex, access, id);
  if (typeof brand === 'string') throw new Error(`${id} was not imported`);
  return { db: database.knex, access, brand, today: TODAY, page: null };
}

async function timed(read: Reader<'overview'>, scope: ReadScope): Promise<number> {
  const start = performance.now();
  await read(scope, {});
  return performance.now() - start;
}

const scopes = [await scopeWith(small), await scopeWith(large)] as const;
console.log(`read          ${small} runs   ${large} runs   ratio   (median ms of ${ROUNDS} rounds in turn)`);
for (const [name, reader] of Object.entries(readers)) {
  const read = reader as unknown as Reader<'overview'>;
  const times: [number[], number[]] = [[], []];
  await timed(read, scopes[0]);
  await timed(read, scopes[1]);
  for (let round = 0; round < ROUNDS; round++) {
    times[0].push(await timed(read, scopes[0]));
    times[1].push(await timed(read, scopes[1]));
  }
  const [few, many] = [median(times[0]), median(times[1])];
  console.log(
    `${name.padEnd(18)}${few.toFixed(2).padStart(8)}${many.toFixed(2).padStart(14)}${(many / few).toFixed(2).padStart(9)}`,
  );
}
await database.close();
