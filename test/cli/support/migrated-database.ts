/** Migrated databases for commands that open one themselves. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedFolder, migrate, openDatabase } from '../../../src/server/database/database.js';
import { createDatabaseUrl, serverUrl } from '../../support/database.js';
import type { Environment } from './run.js';

let template: Promise<string> | undefined;

/**
 * The settings of a migrated database without data: on the server of the tests, else embedded in the folder. The first
 * embedded one is made, which takes seconds; the others are copies.
 */
export async function migratedDatabase(folder: string): Promise<Environment> {
  if (serverUrl) {
    const url = await createDatabaseUrl(serverUrl);
    await migrateIn({ url });
    return { DATABASE_URL: url };
  }
  template ??= makeTemplate();
  cpSync(await template, folder, { recursive: true });
  return { SVC_DATA_DIR: folder };
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await migrateIn({ folder: embeddedFolder(folder, 'data') });
  return folder;
}

async function migrateIn(location: Parameters<typeof openDatabase>[0]): Promise<void> {
  const database = await openDatabase(location);
  await migrate(database.knex);
  await database.close();
}
