/** The changes of the schema, each of which runs once. The first one makes the schema. */
import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import * as schema from './01-schema.js';

/** The first migration begins with this, of every version. */
export const FIRST_MIGRATION = '01-';

/**
 * No version is published yet, so the first migration still changes in place. Its name carries a digest of its statements:
 * a database that other statements made is refused, not misread.
 */
const firstName = `${FIRST_MIGRATION}schema-${hash('sha256', schema.statements.join(';')).slice(0, 8)}`;

const migrations: Record<string, Knex.Migration & { readonly tables: readonly string[] }> = {
  [firstName]: schema,
};

export const createdTables = Object.values(migrations).flatMap(({ tables }) => tables);

export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => migrations[name]!,
};
