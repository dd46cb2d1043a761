/** What reads need without a server. */
import type { Knex } from 'knex';
import type { Clock } from '../../src/server/clock.js';
import { readPool } from '../../src/server/database/read-session.js';
import type { ReadEnvironment } from '../../src/server/reads/answer-read.js';
import { createReadCache } from '../../src/server/reads/read-cache.js';
import { createRobotsChecks } from '../../src/server/robots/fetch.js';

/** No robots.txt is fetched. */
export const readsOf = (db: Knex, clock: Clock): ReadEnvironment => ({
  db,
  primary: readPool(db, 0),
  cache: createReadCache(),
  clock,
  robots: createRobotsChecks(clock, { allowPrivate: false, timeoutMs: 1 }),
});
