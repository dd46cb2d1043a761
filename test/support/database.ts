/**
 * Empty, migrated databases for tests: on the server of TEST_DATABASE_URL, distributed if it has Citus workers, else
 * embedded and in memory. Starting an embedded one takes seconds, so one that a test gave back is emptied and used again.
 */
import { randomUUID } from 'node:crypto';
import knex from 'knex';
import { distribute } from '../../src/server/database/citus.js';
import { type Database, migrate, openDatabase } from '../../src/server/database/database.js';
import { citusWorkers, formCluster, urlOf } from './citus.js';

export const serverUrl = process.env.TEST_DATABASE_URL;

const idle: Database[] = [];

/** Two on each worker; every table of a database is emptied after each test. */
const FEW_SHARDS = 4;

/** An empty migrated database; `close()` returns it to the pool. */
export async function emptyDatabase(): Promise<Database> {
  const database = idle.pop() ?? (serverUrl ? await createOnServer(serverUrl) : await createEmbedded());
  return { ...database, close: () => giveBack(database) };
}

/** A database of its own on the server and its URL, for tests that start whole processes. */
export async function createDatabaseUrl(url: string): Promise<string> {
  const name = `svc_test_${randomUUID().replaceAll('-', '')}`;
  const admin = knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  await admin.raw(`create database ${name}`);
  await admin.destroy();
  const target = urlOf(url, name);
  if (citusWorkers.length > 0) await formCluster(target, name);
  return target;
}

async function createOnServer(url: string): Promise<Database> {
  const database = await openDatabase({ url: await createDatabaseUrl(url) });
  await migrate(database.knex);
  if (citusWorkers.length > 0) await distribute(database.knex, FEW_SHARDS);
  return database;
}

async function createEmbedded(): Promise<Database> {
  const database = await openDatabase({ folder: undefined });
  await migrate(database.knex);
  return database;
}

async function giveBack(database: Database): Promise<void> {
  // Truncating an empty table costs as much as truncating a full one. A distributed one is always empty on this node.
  const { rows } = await database.knex.raw(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
     and relname not like 'knex_%' and relname <> 'secrets' and (pg_relation_size(oid) > 0 or :distributed)`,
    { distributed: citusWorkers.length > 0 },
  );
  const tables = rows.map((row: { relname: string }) => row.relname).join(', ');
  if (tables !== '') await database.knex.raw(`truncate ${tables}`);
  idle.push(database);
}

// One of mocha's parallel processes runs many files and ends with the run; a script has no hooks.
if (!process.env.MOCHA_WORKER_ID && 'after' in globalThis) {
  after(async () => {
    for (const database of idle) await database.close();
  });
}
