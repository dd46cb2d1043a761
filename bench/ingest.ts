/**
 * Ingest of crawler logs: storing the matches of a 10 MB body in a table of a million rows, against COPY into a temporary
 * table and insert-select; a cached read while such bodies arrive back to back, against the same read on an idle server;
 * and the memory of the command and of the server while a large log is shipped.
 *
 *   npm run build && node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/ingest.ts [rows]
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Database, migrate, openDatabase } from '../src/server/database/database.js';
import { importRecords } from '../src/server/intake/dataset/import.js';
import type { CrawlerEventRow } from '../src/server/intake/ingest/crawler-events.js';
import { HitWriter } from '../src/server/intake/ingest/take-logs.js';
import { atMost, costOf, type Result } from './support/bench.js';
import { copyFrom } from './support/copy-from.js';
import { createDatabaseUrl } from './support/database-url.js';
import { least } from './support/least.js';
import { makeCombinedLog } from './support/make-log.js';
import { printResults } from './support/print-results.js';
import { catalogOf } from './support/synthetic.js';

const ROUNDS = 9;
const MATCHES = 6808;
const READS = 1000;
const LATENCY_ROUNDS = 9;
const OPERATOR_KEY = 'operator-key-of-the-benchmark';
const MIB = 1024 * 1024;
const PIECE = 200_000;
const now = new Date();

/** A brand with so many hits. */
async function filled({ knex }: Database, rows: number): Promise<number> {
  await migrate(knex);
  await importRecords(knex, catalogOf('b'), { now });
  const { rows: brands } = await knex.raw('select brand_key from brands limit 1');
  const brandKey = brands[0].brand_key as number;
  // In pieces, because a statement may take 30 seconds at most.
  for (let first = 1; first <= rows; first += PIECE) {
    await knex.raw(
      `insert into crawler_events (brand_key, dedupe_key, agent, path, time, status, received_at)
       select :brandKey, substring(sha256(i::text::bytea) for 16), 'agent' || i % 40, '/page/' || i % 5000,
         cast(:now as timestamptz) - i * interval '10 seconds', 200, cast(:now as timestamptz)
       from generate_series(cast(:first as integer), cast(:last as integer)) i`,
      { brandKey, first, last: Math.min(rows, first + PIECE - 1), now },
    );
  }
  await knex.raw('analyze crawler_events');
  return brandKey;
}

const newRows = (): CrawlerEventRow[] =>
  Array.from({ length: MATCHES }, (_, i) => ({
    key: randomBytes(16).toString('base64'),
    agent: 'gptbot',
    path: `/docs/page-${i % 900}/of/some/length`,
    time: new Date(now.getTime() - i * 1000).toISOString(),
    status: 200,
    verified: null,
  }));

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function copyAndInsert(client: pg.Client, brandKey: number, rows: readonly CrawlerEventRow[]) {
  const at = now.toISOString();
  const line = (row: CrawlerEventRow) => {
    const key = `\\\\x${Buffer.from(row.key, 'base64').toString('hex')}`;
    return [brandKey, key, row.agent, row.path, row.time, row.status, '\\N', at].join('\t');
  };
  await client.query('begin');
  await client.query('create temporary table arriving (like crawler_events) on commit drop');
  await copyFrom(client, 'copy arriving from stdin', Buffer.from(`${rows.map(line).join('\n')}\n`));
  await client.query(
    'insert into crawler_events select * from arriving order by dedupe_key on conflict do nothing',
  );
  await client.query('commit');
}

async function storeRows({ knex }: Database, brandKey: number, rows: readonly CrawlerEventRow[]) {
  const writer = new HitWriter(knex, brandKey, now);
  for (const row of rows) writer.add(row);
  await writer.finish(now);
}

/** Milliseconds of storing the matches of a body, of storing them again, and of COPY and insert-select. */
async function storing(database: Database, url: string, brandKey: number) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const times = { store: [] as number[], again: [] as number[], copy: [] as number[] };
  // The first round warms up.
  for (let round = -1; round < ROUNDS; round++) {
    const rows = newRows();
    const store = await milliseconds(() => storeRows(database, brandKey, rows));
    const again = await milliseconds(() => storeRows(database, brandKey, rows));
    const others = newRows();
    const copy = await milliseconds(() => copyAndInsert(client, brandKey, others));
    if (round < 0) continue;
    times.store.push(store);
    times.again.push(again);
    times.copy.push(copy);
  }
  await client.end();
  return { store: least(times.store), again: least(times.again), copy: least(times.copy) };
}

interface Server {
  readonly child: ChildProcess;
  readonly address: string;
}

async function startServer(url: string): Promise<Server> {
  const script = fileURLToPath(new URL('./support/ingest-server.ts', import.meta.url));
  const child = fork(script, [url, OPERATOR_KEY]);
  const [address] = (await once(child, 'message')) as [string];
  return { child, address };
}

/** Milliseconds of sequential reads. */
async function latencies(address: string, agent: Agent): Promise<number[]> {
  const headers = { Authorization: `Bearer ${OPERATOR_KEY}` };
  const read = () =>
    new Promise((resolve, reject) => {
      const sent = request(`${address}/api/v1/brands`, { agent, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject).end();
    });
  const all: number[] = [];
  for (let i = 0; i < READS; i++) all.push(await milliseconds(read));
  return all;
}

const p99 = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)]!;

/** Sends bodies of 10 MB one after the other, until the returned function is called. */
async function startShipper(address: string): Promise<() => Promise<void>> {
  const script = fileURLToPath(new URL('./support/shipper.ts', import.meta.url));
  const shipper = fork(script, [address, OPERATOR_KEY]);
  await once(shipper, 'message');
  return async () => {
    shipper.send('stop');
    await once(shipper, 'message');
  };
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;

/**
 * The 99th percentile of reads on an idle server, and while bodies of 10 MB arrive back to back, in turn: the median of the
 * rounds. One round in which the machine does something else would decide the percentile of all reads, and the least of them
 * may be one in which few bodies arrived.
 */
async function reading({ address }: Server) {
  const agent = new Agent({ keepAlive: true });
  await latencies(address, agent);
  const idle: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < LATENCY_ROUNDS; round++) {
    idle.push(p99(await latencies(address, agent)));
    const stop = await startShipper(address);
    busy.push(p99(await latencies(address, agent)));
    await stop();
  }
  agent.destroy();
  return { idle: median(idle), busy: median(busy) };
}

/** The most resident memory that a process has had, in MiB; null where the system does not state it. */
function peakOf({ pid }: ChildProcess): number | null {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line ? Number(line[1]) / 1024 : null;
  } catch {
    return null;
  }
}

/** The peaks of the command and of the server while the command ships a log from its standard input. */
async function shipping({ child, address }: Server, mebibytes: number) {
  const env = { ...process.env, SVC_URL: address, SVC_API_KEY: OPERATOR_KEY };
  const svc = fileURLToPath(new URL('../bin/run.js', import.meta.url));
  const command = spawn(process.execPath, [svc, 'ingest', '-', '--quiet'], {
    env,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(command, 'close');
  let peak: number | null = null;
  const piece = 16;
  for (let sent = 0; sent < mebibytes; sent += piece) {
    const log = makeCombinedLog({ bytes: piece * MIB, seed: sent });
    if (!command.stdin.write(log)) await once(command.stdin, 'drain');
    peak = peakOf(command) ?? peak;
  }
  command.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`svc ingest ended with ${code}`);
  return { command: peak, server: peakOf(child) };
}

export async function ingest({ rows = 1_000_000, mebibytes = 512 } = {}): Promise<Result[]> {
  const url = await createDatabaseUrl();
  const database = await openDatabase({ url });
  const brandKey = await filled(database, rows);
  const { store, again, copy } = await storing(database, url, brandKey);
  await database.close();
  const server = await startServer(url);
  const { idle, busy } = await reading(server);
  const peaks = await shipping(server, mebibytes);
  server.child.kill();
  const ms = { unit: 'ms' };
  const ofBody = `${MATCHES} matches into ${rows} rows`;
  return [
    costOf(`store of ${ofBody}`, store, 'COPY and insert-select', copy, { ...ms, target: 1 }),
    costOf(`the same ${MATCHES} matches again`, again, 'stored for the first time', store, ms),
    costOf('p99 of a cached read while 10 MB bodies arrive', busy, 'idle', idle, {
      ...ms,
      target: 3,
      digits: 2,
    }),
    ...Object.entries(peaks).flatMap(([process, peak]) =>
      peak === null
        ? []
        : [atMost(`peak memory of the ${process}, ${mebibytes} MiB of logs`, peak, 400, 'MiB')],
    ),
  ];
}

if (import.meta.filename === process.argv[1]) {
  const [rows] = process.argv.slice(2).map(Number);
  printResults(await ingest({ ...(rows && { rows }) }));
}
