/** Rebuilds a brand's roll-ups for some days from its runs. Idempotent; the order of imports does not matter. */
import type { Knex } from 'knex';
import { bumpStoredVersion } from '../../../accounts/brands.js';
import { daysWithRuns } from '../../../answers/collections.js';
import { writeDailyStats } from '../../../answers/daily-stats.js';
import { runsSince } from '../../../answers/sums/collected-days.js';
import { entitiesWithAliases } from '../../../answers/sums/tracked-entities.js';
import { utcDay } from '../../../base/days.js';
import { liftTimeLimits } from '../../../database/connections.js';
import { resolveDomains, resolveNames } from '../entity-resolution.js';
import { brandKeys, lockImports } from '../import-locks.js';
import { allowOnlyProbes } from '../probes.js';
import { fillShoppingTables, hasCarousels, SHOPPING_ROLLUPS } from './shopping.js';
import { CONTESTED_TITLES, NEWEST_TITLES, ROLLUPS, TRACKED_URLS } from './statements.js';
import {
  addSql,
  bindingsOf,
  type DaysBindings,
  fillWorkingTable,
  makeWorkingTable,
  ON_DAYS,
  presenceTables,
  type Rollup,
  type WorkingTable,
} from './working-tables.js';

// Which days can be rebuilt from runs. The roll-ups of a day whose runs were pruned are all that is left of them.

/** Returns the days whose runs are all stored, sorted. */
export async function rebuildableDays(
  trx: Knex.Transaction,
  brandKey: number,
  days: Iterable<string>,
): Promise<string[]> {
  const [brand] = await runsSince(trx, { brandKey });
  const since = brand?.day ?? '';
  return [...days].filter((day) => day >= since).sort();
}

// Into how many steps a rebuild is divided. Its working tables are of few runs, or of one day.

/** The most runs of a step that has more than one day. */
const RUNS_AT_ONCE = 10_000;

/** Divides the days into steps, sorted. */
export function stepsOf(days: Iterable<string>, runsOf: ReadonlyMap<string, number>): string[][] {
  const steps: string[][] = [];
  let runs = 0;
  for (const day of [...days].sort()) {
    const step = steps.at(-1);
    const more = runsOf.get(day) ?? 0;
    if (step && runs + more <= RUNS_AT_ONCE) {
      step.push(day);
      runs += more;
    } else {
      steps.push([day]);
      runs = more;
    }
  }
  return steps;
}

/** Looks the runs of each day up by `runs_by_day`, whatever statistics the planner has (see `probes.ts`). */
const RUNS_OF_DAYS = `
  select d.day, r.runs from unnest(cast(:days as date[])) as d(day)
  cross join lateral (
    select count(*) as runs
    from (
      select 1 from runs where brand_key = :brandKey and day >= d.day and day <= d.day order by day desc, id desc
    ) of_day
  ) r`;

/** How many stored runs the days have. The transaction allows only probes. */
export async function storedRuns(
  trx: Knex.Transaction,
  brandKey: number,
  days: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await trx.raw(RUNS_OF_DAYS, { brandKey, days });
  return new Map(rows.map(({ day, runs }: { day: string; runs: number }) => [day, runs]));
}

type Rollups = Readonly<Record<string, Rollup>>;
const WITHOUT_SHOPPING: Rollups = { ...ROLLUPS, ...TRACKED_URLS };
const ALL: Rollups = { ...WITHOUT_SHOPPING, ...SHOPPING_ROLLUPS };

/**
 * Rebuilds the days. Those whose runs were pruned are left as they are.
 * @param onProgress Called with the days that are rebuilt so far, of all of them.
 */
export async function rebuildDays(
  trx: Knex.Transaction,
  brandKey: number,
  days: Iterable<string>,
  onProgress?: (done: number, total: number) => void,
): Promise<void> {
  await rebuild(trx, brandKey, days, ALL, onProgress);
}

/**
 * Rebuilds the citations of tracked pages on every day of the brand, after pages were added.
 * @param rebuilt Days that `rebuildDays` rebuilt since then.
 */
export async function rebuildTrackedUrls(
  trx: Knex.Transaction,
  brandKey: number,
  rebuilt: ReadonlySet<string> = new Set(),
): Promise<void> {
  const days = (await daysWithRuns(trx, { brandKey })).map(({ day }) => day);
  await rebuild(
    trx,
    brandKey,
    days.filter((day) => !rebuilt.has(day)),
    TRACKED_URLS,
  );
}

/**
 * Adds runs to the roll-ups of their days, at the cost of these runs only.
 * @param idsOf The ids of stored runs by day. The roll-ups of these days must have all other runs.
 */
export async function addToDays(
  trx: Knex.Transaction,
  brandKey: number,
  idsOf: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  if (idsOf.size === 0) return;
  await prepare(trx);
  const added = new Map([...idsOf].map(([day, ids]) => [day, ids.length]));
  for (const days of stepsOf(idsOf.keys(), added)) {
    const bindings = bindingsOf(
      brandKey,
      days,
      days.flatMap((day) => idsOf.get(day)!),
    );
    await fillTables(trx, presenceTables('added runs'), bindings);
    const shopping = await hasCarousels(trx, bindings);
    if (shopping) await fillShoppingTables(trx, bindings);
    await fillWorkingTable(trx, CONTESTED, bindings);
    for (const [table, rollup] of Object.entries(shopping ? ALL : WITHOUT_SHOPPING))
      await trx.raw(addSql(table, rollup), bindings);
    const { rows } = await trx.raw('select exists (select 1 from contested_titles) as contested');
    if (rows[0].contested) await trx.raw(NEWEST_TITLES, bindings);
  }
}

const CONTESTED: WorkingTable = {
  name: 'contested_titles',
  select: CONTESTED_TITLES,
  analyzed: 'day, url_key',
};

async function rebuild(
  trx: Knex.Transaction,
  brandKey: number,
  days: Iterable<string>,
  rollups: Rollups,
  onProgress?: (done: number, total: number) => void,
): Promise<void> {
  const stored = await rebuildableDays(trx, brandKey, days);
  if (stored.length === 0) return;
  await prepare(trx);
  let done = 0;
  for (const some of stepsOf(stored, await storedRuns(trx, brandKey, stored))) {
    const bindings = bindingsOf(brandKey, some);
    await fillTables(trx, presenceTables('every run'), bindings);
    const shopping = rollups.day_product !== undefined && (await hasCarousels(trx, bindings));
    if (shopping) await fillShoppingTables(trx, bindings);
    for (const [table, rollup] of Object.entries(rollups)) {
      await trx.raw(`delete from ${table} where brand_key = :brandKey and ${ON_DAYS}`, bindings);
      if (shopping || !(table in SHOPPING_ROLLUPS))
        await trx.raw(`insert into ${table} ${rollup.select}`, bindings);
    }
    done += some.length;
    onProgress?.(done, stored.length);
  }
}

/** Makes the working tables and the settings of the transaction. */
async function prepare(trx: Knex.Transaction): Promise<void> {
  await allowOnlyProbes(trx);
  // The planner has no statistics for rows that this transaction wrote, and would join them by nested loops.
  await trx.raw("set local enable_nestloop = off; set local work_mem = '64MB'");
  // A tenth of the usual sample: only the numbers of distinct values matter.
  await trx.raw('set local default_statistics_target = 10');
  const none = bindingsOf(0, []);
  for (const table of presenceTables('every run')) await makeWorkingTable(trx, table, none);
  await makeWorkingTable(trx, CONTESTED, none);
  await trx.raw('truncate rebuilt_urls');
}

async function fillTables(trx: Knex.Transaction, tables: readonly WorkingTable[], bindings: DaysBindings) {
  await forgetUrls(trx);
  for (const table of tables) await fillWorkingTable(trx, table, bindings);
}

/** Cited pages that are kept for the next step, which mostly cites the same. */
const MAX_URLS = 200_000;

async function forgetUrls(trx: Knex.Transaction): Promise<void> {
  const { rows } = await trx.raw('select count(*) as kept from rebuilt_urls');
  if (rows[0].kept > MAX_URLS) await trx.raw('truncate rebuilt_urls');
}

// Recomputes everything that this version derives from the data: it resolves the names and domains of every brand
// again, and rebuilds every roll-up and the statistics of finished days.

export interface RebuiltBrand {
  readonly id: string;
  /** Days with runs, and days with roll-ups whose runs are gone; not those whose runs were pruned. */
  readonly days: number;
}

export interface RebuildProgress {
  /** The id of the brand. */
  readonly brand: string;
  /** Days that are rebuilt so far. */
  readonly done: number;
  readonly total: number;
}

/** Uses one transaction per brand. Reads get the old roll-ups until it commits. */
export async function* rebuildAll(
  db: Knex,
  now: Date,
  onProgress?: (progress: RebuildProgress) => void,
): AsyncGenerator<RebuiltBrand> {
  for (const { key, id } of await brandKeys(db, {})) {
    const days = await db.transaction((trx) =>
      rebuildBrand(trx, key, utcDay(now), (done, total) => onProgress?.({ brand: id, done, total })),
    );
    yield { id, days: days.length };
  }
}

/** The first key of every dictionary. */
const FIRST_KEY = 1;

async function rebuildBrand(
  trx: Knex.Transaction,
  brandKey: number,
  today: string,
  onProgress: (done: number, total: number) => void,
): Promise<string[]> {
  await liftTimeLimits(trx);
  await lockImports(trx, brandKey);
  const entities = await entitiesWithAliases(trx, { brandKey });
  await resolveNames(trx, brandKey, entities, FIRST_KEY);
  await resolveDomains(trx, brandKey, entities, FIRST_KEY);
  const days = await everyDay(trx, brandKey);
  await rebuildDays(trx, brandKey, days, onProgress);
  await writeDailyStats(
    trx,
    brandKey,
    days.filter((day) => day < today),
  );
  await trx.raw('update brands set data_version = data_version + 1 where brand_key = ?', [brandKey]);
  await bumpStoredVersion(trx, { brandKey });
  return rebuildableDays(trx, brandKey, days);
}

async function everyDay(trx: Knex.Transaction, brandKey: number): Promise<string[]> {
  const { rows } = await trx.raw(
    `select day from runs where brand_key = :brandKey
     union select day from unshown_runs where brand_key = :brandKey
     union select day from day_outcomes where brand_key = :brandKey
     union select day from day_scope where brand_key = :brandKey
     union select day from daily_stats where brand_key = :brandKey and not imported
     order by day`,
    { brandKey },
  );
  return rows.map((row: { day: string }) => row.day);
}
