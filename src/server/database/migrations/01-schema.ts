import type { Knex } from 'knex';
import { accounts } from './schema/accounts.js';
import { alerts } from './schema/alerts.js';
import { catalog } from './schema/catalog.js';
import { observed } from './schema/observed.js';
import { rollups } from './schema/rollups.js';
import { runs } from './schema/runs.js';

/** They make the schema, in this order. */
export const statements = [accounts, catalog, runs, rollups, observed, alerts].flat();

/** One by one, because a distributed database refuses several statements that change its tables in one query. */
export async function up(knex: Knex): Promise<void> {
  for (const statement of statements) await knex.raw(statement);
}

/** The tables that it creates. */
export const tables = statements.flatMap((each) => /^create (?:unlogged )?table (\w+)/.exec(each)?.[1] ?? []);

export async function down(knex: Knex): Promise<void> {
  for (const name of tables.toReversed()) await knex.raw(`drop table ${name}`);
}
