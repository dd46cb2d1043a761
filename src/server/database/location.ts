/** The database that a command uses. */
import { join, resolve } from 'node:path';
import type { ServerConfig } from '../config.js';
import { userDataFolder } from './data-folder.js';
import type { DatabaseLocation } from './database.js';

/** The data folder has one subfolder for the server's data and one for the demo's. */
export type DataKind = 'data' | 'demo';

export const embeddedFolder = (dataDir: string | null, kind: DataKind): string =>
  join(resolve(dataDir ?? userDataFolder()), kind);

/** The server of DATABASE_URL with the replica of DATABASE_READ_URL, else the embedded database of the data folder. */
export const databaseLocation = ({
  databaseUrl,
  databaseReadUrl,
  dataDir,
}: Pick<ServerConfig, 'databaseUrl' | 'databaseReadUrl' | 'dataDir'>): DatabaseLocation =>
  databaseUrl === null
    ? { folder: embeddedFolder(dataDir, 'data') }
    : { url: databaseUrl, readUrl: databaseReadUrl ?? undefined };
