/** The database that a command uses. */
import { join, resolve } from 'node:path';
import { userDataFolder } from './data-folder.js';
import type { DatabaseLocation } from './database.js';

/** The data folder has one subfolder for the server's data and one for the demo's. */
export type DataKind = 'data' | 'demo';

/** The folder of an embedded database. @param dataDir Null: the user's data folder. */
export const embeddedFolder = (dataDir: string | null, kind: DataKind): string =>
  join(resolve(dataDir ?? userDataFolder()), kind);

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
