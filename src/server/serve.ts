/** Runs a server until a signal: opens and migrates the database, listens, then finishes running requests and closes. */
import cluster from 'node:cluster';
import { systemClock } from './clock.js';
import { openMigrated } from './database/database.js';
import { requireFreePort } from './http/listen.js';
import { createLog } from './log.js';
import { GRACE_MS, type ServeOptions, startServer } from './main.js';
import { startNightly } from './nightly.js';
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
  prepare,
  robots,
  routine: begin,
  onListening,
}: ServeOptions): Promise<void> {
  await requireFreePort(settings.port, settings.host);
  const database = await endedBySignals(() => openMigrated(location, prepare));
  const stopped = firstSignal(exitInterrupted);
  try {
    const log = createLog(settings.logLevel);
    const monitoring = admin && (await (await import('./monitoring/metrics.js')).monitorProcess(admin, log));
    try {
      const routine = await begin?.({ database, log, report: monitoring?.collections });
      const server = await startServer(settings, database, { log, robots, metrics: monitoring?.metrics });
      await onListening(server);
      const { crawlerRetentionDays } = settings;
      const report = monitoring?.nightly;
      const nightly = startNightly(database.knex, log, systemClock, undefined, crawlerRetentionDays, report);
      routine?.start();
      await stopped;
      await Promise.all([server.close(GRACE_MS), nightly.stop(), routine?.stop()]);
    } finally {
      await monitoring?.admin.close();
    }
  } finally {
    await database.close();
  }
}
