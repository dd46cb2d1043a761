/** Metrics of a whole server: of one process, or of a primary process with workers. */

import { createServer } from 'node:http';
import { isIPv6 } from 'node:net';
import prometheus, { type Registry } from 'prom-client';
import { listen } from '../http/listen.js';
import type { Logger } from '../log.js';
import type { NightlyReport } from '../nightly.js';
import { type ServerMetrics, serverMetrics } from './metrics.js';

/** The metrics of nightly work, which one process of a server does. */
export function nightlyMetrics(registry: Registry): NightlyReport {
  const metric = { labelNames: ['task' as const], registers: [registry] };
  const duration = new prometheus.Gauge({
    name: 'svc_nightly_duration_seconds',
    help: 'How long the task took last time.',
    ...metric,
  });
  const success = new prometheus.Gauge({
    name: 'svc_nightly_last_success_timestamp_seconds',
    help: 'When the task last succeeded.',
    ...metric,
  });
  const failures = new prometheus.Counter({
    name: 'svc_nightly_failures_total',
    help: 'How often the task failed; it is tried again at the next check.',
    ...metric,
  });
  return (task, seconds, succeeded) => {
    duration.set({ task }, seconds);
    if (succeeded) success.set({ task }, Date.now() / 1000);
    else failures.inc({ task });
  };
}

// Serves /metrics on a port of its own, which is not meant for users of the API.

export interface AdminAddress {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
}

export interface AdminServer {
  /** The address of the metrics. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * @param metrics Returns the text of all metrics.
 * @throws ListenError
 */
export async function startAdminServer(
  { port, host }: AdminAddress,
  metrics: () => Promise<string>,
  log: Logger,
): Promise<AdminServer> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0];
    if (path !== '/metrics') return void response.writeHead(404).end('Only /metrics is here.\n');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    try {
      const text = await metrics();
      response.writeHead(200, { 'Content-Type': prometheus.Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
    } catch (error) {
      log.warn({ err: error }, 'metrics could not be collected');
      response.writeHead(503).end('The metrics could not be collected.\n');
    }
  });
  await listen(server, port, host, { port: 'ADMIN_PORT', host: 'ADMIN_HOST' });
  const address = server.address();
  const used = typeof address === 'object' && address ? address.port : port;
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${used}/metrics`;
  log.info({ url }, 'metrics are served');
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

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
