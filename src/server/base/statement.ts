/** Creates one function per SQL statement, and defines bindings that several statements take. */
import type { Knex } from 'knex';

type Bindings = Readonly<Record<string, unknown>>;

/** What a statement runs on: a database, a transaction, or a read, whose statements wait for each other. */
export interface Db {
  raw(
    sql: string,
    bindings: Knex.ValueDict,
  ): { options(options: Bindings): PromiseLike<{ readonly rows: never[] }> };
}

/** Each statement that was created, as it is sent, by its name. */
export const createdStatements: ReadonlyMap<string, string> = new Map<string, string>();

/** @throws Error if another statement has the name: connections would run whichever they prepared first. */
function note(name: string, sql: string): void {
  const statements = createdStatements as Map<string, string>;
  if ((statements.get(name) ?? sql) !== sql) throw new Error(`Two statements are named ${name}`);
  statements.set(name, sql);
}

/**
 * Runs `sql` with named bindings and returns its rows. The statement is named, so that the server prepares it once per
 * connection: without a name, +34 to +48 % per read of a few rows. After five executions the server may use one plan for all
 * values: right for statements whose rows are found by key, whatever the values are.
 */
export function statement<Row, B extends Bindings>(name: string, sql: string) {
  note(name, sql);
  return async (db: Db, bindings: B): Promise<Row[]> => {
    const { rows } = await db.raw(sql, bindings as Knex.ValueDict).options({ name });
    return rows;
  };
}

/**
 * As `statement`, but without a name, so that the server plans it for its values each time: for sums of many rows, whose
 * number depends on the values. One plan for all values expects a fraction of the rows of a window and reads them one by
 * one, and has no estimate of how few rows of another table it needs. `plan_cache_mode` cannot prevent it: a pooler between
 * server and database would give the setting to other sessions. The comment names the statement in logs.
 */
export function plannedStatement<Row, B extends Bindings>(name: string, sql: string) {
  const sent = `/* ${name} */ ${sql}`;
  note(name, sent);
  return async (db: Db, bindings: B): Promise<Row[]> => {
    // Empty options: a read on a replica runs a statement when it has them.
    const { rows } = await db.raw(sent, bindings as Knex.ValueDict).options({});
    return rows;
  };
}

/** A window of a brand, both days inside. */
export interface BrandWindow extends Record<string, unknown> {
  brandKey: number;
  start: string;
  end: string;
}

/** The runs of a brand on some engines. */
export interface EngineBindings extends Record<string, unknown> {
  brandKey: number;
  engines: readonly string[];
}

export interface WindowBindings extends BrandWindow, EngineBindings {}

/** Whether the database can store a text: Postgres refuses NUL characters, and lone surrogates are not UTF-8. */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();
