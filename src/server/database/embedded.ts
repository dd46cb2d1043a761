/** Opens Postgres embedded in this process (PGlite), in memory or in a folder. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PGlite, PGliteOptions } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { ChangePause } from './change-pause.js';
import {
  ACQUIRE_TIMEOUT_MS,
  columnTypes,
  type Done,
  inside,
  prepareSession,
  SESSION_SETTINGS,
  silentLog,
} from './connections.js';
import { noteEmbedded } from './copy.js';
import { type FolderLock, lockFolder, makeFolder, maskTree, takeRights } from './data-folder.js';
import { endFailure, type LastWords, listen, noteFullDisk, openFailure } from './failures.js';
import {
  databaseIn,
  deletePrevious,
  replaceDatabase,
  restoreDatabase,
  settleDatabase,
} from './folder-copies.js';

// Runs the embedded database without blocking the rest of the process.

const SIMPLE_QUERY = 'Q'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);

/**
 * Wraps the embedded database for the driver and yields to the event loop before the last message of every query. Its
 * queries resolve in microtasks, so that a sequence of them would block everything else in the process.
 */
function yieldingPglite(current: () => PGlite): Pick<PGlite, 'waitReady' | 'execProtocolStream'> {
  return {
    waitReady: current().waitReady,
    execProtocolStream: async (message, options) => {
      if (message[0] === SIMPLE_QUERY || message[0] === SYNC) await new Promise(setImmediate);
      return current().execProtocolStream(message, options);
    },
  };
}

// A database folder with the schema of this version and no rows, made by the build. Unpacking it takes a quarter of the
// processor time that initdb and the migrations take in WebAssembly.

/** The root of the installed package, whose exports do not name its package.json. */
const pglite = dirname(dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite'))));
const { version } = JSON.parse(readFileSync(join(pglite, 'package.json'), 'utf8')) as { version: string };

/**
 * Where scripts keep it between builds, and where a server that runs from its sources finds it. Another version of the
 * embedded database may need other files, and other migrations make another schema: both are part of the name.
 */
export function clusterCache(migrations: string = join(import.meta.dirname, 'migrations')): string {
  const text = createHash('sha256').update(version);
  const files = readdirSync(migrations, { encoding: 'utf8', recursive: true }).filter(
    (file) => extname(file) !== '',
  );
  for (const file of files.sort()) text.update(file).update(readFileSync(join(migrations, file)));
  const name = `cluster-${version}-${text.digest('hex').slice(0, 16)}.tar.gz`;
  return join(dirname(dirname(pglite)), '.cache', 'answer-visibility', name);
}

/** Where the build puts it. */
export const clusterOfBuild = (folder: string): string => join(folder, `cluster-${version}.tar.gz`);

/** The prepared cluster; undefined: none was made for this version, so initdb and the migrations must run. */
export async function preparedCluster(): Promise<Blob | undefined> {
  const built = clusterOfBuild(import.meta.dirname);
  const file = existsSync(built) ? built : clusterCache();
  return existsSync(file) ? new Blob([await readFile(file)], { type: 'application/x-gzip' }) : undefined;
}

/**
 * Opens the database of the folder, or one in memory.
 * @throws FolderInUseError if another process uses the folder; DataFolderError if it cannot be written; DiskFullError; EmbeddedOpenError.
 */
export async function openEmbedded(folder: string | undefined) {
  const lock = folder ? await claim(folder) : undefined;
  try {
    let pglite = await openPglite(folder);
    const db = connectionTo(folder, () => pglite);
    const close = async () => {
      await db.destroy();
      await pglite.close();
      await lock?.release();
    };
    if (folder === undefined) return asDatabase(db, close);
    const take = async () => {
      const connection = await onlyConnection(db);
      return { connection, release: () => db.client.releaseConnection(connection) };
    };
    const replace = async (copy: string) => {
      // Opening takes half a second, in which the event loop goes on, and the rest some milliseconds.
      const next = CAN_RENAME_OPEN ? await openAt(copy, folder) : undefined;
      const { connection, release } = await take();
      try {
        await pglite.close();
        try {
          await replaceDatabase(folder, copy);
          pglite = next ? movedTo(next, databaseIn(folder)) : await openPglite(folder);
        } catch (error) {
          await restoreDatabase(folder);
          pglite = await openPglite(folder);
          throw error;
        }
      } finally {
        noteEmbedded(connection, pglite);
        // They were prepared in the database that is gone.
        inside(connection).connection.parsedStatements = {};
        await connection.query(SESSION_SETTINGS);
        await release();
      }
      await deletePrevious(folder);
    };
    const shared: OpenFolder = { folder, pause: new ChangePause(), current: () => pglite, take, replace };
    return { ...asDatabase(db, close), shared };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/** Windows refuses to rename a folder with open files. */
const CAN_RENAME_OPEN = process.platform !== 'win32';
/** Where PGlite has the folder of its database. */
const PGDATA = '/pglite/data';

/** The database whose folder was renamed while it is open. It opens further files by their paths. */
function movedTo(pglite: PGlite, data: string): PGlite {
  const { node } = pglite.Module.FS.lookupPath(PGDATA, {});
  (node.mount.opts as { root: string }).root = data;
  return pglite;
}

/** A folder whose database this process has open, as it is shared with others. */
export interface OpenFolder {
  readonly folder: string;
  /** When it accepts no changes. */
  readonly pause: ChangePause;
  readonly current: () => PGlite;
  /** Takes the only connection: nobody else uses the database until the returned function is called. */
  take(): Promise<{ release(): Promise<void> }>;
  /** Replaces the database by a copy, which no process has open. If that fails, it is as before. */
  replace(copy: string): Promise<void>;
}

/** The connection of the pool, however long others use it. */
async function onlyConnection(db: Knex): Promise<pg.Client> {
  for (;;) {
    try {
      return await db.client.acquireConnection();
    } catch (error) {
      if ((error as Error).name !== 'KnexTimeoutError') throw error;
    }
  }
}

/** The database of a copy, which only this process uses. @param guard Throws if the work must not go on. */
export async function openCopy(copy: string, guard: () => void) {
  const folder = dirname(copy);
  const pglite = await openAt(copy, folder);
  const db = connectionTo(folder, () => {
    guard();
    return pglite;
  });
  return asDatabase(db, async () => {
    await db.destroy();
    await pglite.close();
  });
}

const asDatabase = (db: Knex, close: () => Promise<void>) => ({
  knex: db,
  lookUps: db,
  replica: null,
  embedded: true,
  ping: async () => {
    await db.raw('select 1');
  },
  close,
});

/** The only connection to the embedded database. */
const connectionTo = (folder: string | undefined, current: () => PGlite): Knex => {
  const db = knex({
    client: 'pg',
    connection: { ...createPgConfig(yieldingPglite(current) as PGlite), types: columnTypes },
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: pg.Client, done: Done) => {
        noteEmbedded(connection, current());
        prepareSession(connection, done);
      },
    },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    log: silentLog,
  });
  if (folder !== undefined) db.on('query-error', (error) => noteFullDisk(folder, error));
  return db;
};

/** Creates the folder if it does not exist, takes the rights of others from it, and locks it. */
async function claim(folder: string): Promise<FolderLock> {
  try {
    await makeFolder(folder);
    await takeRights(folder, databaseIn(folder));
    const lock = await lockFolder(folder);
    try {
      await settleDatabase(folder);
      return lock;
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw openFailure(folder, error);
  }
}

/**
 * Starts Postgres on the folder, which is initialised if it has no database; an undefined folder means one in memory.
 * @throws DataFolderError if the folder cannot be written; DiskFullError; EmbeddedOpenError.
 */
export async function openPglite(folder: string | undefined): Promise<PGlite> {
  if (folder !== undefined) return openAt(databaseIn(folder), folder);
  const lastWords: LastWords = {};
  try {
    return await create('memory://', lastWords);
  } catch (error) {
    throw openFailure('memory', error, lastWords);
  }
}

/** @param folder What messages name. */
async function openAt(data: string, folder = data): Promise<PGlite> {
  const lastWords: LastWords = {};
  try {
    if (!existsSync(data)) await makeCluster(data, lastWords);
    return endsAloud(await start({ dataDir: data }, lastWords), folder, lastWords);
  } catch (error) {
    throw openFailure(folder, error, lastWords);
  }
}

/** Postgres that ends itself, as on a full disk, only writes why, and responds to nothing. Then each message throws that. */
function endsAloud(pglite: PGlite, folder: string, lastWords: LastWords): PGlite {
  const send = pglite.execProtocolRawSync.bind(pglite);
  const requireLife = () => {
    if (lastWords.fatal !== undefined) throw endFailure(folder, lastWords);
  };
  pglite.execProtocolRawSync = (message) => {
    requireLife();
    const response = send(message);
    requireLife();
    return response;
  };
  return pglite;
}

const SETTINGS = [
  // Its timer of ten seconds is never stopped if the recovery fails, and keeps the process alive.
  'log_startup_progress_interval=0',
  // It is filled with zeros before anything else, and nothing interrupts that: with the 128 MB that are the default, opening takes
  // twice as long, and the process has that memory in use. Files are in the cache of the system anyway.
  'shared_buffers=16MB',
];

async function start(options: PGliteOptions, lastWords: LastWords): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
  return PGlite.create({
    ...options,
    startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])],
    onStderr: (line) => {
      listen(lastWords, line);
      return false;
    },
  });
}

async function create(dataDir: string, lastWords: LastWords): Promise<PGlite> {
  const loadDataDir = await preparedCluster();
  return start({ dataDir, ...(loadDataDir && { loadDataDir }) }, lastWords);
}

/** Under another name until it is complete: a process that is killed meanwhile leaves no database that cannot be opened. */
async function makeCluster(data: string, lastWords: LastWords): Promise<void> {
  const draft = `${data}.new`;
  await rm(draft, { recursive: true, force: true });
  // Before it has files: who opens one now could write to it later.
  await mkdir(draft, { mode: 0o700 });
  try {
    await (await create(draft, lastWords)).close();
    await maskTree(draft);
    await rename(draft, data);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}
