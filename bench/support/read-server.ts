/** One contender of bench/cached-reads.ts, as a process of its own. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { createDirectory } from '../../src/server/accounts/directory.js';
import { createApp } from '../../src/server/app.js';
import { systemClock } from '../../src/server/clock.js';
import { migrate, openDatabase } from '../../src/server/database.js';
import { importRecords } from '../../src/server/dataset/import.js';
import { utcDay } from '../../src/server/days.js';
import { type Buckets, databaseBuckets, memoryBuckets } from '../../src/server/limits/buckets.js';
import { createLog } from '../../src/server/log.js';
import { createReadCache } from '../../src/server/reads/read-cache.js';
import { catalogOf, runsOf } from './synthetic.js';

const [kind, url] = process.argv.slice(2) as [string, string];
const OPERATOR_KEY = 'operator-key-of-the-benchmark';
const database = await openDatabase({ url });
await migrate(database.knex);
await importRecords(database.knex, catalogOf('b'), { now: new Date() });
await importRecords(database.knex, runsOf('b', 100, utcDay(new Date())), { now: new Date() });

/** The same work as ever, but the bucket never runs dry. */
const bottomless = (buckets: Buckets): Buckets => ({
  take: async (surface, key) => ({ ...(await buckets.take(surface, key)), granted: true }),
  peek: (surface, key) => buckets.peek(surface, key),
});

const buckets =
  kind === 'database' ? databaseBuckets(database.knex, systemClock) : memoryBuckets(systemClock);
const served = createApp({
  db: database.knex,
  clock: systemClock,
  log: createLog('silent'),
  cache: createReadCache(),
  directory: createDirectory(database.knex, OPERATOR_KEY),
  buckets: bottomless(buckets),
  enabled: true,
  allowedOrigins: new Set(),
  trustProxyHops: 0,
});

const server = served.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/competitors`;
if (kind === 'bare') {
  const response = await fetch(address, { headers: { authorization: `Bearer ${OPERATOR_KEY}` } });
  const body = Buffer.from(await response.arrayBuffer());
  const bare = new Koa();
  bare.use((ctx) => {
    ctx.set('Content-Type', 'application/json');
    ctx.body = body;
  });
  const bareServer = bare.listen(0, '127.0.0.1');
  await once(bareServer, 'listening');
  process.send!({
    url: `http://127.0.0.1:${(bareServer.address() as AddressInfo).port}/`,
    keys: [OPERATOR_KEY],
  });
} else process.send!({ url: address, keys: [OPERATOR_KEY] });
