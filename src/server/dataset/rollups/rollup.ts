/**
 * Temporary tables of a transaction. Each is created once and truncated for each use: every table that a transaction
 * creates holds locks until its end, even if it is dropped, and the server has room for a few thousand locks.
 */
import type { Knex } from 'knex';
import { blendedEngineIds, engineIds } from '../../../contract/engines.js';

/** A daily roll-up: how its rows are computed from the working tables, and how they are added to stored rows. */

export interface Rollup {
  /** Selects rows for some runs, with the columns of the table in their order. */
  readonly select: string;
  /** The key of a row besides `brand_key`. */
  readonly key: string;
  /** Columns that are sums. */
  readonly adds: readonly string[];
  /** How the other columns are merged, as assignments. */
  readonly sets?: readonly string[];
}

/** Adds the rows of a roll-up to those that the table has. */
export function addSql(table: string, { select, key, adds, sets = [] }: Rollup): string {
  const sums = adds.map((column) => `${column} = ${table}.${column} + excluded.${column}`);
  return `insert into ${table} ${select} on conflict (brand_key, ${key}) do update set ${[...sums, ...sets].join(', ')}`;
}

export interface WorkingTable {
  readonly name: string;
  /** The query of its rows, which also gives its columns. */
  readonly select: string;
  /** The query of the rows that are added to those of the table; absent: the table has the rows of `select` alone. */
  readonly adds?: string;
  /** The columns that later queries join and group by: the planner gets their statistics. */
  readonly analyzed: string;
}

/**
 * Selects the rows of some days. Of an array alone the planner may make a filter, and read every row of the brand; a range
 * is always looked up in the index.
 */
export const ON_DAYS = 'day >= :firstDay and day <= :lastDay and day = any(:days)';

/** The bindings of the queries of working tables and roll-ups. @param ids The ids of runs, for queries of added runs. */
export const bindingsOf = (brandKey: number, days: readonly string[], ids: readonly string[] = []) => ({
  brandKey,
  days,
  ids,
  firstDay: days[0] ?? null,
  lastDay: days.at(-1) ?? null,
  blended: blendedEngineIds,
  engines: engineIds,
});
/** Values of a step: one brand, its days in order. */
export type DaysBindings = ReturnType<typeof bindingsOf>;

type Bindings = Readonly<Record<string, unknown>>;

/** Creates the table unless the transaction has it already. */
export async function makeWorkingTable(
  trx: Knex.Transaction,
  { name, select }: WorkingTable,
  bindings: Bindings,
): Promise<void> {
  await trx.raw(
    `create temporary table if not exists ${name} on commit drop as ${select} with no data`,
    bindings,
  );
}

/** Replaces the table's rows, or adds to them. A table that this transaction created is truncated in place, without a new file or lock. */
export async function fillWorkingTable(
  trx: Knex.Transaction,
  { name, select, adds, analyzed }: WorkingTable,
  bindings: Bindings,
): Promise<void> {
  if (!adds) await trx.raw(`truncate ${name}`);
  await trx.raw(`insert into ${name} ${adds ?? select}`, bindings);
  await trx.raw(`analyze ${name} (${analyzed})`);
}
