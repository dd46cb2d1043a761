/** The changes of the schema, each of which runs once. The first one makes the schema. */
import type { Knex } from 'knex';
import * as schema from './01-schema.js';

const migrations: Record<string, Knex.Migration & { readonly tables: readonly string[] }> = {
  '01-schema': schema,
};

export const createdTables = Object.values(migrations).flatMap(({ tables }) => tables);

export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => migrations[name]!,
};
