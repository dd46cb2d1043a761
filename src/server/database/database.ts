/** Opens the database: a Postgres server by URL, or Postgres embedded in this process (PGlite) in a folder. */
import { join, resolve } from 'node:path';
import type { Knex } from 'knex';
import { distributeNewTables, dropLocalCopies } from './citus.js';
import { liftTimeLimits } from './connections.js';
import { userDataFolder } from './data-folder.js';
import { type OpenFolder, openEmbedded } from './embedded.js';
import { isMade } from './folder-copies.js';
import { type Beside, openBeside } from './folder-guest.js';
import { migrationSource } from './migrations/index.js';
import { type OpenOptions, openServer } from './postgres-server.js';
import {
  adoptPreparedSchema,
  lockMigrations,
  requireNoNewerSchema,
  requireSchema,
  schemaState,
} from './schema-state.js';

export interface Database {
  readonly knex: Knex;
  /** Connections only for short look-ups, so that they never wait for reads; embedded, where there is one connection: `knex`. */
  readonly lookUps: Knex;
  /** A replica, for reads; null: none is configured. */
  readonly replica: Knex | null;
  /** Embedded: one process, one connection. */
  readonly embedded: boolean;
  /** Whether it is a copy of an embedded database that a server has open: what is done in it takes long, and nobody waits for it. */
  readonly isCopy?: boolean;
  /** Runs a trivial query. For a server it uses a separate connection, so that it does not wait for the pool. */
  ping(): Promise<void>;
  /** The folder of an embedded database, to share it with other processes. */
  readonly shared?: OpenFolder;
  /** The error to report for one of a statement. */
  failure?(error: unknown): unknown;
  /** What was changed in a copy is stored when this resolves. */
  close(): Promise<void>;
}

/** The location of the database, and of its replica. An undefined folder means an embedded database in memory. */
export type DatabaseLocation =
  | { readonly url: string; readonly readUrl?: string | undefined }
  | { readonly folder: string | undefined };

/**
 * Opens the database without migrating it.
 * @param options With `beside`, an embedded database that a server has open is used through that server.
 * @throws FolderInUseError if another process uses the embedded folder; FolderHostError.
 */
export async function openDatabase(
  location: DatabaseLocation,
  { beside, ...options }: OpenOptions & { readonly beside?: Beside } = {},
): Promise<Database> {
  if ('url' in location) return openServer(location, options);
  const { folder } = location;
  return folder === undefined || beside === undefined ? openEmbedded(folder) : openBeside(folder, beside);
}

/**
 * Migrates the schema, once if several processes start together. On a distributed database new tables are distributed
 * too. Returns the applied migrations.
 * @param source The migrations; if omitted, those of this version.
 * @throws SchemaError if a newer version migrated it.
 */
export async function migrate(db: Knex, source = migrationSource): Promise<string[]> {
  const { applied, distributed } = await db.transaction(async (trx) => {
    await liftTimeLimits(trx);
    await lockMigrations(trx);
    const prepared = await adoptPreparedSchema(trx);
    await requireNoNewerSchema(trx, source);
    const [, names] = await trx.migrate.latest({ migrationSource: source });
    const applied = [...prepared, ...(names as string[])];
    return { applied, distributed: await distributeNewTables(trx) };
  });
  await dropLocalCopies(db, distributed);
  return applied;
}

/**
 * Migrates an empty database.
 * @throws SchemaError for the schema of another version.
 */
export async function migrateEmpty(db: Knex): Promise<void> {
  const { applied } = await schemaState(db);
  if (applied.length === 0) await migrate(db);
  else await requireSchema(db);
}

/** Opens and migrates the database. @param prepare Runs before it is returned. */
export async function openMigrated(
  location: DatabaseLocation,
  prepare?: (database: Database) => Promise<void>,
): Promise<Database> {
  const database = await openDatabase(location);
  try {
    await migrate(database.knex);
    await prepare?.(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

// The database that a command uses.

/** The data folder has one subfolder for the server's data and one for the demo's. */
export type DataKind = 'data' | 'demo';

/**
 * The folder of an embedded database.
 * @param dataDir A data folder, or the folder of a database in one, as `svc demo` prints it; null: the user's data folder.
 */
export function embeddedFolder(dataDir: string | null, kind: DataKind): string {
  const given = resolve(dataDir ?? userDataFolder());
  const inside = join(given, kind);
  return isMade(given) && !isMade(inside) ? given : inside;
}

/** Null: the setting is absent. */
interface DatabaseSettings {
  readonly databaseUrl: string | null;
  readonly databaseReadUrl: string | null;
  readonly dataDir: string | null;
}

/** The server of DATABASE_URL with the replica of DATABASE_READ_URL, else the embedded database of the data folder. */
export const databaseLocation = ({
  databaseUrl,
  databaseReadUrl,
  dataDir,
}: DatabaseSettings): DatabaseLocation =>
  databaseUrl === null
    ? { folder: embeddedFolder(dataDir, 'data') }
    : { url: databaseUrl, readUrl: databaseReadUrl ?? undefined };
