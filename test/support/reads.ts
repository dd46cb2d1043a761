/** What reads need without a server. */
import type { Knex } from 'knex';
import type { ReadEnvironment } from '../../src/server/answers/reads/answer-read.js';
import { createReadCache } from '../../src/server/answers/reads/read-cache.js';
import type { Clock } from '../../src/server/base/clock.js';
import { createRobotsChecks } from '../../src/server/base/robots/fetch.js';
import { readPool } from '../../src/server/database/read-session.js';

/** No robots.txt is fetched. */
export const readsOf = (db: Knex, clock: Clock): ReadEnvironment => ({
  db,
  primary: readPool(db, 0),
  cache: createReadCache(),
  clock,
  robots: createRobotsChecks(clock, { allowPrivate: false, timeoutMs: 1 }),
});
