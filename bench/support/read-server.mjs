/** One server of bench/support/read-servers.ts, as a separate process that runs the build. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import fastify from 'fastify';
import Koa from 'koa';
import { demoDataset } from '../../dist/demo/data/index.js';
import { createDirectory } from '../../dist/server/accounts/directory.js';
import { createKey } from '../../dist/server/accounts/keys.js';
import { createFactChecks } from '../../dist/server/alerts/fact-check/fact-checks.js';
import { createReadCache } from '../../dist/server/answers/reads/read-cache.js';
import { systemClock, systemStopwatch } from '../../dist/server/base/clock.js';
import { createLog } from '../../dist/server/base/log.js';
import { createRobotsChecks } from '../../dist/server/base/robots/fetch.js';
import { migrate, openDatabase } from '../../dist/server/database/database.js';
import { readPool } from '../../dist/server/database/read-session.js';
import { importRecords } from '../../dist/server/intake/dataset/import.js';
import { createApp } from '../../dist/server/run/app.js';
import { serverMetrics } from '../../dist/server/run/monitoring/metrics.js';
import { answerClientErrors } from '../../dist/server/web/http/connection.js';
import { BODY_TIMEOUTS } from '../../dist/server/web/http/read-body.js';
import { databaseBuckets, fullAt, memoryBuckets, remaining } from '../../dist/server/web/limits/buckets.js';
import { createWrongKeys } from '../../dist/server/web/limits/wrong-keys.js';

const [kind, url] = process.argv.slice(2);
const OPERATOR_KEY = 'operator-key-of-the-benchmark';
const KEYS = 32;
const now = new Date();
const database = await openDatabase({ url });
await migrate(database.knex);
const workspacesOfBrands = async () =>
  (await database.knex.raw('select workspace_id as id from brands limit 1')).rows;
// The first of several servers fills their database.
if ((await workspacesOfBrands()).length === 0) {
  await importRecords(database.knex, demoDataset(now), { now });
}
const workspaces = await workspacesOfBrands();
const keys = [];
for (let n = 0; n < KEYS; n++) {
  keys.push((await createKey(database.knex, { workspace: workspaces[0].id, kind: 'read' }, now)).key);
}

/** The normal buckets, but with tokens that never run out. */
function bottomless(buckets) {
  const grant = (state) => ({ ...state, granted: true });
  return { take: async (surface, key) => grant(await buckets.take(surface, key)), peek: buckets.peek };
}

const log = createLog('silent');
const app = createApp({
  db: database.knex,
  primary: readPool(database.knex, 0),
  clock: systemClock,
  elapsed: systemStopwatch,
  log,
  factChecks: createFactChecks({ db: database.knex, clock: systemClock, log, model: null }),
  cache: createReadCache(),
  robots: createRobotsChecks(systemClock, { allowPrivate: false }),
  directory: createDirectory(database.knex, OPERATOR_KEY),
  buckets: bottomless(
    kind === 'database' ? databaseBuckets(database.knex, systemClock) : memoryBuckets(systemClock),
  ),
  wrongKeys: createWrongKeys(systemClock),
  enabled: true,
  allowedOrigins: new Set(),
  trustProxyHops: 0,
  publicUrl: null,
  page: true,
  crawlerRetentionDays: 400,
  bodyTimeouts: BODY_TIMEOUTS,
  observers: kind === 'monitored' ? [serverMetrics().observe] : [],
});

/** The bytes and the headers of the read. */
async function answerOf(address) {
  const response = await fetch(address, { headers: { authorization: `Bearer ${OPERATOR_KEY}` } });
  const {
    date,
    connection,
    'keep-alive': _,
    'content-length': __,
    ...sent
  } = Object.fromEntries(response.headers);
  return { body: Buffer.from(await response.arrayBuffer()), sent };
}

/** Bare Koa that sends the bytes of the read. */
function bareKoa(body) {
  const bare = new Koa();
  bare.use((ctx) => {
    ctx.set('Content-Type', 'application/json');
    ctx.body = body;
  });
  return bare.callback();
}

/** Bare Koa that sends the headers of the read too. */
function koaWithHeaders(body, sent) {
  const bare = new Koa();
  bare.use((ctx) => {
    ctx.set(sent);
    ctx.body = body;
  });
  return bare.callback();
}

/** Bare Node that sends the bytes. */
const bareNode = (body) => (_, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', body.length);
  response.end(body);
};

/** Fastify that does the work of the gates with the product's own functions: key, bucket, headers, cached bytes. */
async function fastifyWithGates(body, sent) {
  const directory = createDirectory(database.knex, OPERATOR_KEY);
  const buckets = bottomless(memoryBuckets(systemClock));
  const cache = new Map([['/api/v1/competitors', body]]);
  const server = fastify();
  server.get('/api/v1/:read', async (request, reply) => {
    const secret = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const access = await directory.identify(secret);
    if (!access) return reply.code(401).send({ error: 'unknown key' });
    const bucket = await buckets.take('reads', access.keyId);
    if (!bucket.granted) return reply.code(429).send({ error: 'too many requests' });
    await directory.brand(access, request.query.brand);
    return reply
      .headers({
        ...sent,
        'x-ratelimit-remaining': String(remaining(bucket)),
        'x-ratelimit-reset': String(fullAt(bucket)),
      })
      .send(cache.get(request.url));
  });
  await server.ready();
  return (request, response) => server.routing(request, response);
}

async function listening(handler) {
  const server = createServer({ requireHostHeader: false }, handler);
  if (handler === svc) answerClientErrors(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}/api/v1/competitors`;
}

const svc = app.callback();
const opponent = {
  koa: bareKoa,
  'koa-with-headers': koaWithHeaders,
  node: bareNode,
  fastify: fastifyWithGates,
}[kind];
const address = await listening(svc);
const { body, sent } = await answerOf(address);
const measured = opponent ? await listening(await opponent(body, sent)) : address;
process.on('message', () => process.send(process.cpuUsage()));
if (kind === 'page')
  process.send({ url: new URL('/brands/torvello', address).href, credentials: await cookies() });
else
  process.send({
    url: measured,
    key: OPERATOR_KEY,
    credentials: keys.map((key) => ({ authorization: `Bearer ${key}` })),
  });

/** Signs in to the page with every key. */
function cookies() {
  const { origin } = new URL(address);
  const signIn = async (key) => {
    const body = new URLSearchParams({ key });
    const init = { method: 'POST', headers: { origin }, body, redirect: 'manual' };
    const { headers } = await fetch(`${origin}/sign-in`, init);
    return { cookie: headers.getSetCookie()[0].split(';')[0] };
  };
  return Promise.all(keys.map(signIn));
}
