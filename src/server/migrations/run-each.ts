import type { Knex } from 'knex';

/** Runs statements one by one: a distributed database refuses several that change its tables in one query. */
export async function runEach(knex: Knex, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await knex.raw(statement);
}
