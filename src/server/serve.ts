/** Runs a server until a signal: opens and migrates the database, listens, then finishes running requests and closes. */
import { systemClock } from './clock.js';
import type { Database, DatabaseLocation } from './database/database.js';
import { migrate, openDatabase } from './database/database.js';
import { requireFreePort } from './http/listen.js';
import { createLog } from './log.js';
import { type RunningServer, type ServerSettings, startServer } from './main.js';
import { startNightly } from './nightly.js';

export interface ServeOptions {
  readonly settings: ServerSettings;
  readonly location: DatabaseLocation;
  /** Runs between migration and listening; the demo loads its data here. */
  readonly prepare?: (database: Database) => Promise<void>;
  /** Called when the server accepts requests. */
  readonly onListening: (server: RunningServer) => Promise<void> | void;
}

/** Connections that are still busy this long after the signal are closed. */
const GRACE_MS = 10_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Serves until SIGINT or SIGTERM. A second signal ends the process at once.
 * @throws ListenError before any other work, if it cannot listen on the address or port.
 */
export async function serve({ settings, location, prepare, onListening }: ServeOptions): Promise<void> {
  const stopped = nextSignal();
  await requireFreePort(settings.port, settings.host);
  const database = await openDatabase(location);
  try {
    await migrate(database.knex);
    await prepare?.(database);
    const log = createLog(settings.logLevel);
    const server = await startServer(settings, database, { log });
    await onListening(server);
    const nightly = startNightly(database.knex, log, systemClock, undefined, settings.crawlerRetentionDays);
    await stopped;
    await Promise.all([server.close(GRACE_MS), nightly.stop()]);
  } finally {
    await database.close();
  }
}

function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signalled = false;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (signalled) process.exit(130);
        signalled = true;
        resolve();
      });
    }
  });
}
