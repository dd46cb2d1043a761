/**
 * The first screen of brands of several sizes before anything is cached, compared with its reads one by one: processor time of
 * the server and of the database together, in turn in one run.
 *
 *   node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/first-screen.ts [runs …]
 *
 * BENCH_DATABASE_URL names a database that keeps the brands. The processor time of the database is that of its processes in
 * /proc, so the database has to run on the same machine.
 */
import { readFileSync } from 'node:fs';
import type { Knex } from 'knex';
import { createReadCache } from '../src/server/answers/reads/read-cache.js';
import { NEVER_GONE } from '../src/server/base/audience.js';
import { migrate, openDatabase } from '../src/server/database/database.js';
import { readPool } from '../src/server/database/read-session.js';
import { brandPage } from '../src/server/web/page/brand-page.js';
import { documentOf } from '../src/server/web/page/html.js';
import { type PageReads, pageReads } from '../src/server/web/page/reads.js';
import { sliceOf } from '../src/server/web/page/slice.js';
import { opening } from '../src/server/web/page/window.js';
import { noting, type Request } from './cold-page.js';
import { brandWith } from './cold-reads.js';
import { atMost, costOf, type Result } from './support/bench.js';
import { createDatabaseUrl } from './support/database-url.js';
import { least } from './support/least.js';
import { printResults } from './support/print-results.js';

/** The most that a first screen may cost, in milliseconds of processor time, at any size. */
const TARGET_MS = 150;

/** Nanoseconds of processor time of the connections of a database so far. */
async function usedBy(knex: Knex): Promise<() => number> {
  const { rows } = await knex.raw('select pid from pg_stat_activity where datname = current_database()');
  return () =>
    (rows as { pid: number }[]).reduce((sum, { pid }) => {
      try {
        return sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]);
      } catch {
        // The connection has ended.
        return sum;
      }
    }, 0);
}

/** Milliseconds of processor time of the server and of the database. */
async function spent(used: () => number, work: () => Promise<unknown>) {
  const [cpu, before] = [process.cpuUsage(), used()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { server: (user + system) / 1000, database: (used() - before) / 1e6 };
}

export async function firstScreens(sizes: readonly number[], url?: string, rounds = 9): Promise<Result[]> {
  const database = await openDatabase({ url: url ?? (await createDatabaseUrl()) });
  const { knex } = database;
  await migrate(knex);
  const primary = readPool(knex, 0);
  const results: Result[] = [];
  for (const size of sizes) {
    const { brand, access, now, robots, today } = await brandWith(database, size);
    const env = { db: knex, primary, clock: () => now, robots };
    /** Reads of an empty cache. */
    const reads = () => pageReads({ ...env, cache: createReadCache() }, { access, gone: NEVER_GONE }, brand);
    const screen = async (of: PageReads) => {
      const page = { reads: of, view: {}, link: (path: string) => path };
      return documentOf(await brandPage({ ...page, ...(await opening(of, sliceOf({}, today))) }));
    };
    const asked = new Map<string, Request>();
    // The first pages open the connections, plan and warm up.
    for (const of of [noting(reads(), asked), reads(), reads()]) await screen(of);
    const used = await usedBy(knex);
    const whole: { server: number; database: number }[] = [];
    const parts: number[] = [];
    for (let round = 0; round < rounds; round++) {
      whole.push(await spent(used, () => screen(reads())));
      let sum = 0;
      for (const [read, params] of asked.values()) {
        const each = await spent(used, () => reads().answer(read, params));
        sum += each.server + each.database;
      }
      parts.push(sum);
    }
    const total = least(whole.map((each) => each.server + each.database));
    const [server, own] = [
      least(whole.map((each) => each.server)),
      least(whole.map((each) => each.database)),
    ];
    const name = `cold first screen, ${size} runs`;
    const unit = 'ms of processor time';
    results.push(
      costOf(name, total, `its ${asked.size} reads one by one`, least(parts), { unit, target: 1 }),
      atMost(`${name}: server ${server.toFixed(0)}, database ${own.toFixed(0)}`, total, TARGET_MS, unit),
    );
  }
  await database.close();
  return results;
}

if (import.meta.filename === process.argv[1]) {
  const sizes = process.argv.slice(2).map(Number);
  const { BENCH_DATABASE_URL: url } = process.env;
  printResults(await firstScreens(sizes.length > 0 ? sizes : [22_500, 1_000_000], url));
}
