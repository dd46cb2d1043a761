/** The endpoint with tools of a test's making behind its own. */

import { createServer } from 'node:http';
import Koa from 'koa';
import { createDirectory } from '../../../../../src/server/accounts/directory.js';
import { createFactChecks } from '../../../../../src/server/alerts/fact-check/fact-checks.js';
import { createReadCache } from '../../../../../src/server/answers/reads/read-cache.js';
import { createLog } from '../../../../../src/server/base/log.js';
import { createRobotsChecks } from '../../../../../src/server/base/robots/fetch.js';
import { readPool } from '../../../../../src/server/database/read-session.js';
import { errorBody } from '../../../../../src/server/run/app.js';
import { BODY_TIMEOUTS } from '../../../../../src/server/web/http/read-body.js';
import { memoryBuckets } from '../../../../../src/server/web/limits/buckets.js';
import { createWrongKeys } from '../../../../../src/server/web/limits/wrong-keys.js';
import { mcpRoute } from '../../../../../src/server/web/mcp/routes.js';
import { createTools, type Tool } from '../../../../../src/server/web/mcp/tools.js';
import type { State } from '../../../../../src/server/web/state.js';
import { emptyDatabase } from '../../../../support/database.js';
import { listening } from '../../../../support/listening.js';
import { OPERATOR_KEY } from '../../../../support/server.js';

export interface FixtureServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function fixtureServer(tools: readonly Tool[]): Promise<FixtureServer> {
  const database = await emptyDatabase();
  const db = database.knex;
  const log = createLog('silent');
  const env = {
    db,
    primary: readPool(db, 0),
    clock,
    log,
    cache: createReadCache(),
    robots: createRobotsChecks(clock, { allowPrivate: false }),
    directory: createDirectory(db, OPERATOR_KEY),
    buckets: memoryBuckets(clock),
    wrongKeys: createWrongKeys(clock),
    enabled: true,
    allowedOrigins: new Set<string>(),
    bodyTimeouts: BODY_TIMEOUTS,
    factChecks: createFactChecks({ db, clock, log, model: null }),
  };
  const app = new Koa<State>();
  const [, answer] = mcpRoute(env, [...createTools(env), ...tools]);
  app.use(errorBody(log, answer));
  const { url, close } = await listening(createServer(app.callback()));
  return {
    url,
    close: async () => {
      await close();
      await database.close();
    },
  };
}

let time = Date.parse('2026-11-20T12:00:00Z');
/** Every look at it takes a second, so that no number of requests empties a bucket. */
const clock = (): Date => {
  time += 1000;
  return new Date(time);
};
