/** A real server on a real database for tests: a loopback port, a clock that tests set, keys of every kind. */
import { serverSettings } from '../../scripts/support/server-settings.js';
import { createKey, type NewKey } from '../../src/server/accounts/keys.js';
import { tellMovesOfRuns } from '../../src/server/alerts/moves/tell.js';
import { createLog } from '../../src/server/base/log.js';
import type { Database } from '../../src/server/database/database.js';
import { type ImportResult, importDataset } from '../../src/server/intake/dataset/import.js';
import type { PlanSettings } from '../../src/server/intake/plan-settings.js';
import { type ServerOverrides, type ServerSettings, startServer } from '../../src/server/run/main.js';
import { emptyDatabase } from './database.js';

export const OPERATOR_KEY = 'operator-key-of-the-tests-0123456789';

export interface TestServer {
  readonly url: string;
  readonly database: Database;
  /** The server's time. Setting it moves the clock, and what is kept for less than the difference is forgotten. */
  now: Date;
  /** Moves the clock on, by default by a second: longer than keys, brands and versions of data are kept. */
  pass(milliseconds?: number): void;
  /** Imports records, or lines as they are. */
  load(lines: Iterable<object | string>): Promise<ImportResult>;
  /** Makes a key and returns its secret. */
  key(wanted: NewKey): Promise<string>;
  /** GET (or another method) with a key; no key: no Authorization header. */
  request(path: string, key?: string | null, init?: RequestInit): Promise<Response>;
  /** The body of a GET that must be 200. */
  read<T = Record<string, unknown>>(path: string, key?: string): Promise<T>;
  /** @param graceMs Open requests are aborted after it. */
  close(graceMs?: number): Promise<void>;
}

export const bytesOf = async function* (lines: Iterable<object | string>): AsyncGenerator<Buffer> {
  for (const line of lines) yield Buffer.from(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
};

/** Starts a server; `database` shares one between servers, and is then closed by its owner. */
export async function testServer(
  options: Partial<ServerSettings> &
    Pick<
      ServerOverrides,
      | 'metrics'
      | 'log'
      | 'bodyTimeouts'
      | 'memoryLimits'
      | 'mostPauseMs'
      | 'replicaTimes'
      | 'robots'
      | 'fetchDocument'
      | 'firstPlan'
    > & {
      now?: Date;
      database?: Database;
      planSettings?: (database: Database) => PlanSettings;
    } = {},
): Promise<TestServer> {
  const {
    now = new Date('2026-11-20T12:00:00Z'),
    database: shared,
    log: given,
    bodyTimeouts,
    memoryLimits,
    mostPauseMs,
    replicaTimes,
    metrics,
    robots,
    fetchDocument,
    planSettings,
    firstPlan,
    ...changed
  } = options;
  const database = shared ?? (await emptyDatabase());
  const log = given ?? createLog('silent');
  let time = now;
  let elapsed = 1;
  const server = await startServer({ ...serverSettings(OPERATOR_KEY), ...changed }, database, {
    clock: () => time,
    elapsed: () => elapsed,
    log,
    // Most brands of tests have a domain that does not exist; no test waits for a slow resolver. Sites on loopback
    // addresses answer, however busy the machine is.
    robotsTimeoutMs: changed.robotsAllowPrivate ? 60_000 : 2000,
    ...(bodyTimeouts && { bodyTimeouts }),
    ...(memoryLimits && { memoryLimits }),
    ...(mostPauseMs !== undefined && { mostPauseMs }),
    replicaTimes,
    metrics,
    robots,
    fetchDocument,
    planSettings: planSettings?.(database),
    firstPlan,
  });
  const test: TestServer = {
    url: server.url,
    database,
    get now() {
      return time;
    },
    set now(later) {
      elapsed += Math.abs(later.getTime() - time.getTime());
      time = later;
    },
    pass: (milliseconds = 1000) => {
      test.now = new Date(time.getTime() + milliseconds);
    },
    load: async (lines) => {
      const result = await importDataset(database.knex, bytesOf(lines), {
        ...{ now: test.now, afterDays: tellMovesOfRuns },
      });
      // Otherwise reads of the next second would depend on the speed of the machine.
      server.forget();
      return result;
    },
    key: async (wanted) => (await createKey(database.knex, wanted, test.now)).key,
    request: (path, key = OPERATOR_KEY, init = {}) => {
      const authorization = key === null ? {} : { Authorization: `Bearer ${key}` };
      return fetch(server.url + path, { ...init, headers: { ...authorization, ...init.headers } });
    },
    read: async (path, key) => {
      const response = await test.request(path, key);
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as never;
    },
    close: async (graceMs) => {
      await server.close(graceMs);
      if (!shared) await database.close();
    },
  };
  return test;
}
