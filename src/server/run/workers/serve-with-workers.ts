/**
 * A server of several processes on one port. The primary process migrates the database, starts the workers and does the
 * work in the background; the workers serve requests. They share nothing but the database.
 */
import cluster from 'node:cluster';
import { createLog } from '../../base/log.js';
import { openDatabase, openMigrated } from '../../database/database.js';
import { requireFreePort } from '../../web/http/listen.js';
import { startBackground } from '../background.js';
import { GRACE_MS, type ServeOptions, startServer } from '../main.js';
import { endedBySignals, exitInterrupted, firstSignal } from '../signals.js';
import { type Started, sendSigns, startWorkers, WATCH_TIMES, workerIdentity } from './start-workers.js';

/** Time for a worker to close its database after the last response. */
const CLOSE_MS = 5000;

/**
 * Runs the primary process until a signal. A second signal ends it at once, and with it the workers.
 * @throws ExpectedError if a worker ends before all of them listen.
 */
export async function serveWithWorkers(
  count: number,
  { settings, location, admin, routine: begin, writeReport, onListening }: ServeOptions,
): Promise<void> {
  const port = await requireFreePort(settings.port, settings.host);
  const database = await endedBySignals(() => openMigrated(location));
  const stopped = firstSignal(exitInterrupted);
  try {
    const log = createLog(settings.logLevel);
    const monitoring = admin && (await (await import('../monitoring/metrics.js')).monitorWorkers(admin, log));
    const workers = startWorkers(count, port, log);
    try {
      const url = await Promise.race([workers.listening, stopped]);
      if (url === undefined) return;
      const report = monitoring?.background.collections;
      const routine = await begin?.({ database, log, isShared: false, report });
      await onListening({ url });
      const reports = monitoring?.background;
      const background = startBackground(database, settings, { log, reports, writeReport });
      routine?.start();
      await stopped;
      await Promise.all([workers.stop(GRACE_MS + CLOSE_MS), background.stop(), routine?.stop()]);
    } finally {
      await workers.stop(GRACE_MS + CLOSE_MS);
      await monitoring?.admin.close();
    }
  } finally {
    await database.close();
  }
}

/** Serves in a worker until the primary process sends a signal or ends. */
export async function serveInWorker(
  count: number,
  { settings, location, admin, planSettings: settingsOf }: ServeOptions,
): Promise<void> {
  // The signal of a terminal or a supervisor reaches the worker twice: directly, and through the primary process.
  const stopped = firstSignal(() => {});
  const { number, port } = workerIdentity();
  sendSigns(WATCH_TIMES.lookMs);
  const database = await openDatabase(location, { processes: count });
  try {
    const log = createLog(settings.logLevel, { worker: number });
    const metrics = admin && (await import('../monitoring/metrics.js')).workerMetrics();
    const planSettings = await settingsOf?.(database);
    const server = await startServer({ ...settings, port }, database, { log, metrics, planSettings });
    process.send!({ url: server.url } satisfies Started);
    await stopped;
    await server.close(GRACE_MS);
  } finally {
    await database.close();
    cluster.worker!.disconnect();
  }
}
