/** The HTTP application: what every request passes, and the routes. */
import Koa from 'koa';
import { errors } from '../contract/errors.js';
import { API_ROOT } from '../contract/paths.js';
import { API_VERSION, headers } from '../contract/versions.js';
import { docsRoutes } from './docs/routes.js';
import { refuse } from './errors.js';
import { createRoutes, type Route } from './http/routing.js';
import { type IngestEnvironment, ingestRoute } from './ingest/routes.js';
import type { Logger } from './log.js';
import { type McpEnvironment, mcpRoute } from './mcp/routes.js';
import { createTools, type ToolEnvironment } from './mcp/tools.js';
import { errorBody } from './middleware/error-body.js';
import { cors, requireHttpRules } from './middleware/http-rules.js';
import { type Observer, observed } from './monitoring/observed.js';
import { openApiRoute } from './openapi/document.js';
import { type PageEnvironment, pageRoutes } from './page/routes.js';
import { healthRoutes, type RestEnvironment, restRoutes, unknownResource } from './rest/routes.js';
import type { State } from './state.js';

export interface AppEnvironment
  extends RestEnvironment,
    IngestEnvironment,
    McpEnvironment,
    ToolEnvironment,
    PageEnvironment {
  readonly log: Logger;
  /** Fails if the database does not respond. */
  readonly ping: () => Promise<void>;
  readonly allowedOrigins: ReadonlySet<string>;
  /** The number of trusted proxies, whose X-Forwarded-For gives the client's address. */
  readonly trustProxyHops: number;
  /** The address of the server for its users, if it was set. */
  readonly publicUrl: string | null;
  /** Called at the end of each response. */
  readonly observers?: readonly Observer[];
}

/** The paths of the versioned contract: their responses have the version header, errors too, and CORS. */
const SURFACES = /^\/api\/(?:v1|mcp)(?:\/|$)/;

export function createApp(env: AppEnvironment): Koa<State> {
  const app = new Koa<State>({ proxy: env.trustProxyHops > 0, maxIpsCount: env.trustProxyHops });
  app.silent = true;
  const answersPreflight = cors(env.allowedOrigins);
  const route = createRoutes(routes(env), notFound);
  const handle = errorBody(env.log, (ctx) => {
    const { path } = ctx;
    const isSurface = SURFACES.test(path);
    if (isSurface) ctx.state.headers.set(headers.version, API_VERSION);
    requireHttpRules(ctx);
    if (isSurface && answersPreflight(ctx)) return;
    return route(path, ctx);
  });
  app.use(observed(env.observers ?? [], handle));
  return app;
}

/** Every path of the server. */
const routes = (env: AppEnvironment): Route[] => [
  ...healthRoutes(env.ping),
  openApiRoute(env.publicUrl),
  ...docsRoutes(),
  ...restRoutes(env),
  ingestRoute(env),
  mcpRoute(env, createTools(env)),
  ...pageRoutes(env),
  [`${API_ROOT}{/*path}`, unknownResource(env)],
];

const notFound = (): never => {
  throw refuse(errors.notFound());
};
