/** Creates one function per SQL statement. */
import type { Knex } from 'knex';

export type Bindings = Readonly<Record<string, unknown>>;

/**
 * Runs `sql` with named bindings and returns its rows. The statement is named, so that the server prepares it once per
 * connection. After five executions the server may use one plan for all values: right for statements whose rows are found
 * by key, whatever the values are.
 */
export const statement =
  <Row, B extends Bindings>(name: string, sql: string) =>
  async (db: Knex, bindings: B): Promise<Row[]> => {
    const { rows } = await db.raw(sql, bindings).options({ name });
    return rows;
  };

/**
 * The same without a name, so that the server plans it for its values each time: for statements that sum many rows, whose
 * number depends on the values. One plan for all values expects a fraction of the rows of a window and reads them one by
 * one, and has no estimate of how few rows of another table it needs. `plan_cache_mode` cannot prevent it: a pooler between
 * server and database would give the setting to other sessions. The comment names the statement in logs.
 */
export const plannedStatement =
  <Row, B extends Bindings>(name: string, sql: string) =>
  async (db: Knex, bindings: B): Promise<Row[]> => {
    // Empty options: a read on a replica runs a statement when it has them.
    const { rows } = await db.raw(`/* ${name} */ ${sql}`, bindings).options({});
    return rows;
  };
