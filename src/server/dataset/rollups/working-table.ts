/**
 * Tables that last as long as the transaction. They are made once in it and emptied for each use: every table that a
 * transaction makes holds locks until its end, dropped or not, and the server has room for a few thousand of them.
 */
import type { Knex } from 'knex';

export interface WorkingTable {
  readonly name: string;
  /** The query of its rows, which also gives its columns. */
  readonly select: string;
}

type Bindings = Readonly<Record<string, unknown>>;

/** Makes the table where the transaction does not have it yet. */
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

/** Replaces its rows. A table that this transaction made is truncated in place, without a new file or lock. */
export async function fillWorkingTable(
  trx: Knex.Transaction,
  { name, select }: WorkingTable,
  bindings: Bindings,
): Promise<void> {
  await trx.raw(`truncate ${name}`);
  await trx.raw(`insert into ${name} ${select}`, bindings);
}
