/** The server of bench/ingest.ts, as a separate process; its buckets never run out. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createDirectory } from '../../src/server/accounts/directory.js';
import { createFactChecks } from '../../src/server/alerts/fact-check/fact-checks.js';
import { createReadCache } from '../../src/server/answers/reads/read-cache.js';
import { systemClock, systemStopwatch } from '../../src/server/base/clock.js';
import { createLog } from '../../src/server/base/log.js';
import { createRobotsChecks } from '../../src/server/base/robots/fetch.js';
import { openDatabase } from '../../src/server/database/database.js';
import { readPool } from '../../src/server/database/read-session.js';
import { MEMORY_LIMITS } from '../../src/server/intake/ingest/limits.js';
import { createApp } from '../../src/server/run/app.js';
import { BODY_TIMEOUTS } from '../../src/server/web/http/read-body.js';
import { type Buckets, full } from '../../src/server/web/limits/buckets.js';
import { createWrongKeys } from '../../src/server/web/limits/wrong-keys.js';

const [url = '', operatorKey = ''] = process.argv.slice(2);
const { knex: db, ping } = await openDatabase({ url });
const bottomless: Buckets = {
  take: async () => ({ ...full(0), granted: true }),
  peek: async () => full(0),
};
const log = createLog('silent');
const app = createApp({
  db,
  primary: readPool(db, 0),
  ping,
  clock: systemClock,
  elapsed: systemStopwatch,
  log,
  factChecks: createFactChecks({ db, clock: systemClock, log, model: null }),
  cache: createReadCache(),
  robots: createRobotsChecks(systemClock, { allowPrivate: false }),
  directory: createDirectory(db, operatorKey),
  buckets: bottomless,
  wrongKeys: createWrongKeys(systemClock),
  enabled: true,
  allowedOrigins: new Set(),
  trustProxyHops: 0,
  publicUrl: null,
  page: false,
  crawlerRetentionDays: 400,
  crawlerLogProxies: [],
  bodyTimeouts: BODY_TIMEOUTS,
  memoryLimits: MEMORY_LIMITS,
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
