/**
 * The pages before anything is cached, compared with their reads one by one: processor time of one process that holds
 * server and embedded database, in turn in one run.
 *
 *   node --import ./scripts/support/typescript.mjs bench/cold-page.ts
 */
import type { VNode } from 'preact';
import type { ReadName } from '../src/contract/registry.js';
import { demoBrandId, demoDataset } from '../src/demo/data/index.js';
import { demoRobots } from '../src/demo/site-files.js';
import { findBrand, OPERATOR } from '../src/server/accounts/access.js';
import { createReadCache } from '../src/server/answers/reads/read-cache.js';
import { NEVER_GONE } from '../src/server/base/audience.js';
import { utcDay } from '../src/server/base/days.js';
import { createRobotsChecks } from '../src/server/base/robots/fetch.js';
import { migrate, openDatabase } from '../src/server/database/database.js';
import { readPool } from '../src/server/database/read-session.js';
import { importRecords } from '../src/server/intake/dataset/import.js';
import { brandPage } from '../src/server/web/page/brand-page.js';
import { promptPage } from '../src/server/web/page/detail-pages.js';
import { documentOf } from '../src/server/web/page/html.js';
import { type PageReads, pageReads } from '../src/server/web/page/reads.js';
import { sliceOf } from '../src/server/web/page/slice.js';
import { costOf, type Result } from './support/bench.js';
import { least } from './support/least.js';
import { printResults } from './support/print-results.js';

/** A page may cost so many times the sum of its reads. */
const TARGET = 1.5;
const NOW = new Date('2026-11-20T12:00:00Z');
const TODAY = utcDay(NOW);

const link = (path: string): string => path;
const slice = sliceOf({}, TODAY);
const pages: Readonly<Record<string, (reads: PageReads) => Promise<VNode>>> = {
  'page of a brand': (reads) => brandPage({ reads, slice, view: {}, link }),
  'page of a prompt': (reads) => promptPage({ reads, slice, view: {}, link }, 'p01'),
};

/** Milliseconds of processor time of all threads. */
async function spent(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export type Request = readonly [name: ReadName, params: Readonly<Record<string, string>>];

/** The same reads, which note what is asked of them. */
export function noting(reads: PageReads, asked: Map<string, Request>): PageReads {
  const note = (name: ReadName, params = {}) => asked.set(JSON.stringify([name, params]), [name, params]);
  return {
    ...reads,
    load: (name, params) => {
      note(name, params);
      return reads.load(name, params);
    },
    loadIfPossible: (name, params) => {
      note(name, params);
      return reads.loadIfPossible(name, params);
    },
  };
}

export async function coldPage({ rounds } = { rounds: 9 }): Promise<Result[]> {
  const database = await openDatabase({ folder: undefined });
  const { knex } = database;
  await migrate(knex);
  await importRecords(knex, demoDataset(NOW), { now: NOW });
  const brand = await findBrand(knex, OPERATOR, demoBrandId);
  if (typeof brand === 'string') throw new Error('The demo has no brand.');
  const clock = () => NOW;
  const robots = createRobotsChecks(clock, { allowPrivate: false }, demoRobots);
  const primary = readPool(knex, 0);
  /** Reads of an empty cache. */
  const reads = () =>
    pageReads(
      { db: knex, primary, cache: createReadCache(), clock, robots },
      { access: OPERATOR, gone: NEVER_GONE },
      brand,
    );
  const results: Result[] = [];
  for (const [name, page] of Object.entries(pages)) {
    const asked = new Map<string, Request>();
    await page(noting(reads(), asked));
    const whole: number[] = [];
    const parts: number[] = [];
    // The first round plans and warms up.
    for (let round = -1; round < rounds; round++) {
      const took = await spent(async () => documentOf(await page(reads())));
      let sum = 0;
      for (const [read, params] of asked.values()) sum += await spent(() => reads().answer(read, params));
      if (round < 0) continue;
      whole.push(took);
      parts.push(sum);
    }
    results.push(
      costOf(`cold ${name}, demo`, least(whole), `its ${asked.size} reads`, least(parts), {
        unit: 'ms of processor time',
        target: TARGET,
      }),
    );
  }
  await database.close();
  return results;
}

if (import.meta.filename === process.argv[1]) printResults(await coldPage());
