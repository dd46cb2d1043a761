/** GET /api/v1/{path}: one route per read that has a path, first its gates in order, then its handler. */
import Router from '@koa/router';
import compose from 'koa-compose';
import { errors } from '../../contract/errors.js';
import type { Read } from '../../contract/read.js';
import { type ReadName, readNames, reads, resourceNames } from '../../contract/registry.js';
import type { Directory } from '../accounts/directory.js';
import type { Buckets } from '../limits/buckets.js';
import { refuseOptions } from '../middleware/cors.js';
import * as gate from '../middleware/gates.js';
import { identifyKey } from '../middleware/identify-key.js';
import { answerRead, type ReadEnvironment } from '../reads/answer-read.js';
import type { Middleware, State } from '../state.js';

export interface RestEnvironment extends ReadEnvironment {
  readonly directory: Directory;
  readonly buckets: Buckets;
  /** Whether the deployment has an operator key; without one the API is off. */
  readonly enabled: boolean;
}

export const REST_ROOT = '/api/v1';
const READ_METHODS = ['GET', 'HEAD'];

export function restRoutes(env: RestEnvironment): Router<State> {
  const router = new Router<State>({ prefix: REST_ROOT, sensitive: true });
  const entry: Middleware[] = [
    gate.requireEnabled(env.enabled, errors.apiDisabled),
    gate.requireKey(env.clock),
    gate.requireAddress,
    gate.meter(env.buckets, 'reads'),
    gate.requireReader,
  ];
  router.use(
    (ctx, next) => {
      ctx.state.surface = 'reads';
      return next();
    },
    identifyKey(env.directory, env.buckets, env.enabled),
  );
  for (const name of readNames) {
    const read: Read = reads[name];
    if (read.path === undefined) continue;
    const gates = [
      gate.requireMethod(READ_METHODS),
      ...entry,
      gate.requirePlan(read.plan, read.planSubject ?? read.summary),
      gate.requireVisibleBrand(env.directory, read),
    ];
    // Composed once here, because the router composes middleware again for every request.
    router.all(`/${read.path}`, compose([...gates, serveRead(env, name)]));
  }
  router.all('{/*path}', refuseOptions(READ_METHODS), ...entry, gate.unknownResource(resourceNames));
  return router;
}

function serveRead(env: ReadEnvironment, name: ReadName): Middleware {
  return async (ctx) => {
    const { access, brand } = ctx.state;
    const { bytes, etag } = await answerRead(env, name, access!, brand!, ctx.query);
    ctx.set('ETag', etag);
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.status = 200;
    ctx.set('Content-Type', 'application/json');
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = bytes;
  };
}
