/** POST /api/mcp, with its whole policy above its body. */
import Router from '@koa/router';
import { errors } from '../../contract/errors.js';
import {
  MCP_LIMITS,
  MCP_PATH,
  PROTOCOL_VERSION_HEADER,
  protocolVersions,
  type RpcError,
  rpcErrors,
} from '../../contract/mcp.js';
import type { Directory } from '../accounts/directory.js';
import type { Clock } from '../clock.js';
import { cutUnreadBody } from '../ingest/linger.js';
import { type BodyTimeouts, readBody } from '../ingest/read-body.js';
import type { Buckets } from '../limits/buckets.js';
import type { Logger } from '../log.js';
import * as gate from '../middleware/gates.js';
import { identifyKey } from '../middleware/identify-key.js';
import type { Context, Middleware, State } from '../state.js';
import { errorReply, type Message, readPost } from './framing.js';
import { createMcp, type Mcp } from './mcp.js';
import { requireOrigin } from './origin.js';
import type { Tool } from './tool.js';

export interface McpEnvironment {
  readonly clock: Clock;
  readonly log: Logger;
  readonly directory: Directory;
  readonly buckets: Buckets;
  /** Whether the deployment has an operator key; without one the API is off. */
  readonly enabled: boolean;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly bodyTimeouts: BodyTimeouts;
}

export function mcpRoutes(env: McpEnvironment, tools: readonly Tool[]): Router<State> {
  const router = new Router<State>({ sensitive: true });
  router.all(
    MCP_PATH,
    (ctx, next) => {
      ctx.state.surface = 'reads';
      return next();
    },
    cutUnreadBody,
    identifyKey(env.directory, env.buckets, env.enabled),
    gate.requireMethod(['POST']),
    requireOrigin(env.allowedOrigins),
    gate.requireEnabled(env.enabled, errors.mcpDisabled),
    gate.requireKey(env.clock),
    gate.requireAddress,
    gate.meter(env.buckets, 'reads'),
    gate.requireReader,
    answerPost(createMcp({ tools, log: env.log }), env.bodyTimeouts),
  );
  return router;
}

function answerPost(mcp: Mcp, timeouts: BodyTimeouts): Middleware {
  return async (ctx) => {
    const body = await readBody(ctx.req, MCP_LIMITS.bodyBytes, timeouts, errors.messageTooLarge);
    const post = readPost(Buffer.concat(body));
    if ('refused' in post) return respond(ctx, 400, refusal(post.refused));
    const version = ctx.get(PROTOCOL_VERSION_HEADER);
    if (!isSupported(version) && !post.messages.some(isInitialize))
      return respond(ctx, 400, refusal(rpcErrors.unsupportedVersion(version)));
    const caller = { access: ctx.state.access!, version, requestId: ctx.state.requestId };
    const replies: object[] = [];
    for (const message of post.messages) {
      const reply = await mcp.answer(message, caller);
      if (reply) replies.push(reply);
    }
    if (replies.length === 0) return respond(ctx, 202);
    if (post.batch) return respond(ctx, 200, replies);
    return respond(ctx, post.messages[0]!.kind === 'invalid' ? 400 : 200, replies[0]);
  };
}

const refusal = (error: RpcError): object => errorReply(null, error);

/** Absent, the client speaks an older version, all of which this server understands alike. */
const isSupported = (version: string): boolean =>
  version === '' || protocolVersions.some((each) => each === version);

const isInitialize = (message: Message): boolean =>
  message.kind === 'request' && message.request.method === 'initialize';

function respond(ctx: Context, status: number, body?: object): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.status = status;
  if (body === undefined) {
    ctx.body = '';
    ctx.remove('Content-Type');
    return;
  }
  ctx.set('Content-Type', 'application/json');
  ctx.body = JSON.stringify(body);
}
