/**
 * Deletes runs that no read needs any more. Roll-ups and daily statistics stay, so every read answers as before. Each batch
 * is a transaction of its own: what was pruned stays pruned if the command is stopped, and a later one continues.
 */

import type { Knex } from 'knex';
import { ExpectedError } from '../../../contract/failure.js';
import { RUNS_NEEDED_DAYS } from '../../../contract/limits.js';
import { runsSince } from '../../answers/sums/collected-days.js';
import { addDays } from '../../base/days.js';
import { statement } from '../../base/statement.js';
import { liftTimeLimits } from '../../database/connections.js';
import { brandKeys, lockImports } from '../dataset/import-locks.js';

export interface PruneRequest {
  /** The current UTC day. */
  readonly today: string;
  /** Runs of older days are deleted. */
  readonly days: number;
  /** The id of the only brand to prune; if omitted, every brand. */
  readonly brand?: string | undefined;
  /** Whether runs are only counted, not deleted. */
  readonly dryRun?: boolean;
}

export interface PrunedBrand {
  readonly id: string;
  readonly runs: number;
  readonly days: number;
}

/** The first day whose runs are kept. */
export const keptSince = ({ today, days }: PruneRequest): string => addDays(today, -days);

/** @throws ExpectedError `usage` for too few days, or a brand that does not exist. */
export async function* pruneRuns(db: Knex, request: PruneRequest): AsyncGenerator<PrunedBrand> {
  requireEnoughDays(request.days);
  const brands = await brandKeys(db, {});
  const wanted = brands.filter(({ id }) => request.brand === undefined || id === request.brand);
  if (request.brand !== undefined && wanted.length === 0)
    throw new ExpectedError('usage', `No brand ${request.brand} exists.`);
  const prune = request.dryRun ? countOf : pruneBrand;
  for (const { key, id } of wanted) yield { id, ...(await prune(db, key, keptSince(request))) };
}

/** @throws ExpectedError `usage` for too few days. */
export function requireEnoughDays(days: number): void {
  if (days >= RUNS_NEEDED_DAYS) return;
  throw new ExpectedError(
    'usage',
    `Expected runs older than ${RUNS_NEEDED_DAYS} days or more, because sentiment quotes answers of up to ${RUNS_NEEDED_DAYS} days; got ${days}.`,
  );
}

/** Notes that runs from before a day are pruned. The day never moves back. */
const moveRunsSince = statement<never, { brandKey: number; day: string }>(
  'move_runs_since',
  `update brands set runs_since = greatest(runs_since, cast(:day as date)) where brand_key = :brandKey`,
);

interface Prunable extends Record<string, unknown> {
  brandKey: number;
  /** Runs of earlier days may be pruned. */
  before: string;
  /** Days of the longest window of a read that ends on an engine's newest day. */
  window: number;
}

/**
 * The runs that no read needs. A read of quotes ends on the newest day of its engines, so an engine's last days are kept
 * however old they are; a fact check compares an engine's newest answer of any age.
 */
const prunable = `with newest as materialized (
     select engine, max(day) as day from day_scope where brand_key = :brandKey group by engine
   ),
   compared as materialized (
     select (array_agg(run_id order by day desc))[1] as run_id from day_newest_answer
     where brand_key = :brandKey group by engine
   ),
   prunable as (
     select r.id, r.day from runs r join newest n on n.engine = r.engine
     where r.brand_key = :brandKey and r.day < cast(:before as date)
       and r.day <= n.day - cast(:window as integer)
       and not exists (select 1 from compared c where c.run_id = r.id)
   )`;

/** The days with prunable runs, oldest first. */
const prunableDays = statement<{ day: string; runs: number }, Prunable>(
  'prunable_days',
  `${prunable} select day, count(*) as runs from prunable group by day order by day`,
);

const prunableRuns = statement<{ id: string }, Prunable & { day: string; rows: number }>(
  'prunable_runs',
  `${prunable} select id from prunable where day = cast(:day as date) limit :rows`,
);

interface Runs extends Record<string, unknown> {
  brandKey: number;
  day: string;
  ids: readonly string[];
}

const deleteRows = (table: string, condition: string) =>
  statement<never, Runs>(
    `prune_${table}`,
    `delete from ${table} where brand_key = :brandKey and ${condition}`,
  );

/**
 * Deletes runs of a day with what belongs to them, the run itself last. Their ads stay: reads of ads have no oldest day.
 */
const deleteRuns = [
  deleteRows('run_answers', 'run_id = any(:ids)'),
  deleteRows('placements', 'day = :day and run_id = any(:ids)'),
  deleteRows('carousels', 'day = :day and run_id = any(:ids)'),
  deleteRows('runs', 'day = :day and id = any(:ids)'),
];

/** Deletes runs without an answer, which no read needs, of days whose roll-ups are not rebuilt any more. */
const deleteUnshown = statement<never, { brandKey: number; since: string | null }>(
  'prune_unshown_runs',
  'delete from unshown_runs where brand_key = :brandKey and day < cast(:since as date)',
);

type Pruned = Omit<PrunedBrand, 'id'>;
const bindings = (brandKey: number, before: string) => ({ brandKey, before, window: RUNS_NEEDED_DAYS });

async function countOf(db: Knex, brandKey: number, before: string): Promise<Pruned> {
  const days = await daysOf(db, brandKey, before);
  return { runs: days.reduce((sum, { runs }) => sum + runs, 0), days: days.length };
}

const daysOf = (db: Knex, brandKey: number, before: string): Promise<{ day: string; runs: number }[]> =>
  db.transaction(async (trx) => {
    await liftTimeLimits(trx);
    return prunableDays(trx, bindings(brandKey, before));
  });

async function pruneBrand(db: Knex, brandKey: number, before: string): Promise<Pruned> {
  const days = await daysOf(db, brandKey, before);
  let runs = 0;
  for (const { day } of days) {
    for (let deleted = BATCH_RUNS; deleted === BATCH_RUNS; runs += deleted)
      deleted = await db.transaction((trx) => pruneBatch(trx, brandKey, before, day));
  }
  await db.transaction(async (trx) => {
    await liftTimeLimits(trx);
    await lockImports(trx, brandKey);
    const [brand] = await runsSince(trx, { brandKey });
    await deleteUnshown(trx, { brandKey, since: brand?.day ?? null });
  });
  return { runs, days: days.length };
}

/** Lets new rows use the space of deleted ones. A Postgres server does this by itself, the embedded database never. */
export async function reuseSpace(db: Knex): Promise<void> {
  // A statement each: a server takes the copy back from a command that sends none for a minute.
  for (const table of ['runs', 'unshown_runs', 'run_answers', 'placements', 'carousels'])
    await db.raw(`vacuum ${table}`);
}

const BATCH_RUNS = 5000;

/** Deletes some runs of a day and returns their number. Imports of the brand wait meanwhile. */
async function pruneBatch(
  trx: Knex.Transaction,
  brandKey: number,
  before: string,
  day: string,
): Promise<number> {
  await liftTimeLimits(trx);
  await lockImports(trx, brandKey);
  const runs = await prunableRuns(trx, { ...bindings(brandKey, before), day, rows: BATCH_RUNS });
  if (runs.length === 0) return 0;
  await moveRunsSince(trx, { brandKey, day: addDays(day, 1) });
  const ids = runs.map(({ id }) => id);
  for (const deleteRows of deleteRuns) await deleteRows(trx, { brandKey, day, ids });
  return ids.length;
}
