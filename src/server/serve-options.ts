import type { Database, DatabaseLocation } from './database/database.js';
import type { RunningServer, ServerSettings, ServerSurroundings } from './main.js';
import type { AdminAddress } from './monitoring/monitoring.js';

export interface ServeOptions {
  readonly settings: ServerSettings;
  readonly location: DatabaseLocation;
  /** Where metrics are served; absent: nowhere. */
  readonly admin?: AdminAddress | undefined;
  /** Processes that serve; absent: this one alone. */
  readonly workers?: number;
  /** Runs between migration and listening; the demo loads its data here. Not called with several workers. */
  readonly prepare?: (database: Database) => Promise<void>;
  /** Returns the robots.txt of a domain; absent: it is fetched. Not used with several workers. */
  readonly robots?: ServerSurroundings['robots'];
  /** Called when the server accepts requests. Not called in a worker. */
  readonly onListening: (server: Pick<RunningServer, 'url'>) => Promise<void> | void;
}

/** Connections that are still busy this long after the signal are closed. */
export const GRACE_MS = 10_000;
