/** GET /api/v1/{path}: a route per read that has a path, first its gates in order, then its answer. */
import { errors } from '../../contract/errors.js';
import { API_ROOT } from '../../contract/paths.js';
import type { Read } from '../../contract/read.js';
import { type ReadName, readNames, reads, resourceNames } from '../../contract/registry.js';
import { refuse } from '../errors.js';
import { sendValidated } from '../http/conditional.js';
import {
  type GateEnvironment,
  type GateOptions,
  passGates,
  refuseOptions,
  requireMethod,
  requirePlan,
  visibleBrand,
} from '../middleware/gates.js';
import { answerRead, type ReadEnvironment } from '../reads/answer-read.js';
import type { Context, Handler } from '../state.js';

export interface RestEnvironment extends ReadEnvironment, GateEnvironment {}

const READ_METHODS = ['GET', 'HEAD'];
const HEADERS = { 'Cache-Control': 'private, no-cache', 'Content-Type': 'application/json' };

export function restRoutes(env: RestEnvironment): [path: string, Handler][] {
  return readNames.flatMap((name) => {
    const { path }: Read = reads[name];
    return path === undefined ? [] : [[`${API_ROOT}/${path}`, serveRead(env, name)]];
  });
}

const gateOptions = (check: (ctx: Context) => void): GateOptions => ({
  surface: 'reads',
  checks: [check],
  disabled: errors.apiDisabled,
});

function serveRead(env: RestEnvironment, name: ReadName): Handler {
  const read: Read = reads[name];
  const options = gateOptions(requireMethod(READ_METHODS));
  return async (ctx) => {
    const access = await passGates(env, ctx, options);
    requirePlan(access, read.plan, read.planSubject ?? read.summary);
    const brand = await visibleBrand(env.directory, access, read, ctx);
    sendValidated(ctx, await answerRead(env, name, access, brand, ctx.query), HEADERS);
  };
}

/** 404 for a path below the root that is not a resource, after the key was checked. */
export function unknownResource(env: GateEnvironment): Handler {
  const options = gateOptions(refuseOptions(READ_METHODS));
  return async (ctx) => {
    await passGates(env, ctx, options);
    throw refuse(errors.unknownResource(resourceNames));
  };
}
