/** Rebuilds a brand's roll-ups for some days from its runs. Idempotent; the order of imports does not matter. */
import type { Knex } from 'knex';
import { allowOnlyProbes } from '../probes.js';
import { presenceTables } from './presence.js';
import { rebuildableDays } from './rebuildable-days.js';
import { addSql, type Rollup } from './rollup.js';
import { fillShoppingTables, hasCarousels, SHOPPING_ROLLUPS } from './shopping.js';
import { CONTESTED_TITLES, NEWEST_TITLES, ROLLUPS, TRACKED_URLS } from './statements.js';
import { stepsOf, storedRuns } from './steps.js';
import {
  bindingsOf,
  type DaysBindings,
  fillWorkingTable,
  makeWorkingTable,
  ON_DAYS,
  type WorkingTable,
} from './working-table.js';

type Rollups = Readonly<Record<string, Rollup>>;
const WITHOUT_SHOPPING: Rollups = { ...ROLLUPS, ...TRACKED_URLS };
const ALL: Rollups = { ...WITHOUT_SHOPPING, ...SHOPPING_ROLLUPS };

/** Rebuilds the days. Those whose runs were pruned are left as they are. */
export async function rebuildDays(
  trx: Knex.Transaction,
  brandKey: number,
  days: Iterable<string>,
): Promise<void> {
  await rebuild(trx, brandKey, days, ALL);
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
  const { rows } = await trx.raw('select distinct day from day_scope where brand_key = ?', [brandKey]);
  const days: string[] = rows.map((row: { day: string }) => row.day);
  await rebuild(
    trx,
    brandKey,
    days.filter((day) => !rebuilt.has(day)),
    TRACKED_URLS,
  );
}

/**
 * Adds runs to the roll-ups of their days, at the cost of these runs alone.
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
): Promise<void> {
  const stored = await rebuildableDays(trx, brandKey, days);
  if (stored.length === 0) return;
  await prepare(trx);
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
const MOST_URLS = 200_000;

async function forgetUrls(trx: Knex.Transaction): Promise<void> {
  const { rows } = await trx.raw('select count(*) as kept from rebuilt_urls');
  if (rows[0].kept > MOST_URLS) await trx.raw('truncate rebuilt_urls');
}
