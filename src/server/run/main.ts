/** The composition root: builds the server from its settings and starts it. */
import { createServer, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { createDirectory } from '../accounts/directory.js';
import { peopleOf } from '../accounts/people.js';
import type { WriteReport } from '../alerts/delivery/digest.js';
import { createFactChecks } from '../alerts/fact-check/fact-checks.js';
import type { CollectionReport } from '../answers/collections.js';
import { createReadCache } from '../answers/reads/read-cache.js';
import { type Clock, type Stopwatch, systemClock, systemStopwatch } from '../base/clock.js';
import { createLog, type Logger } from '../base/log.js';
import { createRobotsChecks, type fetchRobots, ROBOTS_TIMEOUT_MS } from '../base/robots/fetch.js';
import { MAX_WAIT_MS } from '../database/change-pause.js';
import type { Database, DatabaseLocation } from '../database/database.js';
import { readPool } from '../database/read-session.js';
import { openReplica, type WatchTimes } from '../database/replica.js';
import type { FirstPlan } from '../intake/first-plan.js';
import { MEMORY_LIMITS, type MemoryLimits, storingConnections } from '../intake/ingest/limits.js';
import type { PlanSettings } from '../intake/plan-settings.js';
import { answerClientErrors } from '../web/http/connection.js';
import { listen } from '../web/http/listen.js';
import { BODY_TIMEOUTS, type BodyTimeouts } from '../web/http/read-body.js';
import { databaseBuckets, memoryBuckets } from '../web/limits/buckets.js';
import { createWrongKeys } from '../web/limits/wrong-keys.js';
import type { FetchDocument } from '../web/oauth/provider.js';
import { createApp } from './app.js';
import type { ServerConfig } from './config.js';
import type { AdminAddress, ServerMetrics } from './monitoring/metrics.js';
import { requestLog } from './monitoring/observed.js';

export interface RunningServer {
  /** The address of the server, as http://host:port. */
  readonly url: string;
  /** Clears what is remembered of keys and brands, after a change by this process: it is seen at once. */
  forget(): void;
  /** Stops accepting requests and waits for running ones, up to `graceMs`. The database stays open. */
  close(graceMs?: number): Promise<void>;
}

export type ServerSettings = Pick<
  ServerConfig,
  | 'operatorKey'
  | 'host'
  | 'port'
  | 'rateLimitStore'
  | 'trustProxyHops'
  | 'allowedOrigins'
  | 'logLevel'
  | 'crawlerRetentionDays'
  | 'robotsAllowPrivate'
  | 'factCheckModel'
> &
  Partial<
    Pick<
      ServerConfig,
      | 'crawlerLogProxies'
      | 'publicUrl'
      | 'page'
      | 'oauth'
      | 'oauthRegistration'
      | 'identityProvider'
      | 'alertsAllowPrivate'
      | 'mail'
    >
  >;

/** What tests and the demo replace. */
export interface ServerOverrides {
  /** The clock of everything; if omitted, the system's, and the database's for buckets in the database. */
  readonly clock?: Clock;
  /** The time of caches; if omitted, the system's. */
  readonly elapsed?: Stopwatch;
  readonly log?: Logger;
  /** What the server counts; if omitted, nothing. */
  readonly metrics?: ServerMetrics | undefined;
  /** How long the body of an ingest request may take. */
  readonly bodyTimeouts?: BodyTimeouts;
  /** Limits on the memory for such bodies. */
  readonly memoryLimits?: MemoryLimits;
  /** How long a check of a site's robots.txt may take. */
  readonly robotsTimeoutMs?: number;
  /** Returns the robots.txt of a domain; if omitted, it is fetched. */
  readonly robots?: typeof fetchRobots | undefined;
  /** Fetches the document that describes an assistant; if omitted, from public addresses only. */
  readonly fetchDocument?: FetchDocument | undefined;
  readonly replicaTimes?: WatchTimes | undefined;
  /** How long a request waits while an embedded database accepts no changes. */
  readonly mostPauseMs?: number;
  /** Makes the first plan on the page; if omitted, the page makes none. */
  readonly firstPlan?: FirstPlan | null | undefined;
  /** The plans that people change on the page; if omitted, none. */
  readonly planSettings?: PlanSettings | null | undefined;
}

/**
 * How long an idle connection is kept: longer than nginx and load balancers keep theirs (60 s). A request on a connection that
 * the server closes at the same moment fails, and nobody sends a POST again. Node's own time is 5 s.
 */
const KEEP_ALIVE_MS = 65_000;

/** Work that a server does besides requests, until it stops. */
export interface Routine {
  start(): void;
  stop(): Promise<void>;
}

/** What such work uses. */
export interface RoutineContext {
  readonly database: Database;
  readonly log: Logger;
  /** Whether other processes can use the embedded database through this one. */
  readonly isShared: boolean;
  /** Told how collections stand; undefined: nothing is counted. */
  readonly report: CollectionReport | undefined;
}

export interface ServeOptions {
  readonly settings: ServerSettings;
  readonly location: DatabaseLocation;
  /** The version of the program. An embedded database is shared with commands of the same one. */
  readonly version: string;
  /** Where metrics are served; if omitted, nowhere. */
  readonly admin?: AdminAddress | undefined;
  /** Processes that serve; if omitted, only this one. */
  readonly workers?: number;
  /** Runs between migration and listening; the demo loads its data here. Not called with several workers. */
  readonly prepare?: (database: Database) => Promise<void>;
  /** Returns the robots.txt of a domain; if omitted, it is fetched. Not used with several workers. */
  readonly robots?: ServerOverrides['robots'];
  /** Makes work that begins when the server listens. Of several workers the primary process does it. */
  readonly routine?: ((context: RoutineContext) => Promise<Routine>) | undefined;
  /** Makes the first plan on the page. Not used with several workers. */
  readonly firstPlan?: ServerOverrides['firstPlan'];
  /** Makes what changes the plans on the page, in each process that serves; if omitted, nothing does. */
  readonly planSettings?: ((database: Database) => Promise<PlanSettings>) | undefined;
  /** Writes the report of a digest; if omitted, there are no digests. */
  readonly writeReport?: WriteReport;
  /** Called when the server accepts requests. Not called in a worker. */
  readonly onListening: (server: Pick<RunningServer, 'url'>) => Promise<void> | void;
}

/** Connections that are still busy this long after the signal are closed. */
export const GRACE_MS = 10_000;

export async function startServer(
  settings: ServerSettings,
  database: Database,
  {
    clock: fixedClock,
    elapsed = systemStopwatch,
    log = createLog(settings.logLevel),
    bodyTimeouts = BODY_TIMEOUTS,
    memoryLimits = MEMORY_LIMITS,
    robotsTimeoutMs = ROBOTS_TIMEOUT_MS,
    robots,
    fetchDocument,
    replicaTimes,
    metrics,
    mostPauseMs = MAX_WAIT_MS,
    firstPlan = null,
    planSettings = null,
  }: ServerOverrides = {},
): Promise<RunningServer> {
  const { knex: db, lookUps } = database;
  const clock = fixedClock ?? systemClock;
  const store = settings.rateLimitStore ?? (database.embedded ? 'memory' : 'database');
  const factChecks = createFactChecks({ db, clock, log, model: settings.factCheckModel });
  const replica = database.replica && (await openReplica(db, database.replica, log, replicaTimes));
  const cache = createReadCache(elapsed);
  const primary = readPool(db, storingConnections(db));
  metrics?.watchPools({
    primary: { db, reads: primary },
    ...(!database.embedded && { look_ups: { db: lookUps } }),
    ...(database.replica && replica && { replica: { db: database.replica, reads: replica } }),
  });
  metrics?.watchCache(cache.counts);
  const observers = [metrics?.observe, requestLog(log, settings.logLevel)];
  // Without an operator key the API is off, and no key is looked up.
  const { oauth, oauthRegistration: registration = false, identityProvider = null } = settings;
  const people = identityProvider ? peopleOf(identityProvider, clock) : undefined;
  const directory = createDirectory(lookUps, settings.operatorKey ?? '', elapsed, people);
  const app = createApp({
    // The libraries are loaded only where they are used.
    oauth: oauth ? { ...(await import('../web/oauth/routes.js')), registration, fetchDocument } : null,
    identityProvider,
    accountRoutes: identityProvider && (await import('../web/oidc/routes.js')).accountRoutes,
    db,
    primary,
    replica,
    ping: database.ping,
    clock,
    elapsed,
    log,
    cache,
    observers: observers.filter((each) => each !== undefined),
    ingested: metrics?.ingested,
    robots: createRobotsChecks(
      clock,
      { allowPrivate: settings.robotsAllowPrivate, timeoutMs: robotsTimeoutMs },
      robots,
    ),
    directory,
    buckets: store === 'memory' ? memoryBuckets(clock) : databaseBuckets(lookUps, fixedClock),
    wrongKeys: createWrongKeys(clock),
    enabled: settings.operatorKey !== null,
    allowedOrigins: new Set(settings.allowedOrigins),
    trustProxyHops: settings.trustProxyHops,
    publicUrl: settings.publicUrl ?? null,
    page: settings.page ?? true,
    firstPlan,
    planSettings,
    crawlerRetentionDays: settings.crawlerRetentionDays,
    crawlerLogProxies: settings.crawlerLogProxies ?? [],
    bodyTimeouts,
    memoryLimits,
    factChecks,
    pause: database.shared && { of: database.shared.pause, mostMs: mostPauseMs },
  });
  const handle = app.callback();
  // The application refuses a missing Host and an unknown Expect itself, with a body.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_MS }, handle);
  server.on('checkExpectation', handle);
  answerClientErrors(server);
  await listen(server, settings.port, settings.host);
  return {
    url: urlOf(server, settings.host),
    forget: directory.forget,
    close: async (graceMs) => {
      replica?.stop();
      await close(server, () => factChecks.stop(), graceMs);
    },
  };
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Time for the responses of requests that `stopWork` ends. */
const LAST_RESPONSES_MS = 500;
/** How often connections that have become idle are closed. */
const SWEEP_MS = 50;

/**
 * Waits until the connections that were cut have emitted `close`, which ends the reads for them. That of the server comes
 * first, and a read that sends another statement to a closed database would wait for it for five seconds.
 */
async function socketsClosed(): Promise<void> {
  // Handles are closed at the end of a turn of the event loop, after its immediates.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

/** @param stopWork Ends work that would take longer than the grace period, so that its caller gets a response. */
async function close(server: Server, stopWork: () => Promise<void>, graceMs = 5000): Promise<void> {
  const lastCall = setTimeout(stopWork, Math.max(0, graceMs - LAST_RESPONSES_MS));
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
    await socketsClosed();
  } finally {
    clearInterval(sweep);
    clearTimeout(lastCall);
    clearTimeout(cut);
    await stopWork();
  }
}
