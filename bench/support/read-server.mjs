/** One server of bench/cached-reads.ts, as a separate process that runs the build. */
import { once } from 'node:events';
import Koa from 'koa';
import { demoDataset } from '../../dist/demo/data/index.js';
import { createDirectory } from '../../dist/server/accounts/directory.js';
import { createApp } from '../../dist/server/app.js';
import { systemClock } from '../../dist/server/clock.js';
import { migrate, openDatabase } from '../../dist/server/database/database.js';
import { importRecords } from '../../dist/server/dataset/import.js';
import { createFactChecks } from '../../dist/server/fact-check/fact-checks.js';
import { BODY_TIMEOUTS } from '../../dist/server/http/read-body.js';
import { databaseBuckets, memoryBuckets } from '../../dist/server/limits/buckets.js';
import { createLog } from '../../dist/server/log.js';
import { createReadCache } from '../../dist/server/reads/read-cache.js';
import { createRobotsChecks } from '../../dist/server/robots/robots-checks.js';

const [kind, url] = process.argv.slice(2);
const OPERATOR_KEY = 'operator-key-of-the-benchmark';
const now = new Date();
const database = await openDatabase({ url });
await migrate(database.knex);
await importRecords(database.knex, demoDataset(now), { now });

/** The normal buckets, but with tokens that never run out. */
function bottomless(buckets) {
  const grant = (state) => ({ ...state, granted: true });
  const take = (surface, key) => {
    const state = buckets.take(surface, key);
    return state instanceof Promise ? state.then(grant) : grant(state);
  };
  return { take, peek: buckets.peek };
}

const log = createLog('silent');
const app = createApp({
  db: database.knex,
  clock: systemClock,
  log,
  factChecks: createFactChecks({ db: database.knex, clock: systemClock, log, model: null }),
  cache: createReadCache(),
  robots: createRobotsChecks(systemClock, { allowPrivate: false }),
  directory: createDirectory(database.knex, OPERATOR_KEY),
  buckets: bottomless(
    kind === 'database' ? databaseBuckets(database.knex, systemClock) : memoryBuckets(systemClock),
  ),
  enabled: true,
  allowedOrigins: new Set(),
  trustProxyHops: 0,
  crawlerRetentionDays: 400,
  bodyTimeouts: BODY_TIMEOUTS,
});

/** Bare Koa that sends the bytes of the read. */
async function bareApp(address) {
  const response = await fetch(address, { headers: { authorization: `Bearer ${OPERATOR_KEY}` } });
  const body = Buffer.from(await response.arrayBuffer());
  const bare = new Koa();
  bare.use((ctx) => {
    ctx.set('Content-Type', 'application/json');
    ctx.body = body;
  });
  return bare;
}

async function listening(served) {
  const server = served.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}/api/v1/competitors`;
}

const address = await listening(app);
const measured = kind === 'bare' ? await listening(await bareApp(address)) : address;
process.on('message', () => process.send(process.cpuUsage()));
process.send({ url: measured, key: OPERATOR_KEY });
