/** Rebuilds a brand's roll-ups for some days from its runs. Idempotent; the order of imports does not matter. */
import type { Knex } from 'knex';
import { blendedEngineIds, engineIds } from '../../../contract/engines.js';
import { allowOnlyProbes } from '../probes.js';
import { PRESENCE_TABLES } from './presence.js';
import { fillShoppingTables, makeShoppingTables, ON_DAYS, SHOPPING_ROLLUPS } from './shopping.js';
import { ROLLUPS, TRACKED_URLS } from './statements.js';
import { fillWorkingTable, makeWorkingTable } from './working-table.js';

/** Days per step, so that the working tables stay small for any length of history. */
const DAYS_AT_ONCE = 7;

/** Queries that compute the rows of a table for some days, by table. */
type Rollups = Readonly<Record<string, string>>;

export async function rebuildDays(
  trx: Knex.Transaction,
  brandKey: number,
  days: Iterable<string>,
): Promise<void> {
  await rebuild(trx, brandKey, days, { ...ROLLUPS, ...SHOPPING_ROLLUPS, ...TRACKED_URLS });
}

/** Rebuilds the citations of tracked pages on every day of the brand, after pages were added. */
export async function rebuildTrackedUrls(trx: Knex.Transaction, brandKey: number): Promise<void> {
  const { rows } = await trx.raw('select distinct day from day_scope where brand_key = ?', [brandKey]);
  const days = rows.map((row: { day: string }) => row.day);
  await rebuild(trx, brandKey, days, TRACKED_URLS);
}

async function rebuild(
  trx: Knex.Transaction,
  brandKey: number,
  days: Iterable<string>,
  rollups: Rollups,
): Promise<void> {
  const sorted = [...days].sort();
  if (sorted.length === 0) return;
  await allowOnlyProbes(trx);
  // The planner has no statistics for rows that this transaction wrote, and would join them by nested loops.
  await trx.raw("set local enable_nestloop = off; set local work_mem = '64MB'");
  // A tenth of the usual sample: only the numbers of distinct values matter.
  await trx.raw('set local default_statistics_target = 10');
  for (const table of PRESENCE_TABLES) await makeWorkingTable(trx, table, bindingsOf(0, []));
  await makeShoppingTables(trx);
  for (let at = 0; at < sorted.length; at += DAYS_AT_ONCE) {
    await rebuildSome(trx, bindingsOf(brandKey, sorted.slice(at, at + DAYS_AT_ONCE)), rollups);
  }
}

const bindingsOf = (brandKey: number, days: readonly string[]) => ({
  brandKey,
  days,
  firstDay: days[0] ?? null,
  lastDay: days.at(-1) ?? null,
  blended: blendedEngineIds,
  engines: engineIds,
});
export type DaysBindings = ReturnType<typeof bindingsOf>;

async function rebuildSome(trx: Knex.Transaction, bindings: DaysBindings, rollups: Rollups): Promise<void> {
  for (const table of PRESENCE_TABLES) await fillWorkingTable(trx, table, bindings);
  if (rollups.day_product) await fillShoppingTables(trx, bindings);
  for (const [table, select] of Object.entries(rollups)) {
    await trx.raw(`delete from ${table} where brand_key = :brandKey and ${ON_DAYS}`, bindings);
    await trx.raw(`insert into ${table} ${select}`, bindings);
  }
}
