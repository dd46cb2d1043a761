/** Connecting an assistant by OAuth: the authorization server, the consent, and the MCP endpoint for its tokens. */

import { errorCode, errors, type Refusal } from '../../../contract/errors.js';
import {
  grantScopes,
  ISSUER_METADATA_PATH,
  ISSUER_PATH,
  OAUTH_MCP_PATH,
  RESOURCE_METADATA_PATH,
} from '../../../contract/oauth.js';
import { runFactCheck } from '../../../contract/reads/run-fact-check.js';
import { accessOfToken, createTokens } from '../../accounts/grants.js';
import type { Stopwatch } from '../../base/clock.js';
import { deploymentSecret } from '../../base/deployment-secret.js';
import { RefusedError, refuse } from '../../base/errors.js';
import { bearerSecret } from '../gates.js';
import { type Route, requireRead } from '../http/routing.js';
import { type McpEnvironment, type McpMount, mcpRoute } from '../mcp/routes.js';
import type { Tool } from '../mcp/tools.js';
import { createSessions, SESSION_SECRET } from '../page/session.js';
import type { Context, Handler } from '../state.js';
import { type ConnectEnvironment, connectRoutes } from './connect.js';
import { createProvider, type ProviderEnvironment } from './provider.js';

export interface OAuthEnvironment
  extends ProviderEnvironment,
    Omit<ConnectEnvironment, 'sessions'>,
    McpEnvironment {
  readonly elapsed: Stopwatch;
  readonly publicUrl: string;
}

export function oauthRoutes(options: OAuthEnvironment, tools: readonly Tool[]): Route[] {
  const { db, elapsed, publicUrl } = options;
  const sessions = createSessions(db, deploymentSecret(db, SESSION_SECRET), elapsed);
  const env = { ...options, sessions };
  const provider = createProvider(env);
  const library = provider.callback();
  /** Passes a request on to the library, with the path that it has below its own. */
  const pass =
    (pathOf: (url: string) => string): Handler =>
    async (ctx) => {
      const { req, res, state } = ctx;
      const url = withScope(pathOf(req.url ?? ''));
      Object.assign(req, { url, originalUrl: ISSUER_PATH + url });
      asPublicRequest(ctx, publicUrl);
      res.setHeaders(state.headers);
      ctx.respond = false;
      await library(req, res);
    };
  const [path, handle] = mcpRoute(env, tools, mountOf(env));
  return [
    [path, challenging(publicUrl, handle)],
    [RESOURCE_METADATA_PATH, resourceDocument(publicUrl)],
    [ISSUER_METADATA_PATH, pass(() => '/.well-known/oauth-authorization-server')],
    [`${ISSUER_PATH}/*path`, pass((url) => url.slice(ISSUER_PATH.length))],
    ...connectRoutes(env, provider),
  ];
}

/** An authorization without a scope of this server asks to read. */
function withScope(url: string): string {
  const [path, query] = url.split('?', 2);
  if (path !== '/auth') return url;
  const fields = new URLSearchParams(query);
  const wanted = fields.getAll('scope').join(' ').split(' ');
  if (Object.values(grantScopes).some((scope) => wanted.includes(scope))) return url;
  fields.set('scope', grantScopes.read);
  return `${path}?${fields}`;
}

/** The library writes addresses, and sets cookies for https only, by what a trusted proxy states: here the public address. */
function asPublicRequest({ req: { headers } }: Context, publicUrl: string): void {
  headers['x-forwarded-proto'] = 'https';
  headers['x-forwarded-host'] = new URL(publicUrl).host;
}

/** Tokens stand for the key of their grant. An API key is a token of another audience: it is unknown here. */
function mountOf({ db, elapsed, clock, publicUrl }: OAuthEnvironment): McpMount {
  const tokens = createTokens(db, elapsed, clock);
  const resource = publicUrl + OAUTH_MCP_PATH;
  return {
    path: OAUTH_MCP_PATH,
    // Nobody guesses a token.
    identify: async (directory, ctx) => {
      const secret = bearerSecret(ctx);
      const token = secret === undefined ? null : await tokens.find(secret);
      if (token === null) return undefined;
      const key = await directory.identifyHash(token.secretHash);
      return accessOfToken(token, key, resource, clock()) ?? undefined;
    },
    requireGranted: ({ factCheckNotGranted }, messages) => {
      const asks = messages.some(
        (message) =>
          message.kind === 'request' &&
          message.request.method === 'tools/call' &&
          message.request.params.name === runFactCheck.tool,
      );
      if (factCheckNotGranted && asks) throw refuse(errors.factCheckNotGranted());
    },
  };
}

const BOTH_SCOPES = Object.values(grantScopes).join(' ');

/** Tells clients in refusals where a token, or one with more scopes, is to be had. */
const challenging =
  (publicUrl: string, handle: Handler): Handler =>
  async (ctx) => {
    try {
      await handle(ctx);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      throw refuse(withChallenge(publicUrl, error.refusal, bearerSecret(ctx) !== undefined));
    }
  };

function withChallenge(publicUrl: string, refusal: Refusal, hasToken: boolean): Refusal {
  const isMore = refusal.code === errorCode('factCheckNotGranted');
  if (refusal.status !== 401 && !isMore) return refusal;
  const parts = [
    ...(isMore ? ['error="insufficient_scope"'] : hasToken ? ['error="invalid_token"'] : []),
    `resource_metadata="${publicUrl}${RESOURCE_METADATA_PATH}"`,
    `scope="${isMore ? BOTH_SCOPES : grantScopes.read}"`,
  ];
  return { ...refusal, headers: { ...refusal.headers, 'WWW-Authenticate': `Bearer ${parts.join(', ')}` } };
}

function resourceDocument(publicUrl: string): Handler {
  const body = JSON.stringify({
    resource: publicUrl + OAUTH_MCP_PATH,
    authorization_servers: [publicUrl + ISSUER_PATH],
    scopes_supported: Object.values(grantScopes),
    bearer_methods_supported: ['header'],
    resource_name: 'AI-answer visibility',
  });
  return (ctx) => {
    requireRead(ctx);
    ctx.set({ 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' });
    ctx.body = body;
  };
}
