/** The HTTP application: its middleware, outermost first. */
import Koa from 'koa';
import { errors } from '../contract/errors.js';
import { refuse } from './errors.js';
import { type IngestEnvironment, ingestRoutes } from './ingest/routes.js';
import type { Logger } from './log.js';
import { type McpEnvironment, mcpRoutes } from './mcp/routes.js';
import { createTools, type ToolEnvironment } from './mcp/tools.js';
import { cors } from './middleware/cors.js';
import { errorBody } from './middleware/error-body.js';
import { httpRules } from './middleware/http-rules.js';
import { versionHeader } from './middleware/version-header.js';
import { healthRoutes } from './rest/health.js';
import { type RestEnvironment, restRoutes } from './rest/routes.js';
import type { Middleware, State } from './state.js';

export interface AppEnvironment extends RestEnvironment, IngestEnvironment, McpEnvironment, ToolEnvironment {
  readonly log: Logger;
  /** Fails if the database does not respond. */
  readonly ping: () => Promise<void>;
  readonly allowedOrigins: ReadonlySet<string>;
  /** The number of trusted proxies, whose X-Forwarded-For gives the client's address. */
  readonly trustProxyHops: number;
}

/** The paths of the versioned contract, whose errors have the version header too. */
const SURFACES = /^\/api\/(?:v1|mcp)(?:\/|$)/;

export function createApp(env: AppEnvironment): Koa<State> {
  const app = new Koa<State>({ proxy: env.trustProxyHops > 0, maxIpsCount: env.trustProxyHops });
  app.silent = true;
  app.use(errorBody(env.log));
  app.use(onSurfaces(versionHeader));
  app.use(httpRules);
  app.use(onSurfaces(cors(env.allowedOrigins)));
  app.use(healthRoutes(env.ping).routes());
  app.use(ingestRoutes(env).routes());
  app.use(mcpRoutes(env, createTools(env)).routes());
  app.use(restRoutes(env).routes());
  app.use(() => {
    throw refuse(errors.notFound());
  });
  return app;
}

const onSurfaces =
  (middleware: Middleware): Middleware =>
  (ctx, next) =>
    SURFACES.test(ctx.path) ? middleware(ctx, next) : next();
