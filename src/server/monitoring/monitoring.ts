/** Metrics of a whole server: of one process, or of a primary process with workers. */
import prometheus from 'prom-client';
import type { Logger } from '../log.js';
import type { NightlyReport } from '../nightly.js';
import { type AdminAddress, type AdminServer, startAdminServer } from './admin-server.js';
import { type ServerMetrics, serverMetrics } from './metrics.js';
import { nightlyMetrics } from './nightly-metrics.js';

/** The metrics of a server that is one process. */
export async function monitorProcess(address: AdminAddress, log: Logger) {
  const metrics = serverMetrics();
  const nightly = nightlyMetrics(metrics.registry);
  return { metrics, nightly, admin: await startAdminServer(address, () => metrics.registry.metrics(), log) };
}

export interface PrimaryMonitoring {
  readonly nightly: NightlyReport;
  readonly admin: AdminServer;
}

/**
 * The metrics of a server with workers, served by the primary process: those of all workers added up, and its own, whose names
 * are others.
 */
export async function monitorWorkers(address: AdminAddress, log: Logger): Promise<PrimaryMonitoring> {
  const own = new prometheus.Registry();
  const workers = new prometheus.AggregatorRegistry();
  const text = async () => (await workers.clusterMetrics()) + (await own.metrics());
  return { nightly: nightlyMetrics(own), admin: await startAdminServer(address, text, log) };
}

/** The metrics of a worker, which the primary process asks for by messages. */
export function workerMetrics(): ServerMetrics {
  const metrics = serverMetrics();
  prometheus.AggregatorRegistry.setRegistries(metrics.registry);
  // Its constructor makes this process answer the messages of the primary process.
  new prometheus.AggregatorRegistry();
  return metrics;
}
