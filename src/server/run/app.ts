/** The HTTP application: what every request passes, and the routes. */

import { randomUUID } from 'node:crypto';
import Koa from 'koa';
import { errors, type Refusal } from '../../contract/errors.js';
import { MCP_PATH } from '../../contract/mcp.js';
import { OAUTH_MCP_PATH } from '../../contract/oauth.js';
import { API_ROOT } from '../../contract/paths.js';
import { API_VERSION, headers } from '../../contract/versions.js';
import { bodyOf, refusalOf, refuse } from '../base/errors.js';
import type { Logger } from '../base/log.js';
import type { ChangePause } from '../database/change-pause.js';
import { docsRoutes } from '../web/docs/routes.js';
import { varyBy } from '../web/http/response.js';
import { createRoutes, type Route } from '../web/http/routing.js';
import { type McpEnvironment, mcpRoute } from '../web/mcp/routes.js';
import { createTools, type ToolEnvironment } from '../web/mcp/tools.js';
import type { OAuthEnvironment, oauthRoutes } from '../web/oauth/routes.js';
import type { accountRoutes } from '../web/oidc/routes.js';
import { openApiRoute } from '../web/openapi/document.js';
import { type PageEnvironment, pageRoutes } from '../web/page/routes.js';
import { feedRoute } from '../web/rest/feed.js';
import { type IngestEnvironment, ingestRoute } from '../web/rest/ingest.js';
import { healthRoutes, type RestEnvironment, restRoutes, unknownResource } from '../web/rest/routes.js';
import type { Context, Handler, State } from '../web/state.js';
import { type Observer, observed } from './monitoring/observed.js';

interface AppEnvironment
  extends RestEnvironment,
    IngestEnvironment,
    McpEnvironment,
    ToolEnvironment,
    PageEnvironment {
  readonly log: Logger;
  /** Fails if the database does not respond. */
  readonly ping: () => Promise<void>;
  readonly allowedOrigins: ReadonlySet<string>;
  /** The number of trusted proxies, whose X-Forwarded-For states the client's address. */
  readonly trustProxyHops: number;
  /** The address of the server for its users, if it was set. */
  readonly publicUrl: string | null;
  /** Connecting assistants by OAuth, which needs a public address; if omitted or null, it is off. */
  readonly oauth?:
    | ({ readonly oauthRoutes: typeof oauthRoutes } & Pick<
        OAuthEnvironment,
        'registration' | 'fetchDocument'
      >)
    | null;
  /** Signing in by an OpenID provider, which needs a public address; if omitted or null, it is off. */
  readonly accountRoutes?: typeof accountRoutes | null;
  readonly observers?: readonly Observer[];
  /** When an embedded database accepts no changes, and how long a request waits for the end of that. */
  readonly pause?: { readonly of: ChangePause; readonly mostMs: number } | undefined;
}

/** The paths of the versioned contract: their responses have the version header, errors too, and CORS. */
const SURFACES = /^\/api\/(?:v1|mcp)(?:\/|$)/;
/** A request of a tool is a POST, too, and most of them read. */
const isMcp = (path: string): boolean => path === MCP_PATH || path === OAUTH_MCP_PATH;

export function createApp(env: AppEnvironment): Koa<State> {
  const app = new Koa<State>({ proxy: env.trustProxyHops > 0, maxIpsCount: env.trustProxyHops });
  app.silent = true;
  const answersPreflight = cors(env.allowedOrigins);
  const route = createRoutes(routes(env), notFound);
  const handle = errorBody(env.log, (ctx) => {
    const { path } = ctx;
    const isSurface = SURFACES.test(path) || (path === OAUTH_MCP_PATH && env.oauth);
    if (isSurface) ctx.state.headers.set(headers.version, API_VERSION);
    requireHttpRules(ctx);
    if (isSurface && answersPreflight(ctx)) return;
    if (env.pause?.of.isOn && ctx.method === 'POST' && !isMcp(path))
      return env.pause.of.wait(env.pause.mostMs).then(() => route(ctx));
    return route(ctx);
  });
  app.use(observed(env.observers ?? [], handle));
  return app;
}

/** Every path of the server. */
function routes(env: AppEnvironment): Route[] {
  const { oauth, accountRoutes, identityProvider, publicUrl } = env;
  const isSignIn = accountRoutes && identityProvider && publicUrl !== null && env.page;
  const tools = createTools(env);
  return [
    ...healthRoutes(env.ping),
    openApiRoute(publicUrl),
    ...docsRoutes(),
    ...restRoutes(env),
    feedRoute(env),
    ingestRoute(env),
    mcpRoute(env, tools),
    ...(isSignIn ? accountRoutes({ ...env, identityProvider, publicUrl }) : []),
    ...pageRoutes(env),
    ...(oauth && publicUrl !== null ? oauth.oauthRoutes({ ...env, ...oauth, publicUrl }, tools) : []),
    [`${API_ROOT}{/*path}`, unknownResource(env)],
  ];
}

const notFound = (): never => {
  throw refuse(errors.notFound());
};

/** Returns a handler that sets the id of the request, responds to what `handle` throws, and sets the collected headers. */
export function errorBody(log: Logger, handle: Handler): Handler {
  return async (ctx) => {
    const requestId = randomUUID();
    ctx.state = { requestId, headers: new Map([[headers.requestId, requestId]]) };
    try {
      if (!hasPath(ctx)) throw refuse(errors.notFound());
      await handle(ctx);
    } catch (error) {
      // A path may hold anything, for example a key that somebody put there.
      const { keyId = null, route = null } = ctx.state;
      const request = { requestId, keyId, method: ctx.method, route };
      answer(ctx, refusalOf(error, request, log));
    }
    if (!ctx.res.headersSent) ctx.res.setHeaders(ctx.state.headers);
  };
}

/** Whether the request target can be parsed: for `http://[`, Koa throws when the path is read. */
function hasPath(ctx: Context): boolean {
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}

function answer(ctx: Context, refusal: Refusal): void {
  ctx.status = refusal.status;
  for (const [name, value] of Object.entries(refusal.headers ?? {})) ctx.set(name, value);
  ctx.remove('ETag');
  ctx.set('Content-Type', 'application/json');
  ctx.body = JSON.stringify(bodyOf(refusal));
}

/**
 * Enforces rules of HTTP/1.1 for which Node would refuse without a body.
 * @throws 400 without a Host or with several, 417 for an unsupported Expect.
 */
function requireHttpRules(ctx: Context): void {
  const { headers, headersDistinct, httpVersion } = ctx.req;
  if (httpVersion !== '1.1') return;
  const { host: hosts = [] } = headersDistinct;
  if (hosts.length !== 1) {
    ctx.set('Connection', 'close');
    throw refuse(hosts.length === 0 ? errors.missingHost() : errors.repeatedHost(hosts.length));
  }
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
    ctx.set('Connection', 'close');
    throw refuse(errors.unmetExpectation(headers.expect));
  }
}

// CORS for the Origins that the operator lists. Without a list, responses have no CORS headers.

const EXPOSED = Object.values(headers).join(', ');
const METHODS = 'GET, HEAD, POST';
const PREFLIGHT_SECONDS = '600';

/** Returns a function that sets the CORS headers of a response, and returns whether the request was a preflight and is done. */
function cors(allowedOrigins: ReadonlySet<string>): (ctx: Context) => boolean {
  if (allowedOrigins.size === 0) return () => false;
  return (ctx) => {
    varyBy(ctx, 'Origin');
    const origin = ctx.get('Origin');
    if (!allowedOrigins.has(origin)) return false;
    ctx.state.headers.set('Access-Control-Allow-Origin', origin);
    ctx.state.headers.set('Access-Control-Expose-Headers', EXPOSED);
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') return false;
    ctx.set('Access-Control-Allow-Methods', METHODS);
    ctx.set('Access-Control-Allow-Headers', ctx.get('Access-Control-Request-Headers') || 'Authorization');
    ctx.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    ctx.status = 204;
    return true;
  };
}
