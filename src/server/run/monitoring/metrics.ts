/**
 * The metrics of a server for Prometheus, named by its conventions. Labels have few values: routes and never paths, brands or
 * keys.
 */

import { createServer } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Knex } from 'knex';
import prometheus, { type Gauge, type Registry } from 'prom-client';
import { crawlerEvents } from '../../../contract/crawler-events.js';
import { API_VERSION } from '../../../contract/versions.js';
import type { DeliveryReport } from '../../alerts/delivery/deliveries.js';
import type { CollectionReport } from '../../answers/collections.js';
import type { Logger } from '../../base/log.js';
import { listen } from '../../web/http/listen.js';
import type { Ingested } from '../../web/rest/ingest.js';
import type { BackgroundReports } from '../background.js';
import type { NightlyReport } from '../nightly.js';
import type { Observer } from './observed.js';

/** Counted by the cache itself, because a counter of prom-client costs more than a look-up. */
interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}

function watchCache(registry: Registry, counts: CacheCounts): void {
  new prometheus.Counter({
    name: 'svc_read_cache_requests_total',
    help: 'Reads that were answered from the cache (hit), or computed (miss).',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ result: 'hit' }, counts.hits);
      this.inc({ result: 'miss' }, counts.misses);
    },
  });
}

function countIngest(registry: Registry): Ingested {
  const registers = [registry];
  const lines = new prometheus.Counter({
    name: 'svc_ingest_lines_total',
    help: 'Lines of crawler logs: parsed as a request, or unparsed.',
    labelNames: ['result'],
    registers,
  });
  const hits = new prometheus.Counter({
    name: 'svc_ingest_hits_total',
    help: 'Hits of AI agents in them: inserted, or not, because they are stored or expired already.',
    labelNames: ['result'],
    registers,
  });
  return ({ inserted, matched, totalLines, unparsed }) => {
    lines.inc({ result: 'parsed' }, totalLines);
    lines.inc({ result: 'unparsed' }, unparsed);
    hits.inc({ result: 'inserted' }, inserted);
    hits.inc({ result: 'not_inserted' }, matched - inserted);
  };
}

/** The pools of a server by the value of their label. */
type Pools = Readonly<Record<string, WatchedPool>>;

interface WatchedPool {
  readonly db: Knex;
  /** The queue of the reads that use it, if any do. */
  readonly reads?: { readonly waiting: number };
}

/** The methods of the pool of knex, which its types omit. */
interface Pool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

const poolOf = (db: Knex): Pool => db.client.pool;

/** Reads the state of the pools at each scrape. */
function watchPools(registry: Registry, pools: Pools): void {
  const gauge = (
    name: string,
    help: string,
    more: string[],
    values: (pool: Pool, watched: WatchedPool) => [object, number][],
  ) =>
    new prometheus.Gauge({
      name,
      help,
      labelNames: ['pool', ...more],
      registers: [registry],
      collect() {
        for (const [pool, watched] of Object.entries(pools))
          for (const [labels, value] of values(poolOf(watched.db), watched))
            this.set({ pool, ...labels }, value);
      },
    });
  gauge('svc_database_pool_connections', 'Open connections to the database.', ['state'], (pool) => [
    [{ state: 'used' }, pool.numUsed()],
    [{ state: 'idle' }, pool.numFree()],
  ]);
  gauge('svc_database_pool_max_connections', 'Connections that the pool may open.', [], (pool) => [
    [{}, pool.max],
  ]);
  gauge(
    'svc_database_pool_waiting',
    'Statements that wait for a connection, and reads that wait for their turn to use one.',
    [],
    (pool, { reads }) => [[{}, pool.numPendingAcquires() + (reads?.waiting ?? 0)]],
  );
}

/** The bounds of the histogram: from a cached read to a long log. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Clients may send any of Node's methods. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

function countRequests(registry: Registry): Observer {
  const registers = [registry];
  const requests = new prometheus.Counter({
    name: 'svc_http_requests_total',
    help: 'Requests by route and status; aborted: the client closed the connection before the response.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new prometheus.Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers,
  });
  const refusals = new prometheus.Counter({
    name: 'svc_rate_limit_refusals_total',
    help: 'Requests that were refused because the bucket of their key was empty.',
    labelNames: ['surface'],
    registers,
  });
  return ({ method: sent, route = 'unknown', status, aborted, seconds }) => {
    const method = METHODS.has(sent) ? sent : 'other';
    requests.inc({ method, route, status: aborted ? 'aborted' : status });
    durations.observe({ method, route }, seconds);
    if (status !== 429 || aborted) return;
    refusals.inc({ surface: route.endsWith(`/${crawlerEvents.name}`) ? 'ingest' : 'reads' });
  };
}

/** What a server reports while it runs. */
export interface ServerMetrics {
  readonly registry: Registry;
  readonly observe: Observer;
  readonly ingested: Ingested;
  watchPools(pools: Pools): void;
  watchCache(counts: CacheCounts): void;
}

export function serverMetrics(): ServerMetrics {
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  new prometheus.Gauge({
    name: 'svc_build_info',
    help: 'Always 1; the label has the version of the API.',
    labelNames: ['api_version'],
    aggregator: 'first',
    registers: [registry],
  }).set({ api_version: API_VERSION }, 1);
  return {
    registry,
    observe: countRequests(registry),
    ingested: countIngest(registry),
    watchPools: (pools) => watchPools(registry, pools),
    watchCache: (counts) => watchCache(registry, counts),
  };
}

// Metrics of a whole server: of one process, or of a primary process with workers.

/** The metrics of nightly work, which one process of a server does. */
function nightlyMetrics(registry: Registry): NightlyReport {
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
    if (succeeded) success.setToCurrentTime({ task });
    else failures.inc({ task });
  };
}

/** The metrics of the collections, which one process of a server does. They are in the database, so a restart keeps them. */
function collectionMetrics(registry: Registry): CollectionReport {
  const gauges = new Map<string, Gauge>();
  /** A series begins with its first value: a server without a schedule has none. */
  const setOf = (plan: string) => (name: string, help: string, value: number | null | undefined) => {
    if (value == null) return;
    const known = gauges.get(name);
    const gauge =
      known ??
      new prometheus.Gauge({
        name: `svc_collection_${name}`,
        help,
        labelNames: ['plan'],
        registers: [registry],
      });
    gauges.set(name, gauge);
    gauge.set({ plan }, value);
  };
  const seconds = (time: Date | null | undefined) => time && time.getTime() / 1000;
  return ({ file, last, nextAt, isRunning, fault }) => {
    const set = setOf(file);
    set('running', '1 while this server collects.', Number(isRunning));
    set('plan_fault', '1 if the plan cannot be used; the log has the reason.', Number(fault !== null));
    set('next_timestamp_seconds', 'When the next collection begins.', seconds(nextAt));
    set('last_start_timestamp_seconds', 'When the last collection began.', seconds(last?.startedAt));
    set('last_end_timestamp_seconds', 'When a collection last ended.', seconds(last?.endedAt));
    set('last_cost_usd', 'What the last collection cost.', last?.costUsd);
    set('last_calls', 'Its calls that were or may have been charged.', last?.calls);
    set('last_answered_runs', 'Runs of its plan that exist.', last?.answered);
    set('last_missing_runs', 'Runs of its plan that do not.', last?.missing);
  };
}

/** The metrics of deliveries, which one process of a server does. */
function deliveryMetrics(registry: Registry): DeliveryReport {
  const registers = [registry];
  const attempts = new prometheus.Counter({
    name: 'svc_delivery_attempts_total',
    help: 'Attempts to deliver an event: delivered; retried: failed, and tried again later; failed: not tried again.',
    labelNames: ['kind', 'result'],
    registers,
  });
  const pending = new prometheus.Gauge({
    name: 'svc_deliveries_pending',
    help: 'Events that wait for their delivery to a destination that is not paused, in the database.',
    registers,
  });
  return {
    attempted: (kind, result) => attempts.inc({ kind, result }),
    pending: (messages) => pending.set(messages),
  };
}

/** The metrics of what one process of a server does in the background. */
export const backgroundMetrics = (registry: Registry): BackgroundReports => ({
  nightly: nightlyMetrics(registry),
  deliveries: deliveryMetrics(registry),
  collections: collectionMetrics(registry),
});

// Serves /metrics on a port of its own, which is not meant for users of the API.

export interface AdminAddress {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
}

export interface AdminServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * @param metrics Returns the text of all metrics.
 * @throws ExpectedError if it cannot listen
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
  const background = backgroundMetrics(metrics.registry);
  return {
    metrics,
    background,
    admin: await startAdminServer(address, () => metrics.registry.metrics(), log),
  };
}

export interface PrimaryMonitoring {
  readonly background: BackgroundReports;
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
  return { background: backgroundMetrics(own), admin: await startAdminServer(address, text, log) };
}

/** The metrics of a worker, which the primary process asks for by messages. */
export function workerMetrics(): ServerMetrics {
  const metrics = serverMetrics();
  prometheus.AggregatorRegistry.setRegistries(metrics.registry);
  // Its constructor makes this process answer the messages of the primary process.
  new prometheus.AggregatorRegistry();
  return metrics;
}
