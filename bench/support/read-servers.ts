/** Servers of bench/support/read-server.mjs, each in a process of its own, and the processor time that a request costs them. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { createDatabaseUrl } from './database-url.js';
import { least } from './least.js';

export type ServerKind =
  | 'node'
  | 'koa'
  | 'koa-with-headers'
  | 'fastify'
  | 'memory'
  | 'monitored'
  | 'database'
  | 'page';

interface ReadServer {
  readonly child: ChildProcess;
  readonly url: string;
  /** Headers that authenticate, one object for each key. */
  readonly credentials: readonly Readonly<Record<string, string>>[];
}

/** What requests cost a server: microseconds of processor time each, and how many it answers in a second. */
export interface Cost {
  readonly micros: number;
  readonly rate: number;
}

const CONNECTIONS = 32;
/**
 * Seconds of requests to all servers at once before the first round. V8 compiles code that runs a few times a second, as the
 * look-up of a key does, for about half a minute; a bare server is done after a second.
 */
const WARM_UP_SECONDS = 30;

async function startReadServer(kind: ServerKind, database: string): Promise<ReadServer> {
  const script = fileURLToPath(new URL('./read-server.mjs', import.meta.url));
  const child = fork(script, [kind, database]);
  const [message] = (await once(child, 'message')) as [Pick<ReadServer, 'url' | 'credentials'>];
  return { child, ...message };
}

/** Microseconds of processor time that the process has used so far. */
async function used(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
  return user + system;
}

/** Sends requests from 32 connections, each with a key of its own. */
async function load({ child, url, credentials }: ReadServer, seconds: number): Promise<Cost> {
  const before = await used(child);
  let connection = 0;
  const { requests, non2xx } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (client) => {
      client.setHeaders(credentials[connection++ % credentials.length]!);
    },
  });
  if (non2xx > 0) throw new Error(`${url}: ${non2xx} requests refused`);
  return { micros: ((await used(child)) - before) / requests.total, rate: requests.average };
}

/**
 * Warms servers up, then measures them in turn, in several rounds; returns the round of each kind that was disturbed least.
 * @param kinds A kind that occurs several times has as many processes: those of one kind differ by up to 20 %, in each of
 *   their rounds.
 */
export async function costs<K extends ServerKind>(
  kinds: readonly K[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Record<K, Cost>> {
  const database = await createDatabaseUrl();
  const [first, ...others] = kinds;
  // The first one fills the database.
  const servers = [await startReadServer(first!, database)];
  servers.push(...(await Promise.all(others.map((kind) => startReadServer(kind, database)))));
  const measured = new Map(kinds.map((kind) => [kind, [] as Cost[]]));
  await Promise.all(servers.map((server) => load(server, WARM_UP_SECONDS)));
  for (let round = 0; round < rounds; round++) {
    for (const [at, server] of servers.entries()) measured.get(kinds[at]!)!.push(await load(server, seconds));
  }
  for (const { child } of servers) child.kill();
  return Object.fromEntries([...measured].map(([kind, all]) => [kind, leastDisturbed(all)])) as Record<
    K,
    Cost
  >;
}

/** What else the machine does only adds to the processor time of a request and takes from their number. */
const leastDisturbed = (rounds: readonly Cost[]): Cost => ({
  micros: least(rounds.map(({ micros }) => micros)),
  rate: Math.max(...rounds.map(({ rate }) => rate)),
});

export const written = ({ micros, rate }: Cost): string =>
  `${micros.toFixed(1)} µs of processor time, ${rate.toFixed(0)} requests/s`;
