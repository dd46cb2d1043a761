/**
 * Two measurements of crawler-log ingest: storing the matches of a 10 MB body in a table of two million rows, against
 * COPY into a temporary table and insert-select; and a cached read while such bodies arrive back to back, against the
 * same read on an idle server.
 *
 *   node scripts/with-postgres.mjs node --import ts-blank-space/register bench/ingest.ts [rows]
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate, openDatabase } from '../src/server/database/database.js';
import { importRecords } from '../src/server/dataset/import.js';
import { HitWriter } from '../src/server/ingest/hit-writer.js';
import { agentsSeen, crawlerActivity } from '../src/server/queries/crawler-activity.js';
import type { CrawlerEventRow } from '../src/server/queries/crawler-events.js';
import { copyFrom } from './support/copy-from.js';
import { createDatabaseUrl } from './support/database-url.js';
import { median } from './support/median.js';
import { catalogOf } from './support/synthetic.js';

const ROUNDS = 9;
const MATCHES = 6808;
const READS = 3000;
const OPERATOR_KEY = 'operator-key-of-the-benchmark';
const tableRows = Number(process.argv[2] ?? 2_000_000);
const now = new Date();
const url = await createDatabaseUrl();
const database = await openDatabase({ url });
await migrate(database.knex);
await importRecords(database.knex, catalogOf('b'), { now });
const { rows: brands } = await database.knex.raw('select brand_key from brands limit 1');
const brandKey = brands[0].brand_key as number;
await database.knex.raw(
  `insert into crawler_events (brand_key, dedupe_key, agent, path, time, status, received_at)
   select :brandKey, substring(sha256(i::text::bytea) for 16), 'agent' || i % 40, '/page/' || i % 5000,
     cast(:now as timestamptz) - i * interval '10 seconds', 200, cast(:now as timestamptz)
   from generate_series(1, cast(:tableRows as integer)) i`,
  { brandKey, tableRows, now },
);
await database.knex.raw('analyze crawler_events');

const newRows = (): CrawlerEventRow[] =>
  Array.from({ length: MATCHES }, (_, i) => ({
    key: randomBytes(16).toString('base64'),
    agent: 'gptbot',
    path: `/docs/page-${i % 900}/of/some/length`,
    time: new Date(now.getTime() - i * 1000).toISOString(),
    status: 200,
  }));

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const client = new pg.Client({ connectionString: url });
await client.connect();

async function copyAndInsert(rows: readonly CrawlerEventRow[]): Promise<void> {
  const at = now.toISOString();
  const line = (row: CrawlerEventRow) =>
    [
      brandKey,
      `\\\\x${Buffer.from(row.key, 'base64').toString('hex')}`,
      row.agent,
      row.path,
      row.time,
      row.status,
      at,
    ].join('\t');
  await client.query('begin');
  await client.query('create temporary table arriving (like crawler_events) on commit drop');
  await copyFrom(client, 'copy arriving from stdin', Buffer.from(`${rows.map(line).join('\n')}\n`));
  await client.query(
    'insert into crawler_events select * from arriving order by dedupe_key on conflict do nothing',
  );
  await client.query('commit');
}

async function storeRows(rows: readonly CrawlerEventRow[]): Promise<void> {
  const writer = new HitWriter(database.knex, brandKey, now);
  for (const row of rows) writer.add(row);
  await writer.finish(now);
}

const times = { store: [] as number[], copy: [] as number[], again: [] as number[] };
for (let round = -1; round < ROUNDS; round++) {
  const rows = newRows();
  const store = await milliseconds(() => storeRows(rows));
  const again = await milliseconds(() => storeRows(rows));
  const others = newRows();
  const copy = await milliseconds(() => copyAndInsert(others));
  if (round < 0) continue;
  times.store.push(store);
  times.again.push(again);
  times.copy.push(copy);
}
await client.end();
const ms = (values: number[]) => `${median(values).toFixed(1)} ms`;
console.log(
  `${MATCHES} matches into ${tableRows} rows: store ${ms(times.store)}, the same again ${ms(times.again)}, COPY + insert-select ${ms(times.copy)}`,
);
console.log(`store / COPY: ${(median(times.store) / median(times.copy)).toFixed(2)}`);

const from = new Date(now.getTime() - 28 * 86_400_000);
console.log(
  `read of 28 days: ${(await milliseconds(() => crawlerActivity(database.knex, { brandKey, from, until: now }))).toFixed(0)} ms, agents ever seen: ${(await milliseconds(() => agentsSeen(database.knex, { brandKey }))).toFixed(0)} ms`,
);

const child = fork(fileURLToPath(new URL('./support/ingest-server.ts', import.meta.url)), [
  url,
  OPERATOR_KEY,
]);
const [address] = (await once(child, 'message')) as [string];
const keepAlive = new Agent({ keepAlive: true });
const headers = { Authorization: `Bearer ${OPERATOR_KEY}` };

function read(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${address}${path}`, { agent: keepAlive, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject).end();
  });
}

/** The 99th percentile of sequential reads. */
async function p99(): Promise<number> {
  const latencies: number[] = [];
  for (let i = 0; i < READS; i++) latencies.push(await milliseconds(() => read('/api/v1/brands')));
  return latencies.sort((a, b) => a - b)[Math.floor(READS * 0.99)] as number;
}

await p99();
const idle = await p99();
const shipper = fork(fileURLToPath(new URL('./support/shipper.ts', import.meta.url)), [
  address,
  OPERATOR_KEY,
]);
await once(shipper, 'message');
const began = performance.now();
const busy = await p99();
const took = performance.now() - began;
shipper.send('stop');
const [bodies] = (await once(shipper, 'message')) as [number];
console.log(
  `p99 of a cached read: idle ${idle.toFixed(2)} ms, while ${bodies} bodies arrived in ${(took / 1000).toFixed(1)} s ${busy.toFixed(2)} ms: ${(busy / idle).toFixed(1)} times`,
);
child.kill();
keepAlive.destroy();
await database.close();
