/** POST /api/mcp: first its gates in order, then its handler. */
import Router from '@koa/router';
import compose from 'koa-compose';
import { errors } from '../../contract/errors.js';
import {
  MCP_LIMITS,
  MCP_PATH,
  PROTOCOL_VERSION_HEADER,
  protocolVersions,
  rpcErrors,
} from '../../contract/mcp.js';
import type { Directory } from '../accounts/directory.js';
import type { Clock } from '../clock.js';
import { cutUnreadBody } from '../http/lingering-close.js';
import { type BodyTimeouts, readBody } from '../http/read-body.js';
import type { Buckets } from '../limits/buckets.js';
import type { Logger } from '../log.js';
import * as gate from '../middleware/gates.js';
import { identifyKey } from '../middleware/identify-key.js';
import type { Context, Middleware, State } from '../state.js';
import { batchReply, type Chunks, errorReply, type Message, readPost } from './framing.js';
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
  const policy: Middleware[] = [
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
  ];
  // Composed once here, because the router composes middleware again for every request.
  const answer = answerPost(createMcp({ tools, log: env.log }), env.bodyTimeouts);
  router.all(MCP_PATH, compose([...policy, answer]));
  return router;
}

function answerPost(mcp: Mcp, timeouts: BodyTimeouts): Middleware {
  return async (ctx) => {
    const body = await readBody(ctx.req, {
      maxBytes: MCP_LIMITS.bodyBytes,
      timeouts,
      tooLarge: errors.messageTooLarge,
    });
    const post = readPost(Buffer.concat(body));
    if ('refused' in post) return respond(ctx, 400, errorReply(null, post.refused));
    const version = ctx.get(PROTOCOL_VERSION_HEADER);
    if (!isSupported(version) && !post.messages.some(isInitialize))
      return respond(ctx, 400, errorReply(null, rpcErrors.unsupportedVersion(version)));
    const caller = { access: ctx.state.access!, version, requestId: ctx.state.requestId };
    const replies: Chunks[] = [];
    for (const message of post.messages) {
      const reply = await mcp.answer(message, caller);
      if (reply) replies.push(reply);
    }
    if (replies.length === 0) return respond(ctx, 202);
    if (post.batch) return respond(ctx, 200, batchReply(replies));
    return respond(ctx, post.messages[0]!.kind === 'invalid' ? 400 : 200, replies[0]);
  };
}

/** An absent version means an older client. This server handles all older versions in the same way. */
const isSupported = (version: string): boolean =>
  version === '' || protocolVersions.some((each) => each === version);

const isInitialize = (message: Message): boolean =>
  message.kind === 'request' && message.request.method === 'initialize';

function respond(ctx: Context, status: number, reply?: Chunks): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.status = status;
  if (reply === undefined) {
    ctx.body = '';
    ctx.remove('Content-Type');
    return;
  }
  ctx.set('Content-Type', 'application/json');
  ctx.length = reply.reduce((sum, chunk) => sum + chunk.length, 0);
  for (const chunk of reply.slice(0, -1)) ctx.res.write(chunk);
  // Koa writes `ctx.body` last and ends the response.
  ctx.body = reply.at(-1);
}
