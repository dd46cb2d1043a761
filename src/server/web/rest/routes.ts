/** GET /api/v1/{path}: a route per read that has a path, first its gates in order, then its answer. */

import { errors } from '../../../contract/errors.js';
import { API_ROOT } from '../../../contract/paths.js';
import type { Read } from '../../../contract/read.js';
import { type ReadName, readNames, reads, resourceNames } from '../../../contract/registry.js';
import { mediaTypes } from '../../../contract/rows.js';
import { requirePlan } from '../../accounts/access.js';
import { answerCsv, answerRead, type ReadEnvironment } from '../../answers/reads/answer-read.js';
import { refuse } from '../../base/errors.js';
import type { Validated } from '../../base/validated.js';
import { type GateEnvironment, passGates, visibleBrand } from '../gates.js';
import { goneOf } from '../http/connection.js';
import { sendValidated, varyBy } from '../http/response.js';
import { type Route, refuseOptions, requireMethod, requireRead } from '../http/routing.js';
import type { Context, Handler } from '../state.js';

export interface RestEnvironment extends ReadEnvironment, GateEnvironment {}

const READ_METHODS = ['GET', 'HEAD'];
const CACHING = { 'Cache-Control': 'private, no-cache' };
const JSON_HEADERS = { ...CACHING, 'Content-Type': mediaTypes.json };
const CSV_HEADERS = { ...CACHING, 'Content-Type': `${mediaTypes.csv}; charset=utf-8` };

export function restRoutes(env: RestEnvironment): Route[] {
  return readNames.flatMap((name) => {
    const { path }: Read = reads[name];
    return path === undefined ? [] : [[`${API_ROOT}/${path}`, serveRead(env, name)]];
  });
}

function serveRead(env: RestEnvironment, name: ReadName): Handler {
  const read: Read = reads[name];
  const checks = [requireMethod(READ_METHODS)];
  return async (ctx) => {
    const access = await passGates(env, ctx, { checks });
    requirePlan(access, read.plan, read.planSubject ?? read.summary);
    const brand = await visibleBrand(env.directory, access, read, ctx.query);
    const caller = { access, gone: goneOf(ctx) };
    if (prefersCsv(ctx)) {
      const answer = await answerCsv(env, name, caller, brand, ctx.query);
      if (answer.nextCursor !== null) ctx.state.headers.set('Link', linkToNext(read, ctx, answer.nextCursor));
      send(ctx, answer, CSV_HEADERS);
    } else send(ctx, await answerRead(env, name, caller, brand, ctx.query), JSON_HEADERS);
  };
}

/** Ranges may have these parameters of text/csv and application/json, as in `text/csv; header=present`. */
const OFFERED = [`${mediaTypes.json}; charset=utf-8`, `${mediaTypes.csv}; charset=utf-8; header=present`];

/**
 * Whether Accept prefers CSV to JSON (RFC 9110, section 12.5.1): by quality, then by the order of the ranges. JSON is the answer to a request
 * without Accept, to a range that allows any type, and to ranges that allow neither.
 */
function prefersCsv(ctx: Context): boolean {
  const { accept } = ctx.headers;
  // Values that most clients send need no parser, which is +13 % of a cached read.
  if (accept === undefined || accept === '*/*' || accept === mediaTypes.json) return false;
  return ctx.accepts(OFFERED) === OFFERED[1];
}

function send(ctx: Context, answer: Validated, headers: Readonly<Record<string, string>>): void {
  varyBy(ctx, 'Accept');
  sendValidated(ctx, answer, headers);
}

/** The link to the page that follows. It is relative, so that it leads through the proxies that the request came through. */
function linkToNext({ params }: Read, ctx: Context, cursor: string): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(params)) {
    const value = ctx.query[name];
    if (name !== 'cursor' && typeof value === 'string') query.set(name, value);
  }
  query.set('cursor', cursor);
  return `<?${query}>; rel="next"`;
}

/** 404 for a path below the root that is not a resource, after the key was checked. */
export function unknownResource(env: GateEnvironment): Handler {
  const checks = [refuseOptions(READ_METHODS)];
  return async (ctx) => {
    await passGates(env, ctx, { checks });
    throw refuse(errors.unknownResource(resourceNames));
  };
}

// Liveness and readiness of the server, for supervisors and load balancers. They need no key.

export function healthRoutes(ping: () => Promise<void>): Route[] {
  const livez = (ctx: Context) => {
    requireRead(ctx);
    ctx.body = { status: 'ok' };
  };
  const readyz = async (ctx: Context) => {
    requireRead(ctx);
    await ping();
    ctx.body = { status: 'ok' };
  };
  return [
    ['/livez', livez],
    ['/readyz', readyz],
  ];
}
