/** Opens Postgres embedded in this process (PGlite), in memory or in a folder. */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { columnTypes } from './column-types.js';
import { noteEmbedded } from './copy.js';
import { embeddedFailure, lockFolder, makeFolder } from './data-folder.js';
import { preparedCluster } from './prepared-cluster.js';
import { ACQUIRE_TIMEOUT_MS, type Done, prepareSession, silentLog } from './session.js';
import { yieldingPglite } from './yielding.js';

/**
 * Opens the database of the folder, or one in memory.
 * @throws FolderInUseError if another process uses the folder; DataFolderError if it cannot be written.
 */
export async function openEmbedded(folder: string | undefined) {
  if (folder) await makeFolder(folder);
  const lock = folder ? await lockFolder(folder) : undefined;
  try {
    const pglite = await openPglite(folder);
    const db = knex({
      client: 'pg',
      connection: {
        ...createPgConfig(yieldingPglite(pglite) as never),
        types: columnTypes,
      } as unknown as Knex.PgConnectionConfig,
      pool: {
        min: 1,
        max: 1,
        afterCreate: (connection: pg.Client, done: Done) => {
          noteEmbedded(connection, pglite);
          prepareSession(connection, done);
        },
      },
      acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
      log: silentLog,
    });
    const close = async () => {
      await db.destroy();
      await pglite.close();
      await lock?.release();
    };
    const ping = async () => {
      await db.raw('select 1');
    };
    return { knex: db, lookUps: db, replica: null, embedded: true, ping, close };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/**
 * Starts Postgres on the folder, which is initialised if it has no database; an undefined folder means one in memory.
 * @throws DataFolderError if the folder cannot be written.
 */
export async function openPglite(folder: string | undefined): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
  try {
    if (folder === undefined) return await create(PGlite, 'memory://');
    const data = join(folder, 'postgres');
    if (!existsSync(data)) await makeCluster(PGlite, data);
    return await PGlite.create(data);
  } catch (error) {
    throw embeddedFailure(folder ?? 'memory', error);
  }
}

const create = async (Pglite: typeof PGlite, dataDir: string): Promise<PGlite> => {
  const loadDataDir = await preparedCluster();
  return Pglite.create({ dataDir, ...(loadDataDir && { loadDataDir }) });
};

/** Under another name until it is complete: a process that is killed meanwhile leaves no database that cannot be opened. */
async function makeCluster(Pglite: typeof PGlite, data: string): Promise<void> {
  const draft = `${data}.new`;
  await rm(draft, { recursive: true, force: true });
  await (await create(Pglite, draft)).close();
  await rename(draft, data);
}
