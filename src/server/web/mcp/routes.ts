/** POST /api/mcp: first its gates in order, then its handler. */
import { errors } from '../../../contract/errors.js';
import {
  MCP_LIMITS,
  MCP_PATH,
  PROTOCOL_VERSION_HEADER,
  protocolVersions,
  rpcErrors,
} from '../../../contract/mcp.js';
import { isLoopback } from '../../../contract/paths.js';
import type { Access } from '../../accounts/access.js';
import { ClientGoneError, refuse } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { type GateEnvironment, type GateOptions, passGates } from '../gates.js';
import { cutUnreadBody, goneOf } from '../http/connection.js';
import { type BodyTimeouts, readBody } from '../http/read-body.js';
import { headerList, sendWhole } from '../http/response.js';
import { type Route, requireMethod } from '../http/routing.js';
import type { Context, Handler } from '../state.js';
import { batchReply, type Chunks, errorReply, type Message, readPost } from './framing.js';
import { createMcp, type Mcp } from './mcp.js';
import type { Tool } from './tools.js';

// Protects against DNS rebinding: a foreign web page must not reach a server on the machine of its visitor.

/** 403 for an Origin that is neither listed nor loopback. Host is not checked, because a rebinding page forges it. */
const requireOrigin =
  (allowedOrigins: ReadonlySet<string>) =>
  ({ headers: { origin } }: Context): void => {
    if (origin !== undefined && !allowedOrigins.has(origin) && !isLocal(origin))
      throw refuse(errors.originNotAllowed(origin));
  };

function isLocal(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return /^https?:$/.test(protocol) && isLoopback(hostname);
}

export interface McpEnvironment extends GateEnvironment {
  readonly log: Logger;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly bodyTimeouts: BodyTimeouts;
}

/** What differs where the endpoint is mounted another time. */
export interface McpMount {
  readonly path: string;
  readonly identify: NonNullable<GateOptions['identify']>;
  /** Refuses a POST by what its messages ask for. */
  readonly requireGranted: (access: Access, messages: readonly Message[]) => void;
}

export function mcpRoute(env: McpEnvironment, tools: readonly Tool[], mount?: McpMount): Route {
  const answer = answerPost(createMcp({ tools, log: env.log }), env.bodyTimeouts, mount?.requireGranted);
  const options: GateOptions = {
    checks: [requireMethod(['POST']), requireOrigin(env.allowedOrigins)],
    disabled: errors.mcpDisabled,
    ...(mount && { identify: mount.identify }),
  };
  const handle: Handler = async (ctx) => {
    try {
      await answer(ctx, await passGates(env, ctx, options));
    } catch (error) {
      cutUnreadBody(ctx);
      throw error;
    }
  };
  return [mount?.path ?? MCP_PATH, handle];
}

function answerPost(mcp: Mcp, timeouts: BodyTimeouts, requireGranted?: McpMount['requireGranted']) {
  return async (ctx: Context, access: Access): Promise<void> => {
    const body = await readBody(ctx.req, {
      maxBytes: MCP_LIMITS.bodyBytes,
      timeouts,
      tooLarge: errors.messageTooLarge,
    });
    const post = readPost(Buffer.concat(body));
    if ('refused' in post) return respond(ctx, 400, errorReply(null, post.refused));
    requireGranted?.(access, post.messages);
    const version = ctx.get(PROTOCOL_VERSION_HEADER);
    if (!isSupported(version) && !post.messages.some(isInitialize))
      return respond(ctx, 400, errorReply(null, rpcErrors.unsupportedVersion(version)));
    const gone = goneOf(ctx);
    const caller = { access, gone, version, requestId: ctx.state.requestId };
    const replies: Chunks[] = [];
    for (const message of post.messages) {
      if (gone.aborted) throw new ClientGoneError();
      const reply = await mcp.answer(message, caller);
      if (reply) replies.push(reply);
    }
    if (replies.length === 0) return respondEmpty(ctx);
    if (post.batch) return respond(ctx, 200, batchReply(replies));
    return respond(ctx, post.messages[0]!.kind === 'invalid' ? 400 : 200, replies[0]!);
  };
}

/** An absent version means an older client. This server handles all older versions in the same way. */
const isSupported = (version: string): boolean =>
  version === '' || protocolVersions.some((each) => each === version);

const isInitialize = (message: Message): boolean =>
  message.kind === 'request' && message.request.method === 'initialize';

const NOT_STORED = ['Cache-Control', 'no-store'] as const;

function respond(ctx: Context, status: number, reply: Chunks): void {
  const length = reply.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0);
  const headers = [...NOT_STORED, 'Content-Type', 'application/json', ...headerList(ctx)];
  headers.push('Content-Length', String(length));
  sendWhole(ctx, status, headers, reply);
}

function respondEmpty(ctx: Context): void {
  ctx.set(...NOT_STORED);
  ctx.status = 202;
  ctx.body = '';
  ctx.remove('Content-Type');
}
