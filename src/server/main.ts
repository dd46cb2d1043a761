/** The composition root: from settings to a server that answers. */
import { createServer, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { createDirectory } from './accounts/directory.js';
import { createApp } from './app.js';
import { type Clock, systemClock } from './clock.js';
import type { ServerConfig } from './config.js';
import type { Database } from './database/database.js';
import { createFactChecks } from './fact-check/fact-checks.js';
import { answerClientErrors } from './http/client-error.js';
import { listen } from './http/listen.js';
import { BODY_TIMEOUTS, type BodyTimeouts } from './http/read-body.js';
import { INTAKE_LIMITS, type IntakeLimits } from './ingest/intake.js';
import { databaseBuckets, memoryBuckets } from './limits/buckets.js';
import { createLog, type Logger } from './log.js';
import { createReadCache } from './reads/read-cache.js';
import { ROBOTS_TIMEOUT_MS } from './robots/fetch.js';
import { createRobotsChecks } from './robots/robots-checks.js';

export interface RunningServer {
  /** Where it answers, as http://host:port. */
  readonly url: string;
  /** Stops accepting and lets what runs finish, cutting it after `graceMs`; the database stays open. */
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
>;

/** What tests set in its place. */
export interface ServerSurroundings {
  /** For everything; without one the system's, and the database's for buckets in it. */
  readonly clock?: Clock;
  readonly log?: Logger;
  /** How long the body of an ingest request may take. */
  readonly bodyTimeouts?: BodyTimeouts;
  /** How much of such bodies the process holds at a time. */
  readonly intakeLimits?: IntakeLimits;
  /** How long a check of a site's robots.txt may take. */
  readonly robotsTimeoutMs?: number;
}

/** Starts serving a migrated database. */
export async function startServer(
  settings: ServerSettings,
  database: Database,
  {
    clock: given,
    log = createLog(settings.logLevel),
    bodyTimeouts = BODY_TIMEOUTS,
    intakeLimits = INTAKE_LIMITS,
    robotsTimeoutMs = ROBOTS_TIMEOUT_MS,
  }: ServerSurroundings = {},
): Promise<RunningServer> {
  const db = database.knex;
  const clock = given ?? systemClock;
  const store = settings.rateLimitStore ?? (database.embedded ? 'memory' : 'database');
  const factChecks = createFactChecks({ db, clock, log, model: settings.factCheckModel });
  const app = createApp({
    db,
    ping: database.ping,
    clock,
    log,
    cache: createReadCache(),
    robots: createRobotsChecks(clock, {
      allowPrivate: settings.robotsAllowPrivate,
      timeoutMs: robotsTimeoutMs,
    }),
    // Without an operator key the API is off and no key is ever looked up.
    directory: createDirectory(db, settings.operatorKey ?? ''),
    buckets: store === 'memory' ? memoryBuckets(clock) : databaseBuckets(db, given),
    enabled: settings.operatorKey !== null,
    allowedOrigins: new Set(settings.allowedOrigins),
    trustProxyHops: settings.trustProxyHops,
    crawlerRetentionDays: settings.crawlerRetentionDays,
    bodyTimeouts,
    intakeLimits,
    factChecks,
  });
  const handle = app.callback();
  // A missing Host is refused by the application, as an unknown Expect is: with a body.
  const server = createServer({ requireHostHeader: false }, handle);
  server.on('checkExpectation', handle);
  answerClientErrors(server);
  await listen(server, settings.port, settings.host);
  return {
    url: urlOf(server, settings.host),
    close: (graceMs) => close(server, () => factChecks.stop(), graceMs),
  };
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** How long a request that was told to end may take to say so. */
const LAST_WORDS_MS = 500;
/** How often connections are closed whose last request has been answered meanwhile. */
const SWEEP_MS = 50;

/** @param stopWork Ends what would go on for longer than the grace, so that its caller learns of it. */
async function close(server: Server, stopWork: () => Promise<void>, graceMs = 5000): Promise<void> {
  const lastCall = setTimeout(stopWork, Math.max(0, graceMs - LAST_WORDS_MS));
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
  } finally {
    clearInterval(sweep);
    clearTimeout(lastCall);
    clearTimeout(cut);
    await stopWork();
  }
}
