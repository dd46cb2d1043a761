/** POST /api/mcp: first its gates in order, then its handler. */
import { errors } from '../../contract/errors.js';
import {
  MCP_LIMITS,
  MCP_PATH,
  PROTOCOL_VERSION_HEADER,
  protocolVersions,
  rpcErrors,
} from '../../contract/mcp.js';
import type { Access } from '../accounts/access.js';
import { cutUnreadBody } from '../http/lingering-close.js';
import { requireMethod } from '../http/methods.js';
import { type BodyTimeouts, readBody } from '../http/read-body.js';
import type { Logger } from '../log.js';
import { type GateEnvironment, type GateOptions, passGates } from '../middleware/gates.js';
import type { Context, Handler } from '../state.js';
import { batchReply, type Chunks, errorReply, type Message, readPost } from './framing.js';
import { createMcp, type Mcp } from './mcp.js';
import { requireOrigin } from './origin.js';
import type { Tool } from './tool.js';

export interface McpEnvironment extends GateEnvironment {
  readonly log: Logger;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly bodyTimeouts: BodyTimeouts;
}

export function mcpRoute(env: McpEnvironment, tools: readonly Tool[]): [path: string, Handler] {
  const answer = answerPost(createMcp({ tools, log: env.log }), env.bodyTimeouts);
  const options: GateOptions = {
    surface: 'reads',
    checks: [requireMethod(['POST']), requireOrigin(env.allowedOrigins)],
    disabled: errors.mcpDisabled,
  };
  const handle: Handler = async (ctx) => {
    cutUnreadBody(ctx);
    await answer(ctx, await passGates(env, ctx, options));
  };
  return [MCP_PATH, handle];
}

function answerPost(mcp: Mcp, timeouts: BodyTimeouts) {
  return async (ctx: Context, access: Access): Promise<void> => {
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
    const caller = { access, version, requestId: ctx.state.requestId };
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
  // The first chunk sends the headers.
  ctx.set(ctx.state.headers);
  ctx.length = reply.reduce((sum, chunk) => sum + chunk.length, 0);
  for (const chunk of reply.slice(0, -1)) ctx.res.write(chunk);
  // Koa writes `ctx.body` last and ends the response.
  ctx.body = reply.at(-1);
}
