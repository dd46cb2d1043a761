/** Creates one function per SQL statement. Statements are named, so that the server prepares each once per connection. */
import type { Knex } from 'knex';

export type Bindings = Readonly<Record<string, unknown>>;

/** Runs `sql` with named bindings and returns its rows. */
export const statement =
  <Row, B extends Bindings>(name: string, sql: string) =>
  async (db: Knex, bindings: B): Promise<Row[]> => {
    const { rows } = await db.raw(sql, bindings).options({ name });
    return rows;
  };
