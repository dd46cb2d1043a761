/** Rebuilds a brand's roll-ups for some days from its runs. Idempotent; the order of imports does not matter. */
import type { Knex } from 'knex';
import { blendedEngineIds, engineIds } from '../../../contract/engines.js';
import { PRESENCE_TABLES } from './presence.js';
import { rebuildableDays } from './rebuildable-days.js';
import { fillShoppingTables, makeShoppingTables, SHOPPING_ROLLUPS } from './shopping.js';
import { ROLLUPS, TRACKED_URLS } from './statements.js';
import { fillWorkingTable, makeWorkingTable } from './working-table.js';

/** Days per step, so that the working tables stay small for any length of history. */
const DAYS_AT_ONCE = 7;

/** Days whose runs were pruned are left as they are. */
export async function rebuildDays(
  trx: Knex.Transaction,
  brandKey: number,
  days: Iterable<string>,
): Promise<void> {
  const sorted = await rebuildableDays(trx, brandKey, days);
  // The planner has no statistics for rows that this transaction wrote, and would join them by nested loops.
  await trx.raw('set local enable_nestloop = off');
  if (sorted.length > 0) await makeWorkingTables(trx);
  for (let at = 0; at < sorted.length; at += DAYS_AT_ONCE) {
    await rebuildSome(trx, brandKey, sorted.slice(at, at + DAYS_AT_ONCE));
  }
  if (await tracksPages(trx, brandKey)) {
    await replace(trx, 'day_tracked_url', TRACKED_URLS, { brandKey, days: sorted, engines: engineIds });
  }
  await trx.raw('set local enable_nestloop = on');
}

async function makeWorkingTables(trx: Knex.Transaction): Promise<void> {
  for (const table of PRESENCE_TABLES) await makeWorkingTable(trx, table, { brandKey: 0, days: [] });
  await makeShoppingTables(trx);
}

async function tracksPages(trx: Knex.Transaction, brandKey: number): Promise<boolean> {
  const { rows } = await trx.raw(
    'select exists (select 1 from tracked_pages where brand_key = ?) as tracks',
    [brandKey],
  );
  return rows[0].tracks;
}

async function rebuildSome(trx: Knex.Transaction, brandKey: number, days: string[]): Promise<void> {
  const bindings = { brandKey, days, blended: blendedEngineIds, engines: engineIds };
  for (const table of PRESENCE_TABLES) await fillWorkingTable(trx, table, { brandKey, days });
  await fillShoppingTables(trx, brandKey, days);
  const all = { ...ROLLUPS, ...SHOPPING_ROLLUPS };
  for (const [table, select] of Object.entries(all)) await replace(trx, table, select, bindings);
}

/** Rebuilds the citations of tracked pages on every day of the brand, after pages were added. */
export async function rebuildTrackedUrls(trx: Knex.Transaction, brandKey: number): Promise<void> {
  const { rows } = await trx.raw('select distinct day from day_scope where brand_key = ?', [brandKey]);
  const days = await rebuildableDays(
    trx,
    brandKey,
    rows.map((row: { day: string }) => row.day),
  );
  await replace(trx, 'day_tracked_url', TRACKED_URLS, { brandKey, days, engines: engineIds });
}

type Bindings = Readonly<Record<string, unknown>>;

async function replace(
  trx: Knex.Transaction,
  table: string,
  select: string,
  bindings: Bindings,
): Promise<void> {
  await trx.raw(`delete from ${table} where brand_key = :brandKey and day = any(:days)`, bindings);
  await trx.raw(`insert into ${table} ${select}`, bindings);
}
