/** Runs a server until a signal: opens and migrates the database, listens, then finishes running requests and closes. */
import cluster from 'node:cluster';
import { createLog, type Logger } from '../base/log.js';
import { openMigrated } from '../database/database.js';
import type { OpenFolder } from '../database/embedded.js';
import { type FolderHost, shareFolder } from '../database/folder-host.js';
import { requireFreePort } from '../web/http/listen.js';
import { startBackground } from './background.js';
import { GRACE_MS, type ServeOptions, startServer } from './main.js';
import { endedBySignals, exitInterrupted, firstSignal } from './signals.js';
import { serveInWorker, serveWithWorkers } from './workers/serve-with-workers.js';

/** Whether this process is a worker of another one, which prints and logs what concerns the whole server. */
export const isWorker = (): boolean => cluster.isWorker;

/**
 * Serves until SIGINT or SIGTERM. A second signal ends the process at once.
 * @throws ExpectedError before any other work, if it cannot listen on the address or port.
 */
export function serve(options: ServeOptions): Promise<void> {
  const { workers = 1 } = options;
  if (workers === 1) return serveAlone(options);
  return isWorker() ? serveInWorker(workers, options) : serveWithWorkers(workers, options);
}

async function serveAlone({
  settings,
  location,
  admin,
  version,
  prepare,
  robots,
  routine: begin,
  firstPlan,
  planSettings: settingsOf,
  writeReport,
  onListening,
}: ServeOptions): Promise<void> {
  await requireFreePort(settings.port, settings.host);
  const database = await endedBySignals(() => openMigrated(location, prepare));
  const stopped = firstSignal(exitInterrupted);
  try {
    const log = createLog(settings.logLevel);
    const monitoring = admin && (await (await import('./monitoring/metrics.js')).monitorProcess(admin, log));
    const shared = database.shared && (await share(database.shared, version, log));
    try {
      const report = monitoring?.background.collections;
      const routine = await begin?.({ database, log, isShared: shared !== undefined, report });
      const planSettings = await settingsOf?.(database);
      const { metrics } = monitoring ?? {};
      const faces = { metrics, firstPlan, planSettings };
      const server = await startServer(settings, database, { log, robots, ...faces });
      const { url } = server;
      shared?.listensOn(url);
      await onListening(server);
      const reports = monitoring?.background;
      const background = startBackground(database, settings, { log, reports, writeReport, robots });
      routine?.start();
      await stopped;
      await Promise.all([server.close(GRACE_MS), background.stop(), routine?.stop()]);
    } finally {
      // After the routine, whose imports use it.
      await shared?.close();
      await monitoring?.admin.close();
    }
  } finally {
    await database.close();
  }
}

/** Shares an embedded database with the commands of its owner. Without a socket the server serves all the same. */
async function share(folder: OpenFolder, version: string, log: Logger): Promise<FolderHost | undefined> {
  try {
    return await shareFolder(folder, version, log);
  } catch (error) {
    log.warn({ err: error }, 'no other process can use the embedded database');
    return undefined;
  }
}
