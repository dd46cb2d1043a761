import { randomUUID } from 'node:crypto';
import knex from 'knex';

/** A new database on the server of TEST_DATABASE_URL. */
export async function createDatabaseUrl(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server)
    throw new Error(
      'Run it as: node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/…',
    );
  const name = `svc_bench_${randomUUID().replaceAll('-', '')}`;
  const admin = knex({ client: 'pg', connection: server, pool: { min: 0, max: 1 } });
  await admin.raw(`create database ${name}`);
  await admin.destroy();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}
