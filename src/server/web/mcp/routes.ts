/** POST /api/mcp: first its gates in order, then its handler. */
import { errors } from '../../../contract/errors.js';
import {
  handshakeVersions,
  MCP_LIMITS,
  MCP_PATH,
  PROTOCOL_VERSION_HEADER,
  type RpcError,
  rpcErrors,
  STATELESS_VERSION,
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
import { faultOf, type Header, isInitialize, isStateless } from './stateless.js';
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

/** Answers the POST of a caller who has passed the gates. */
export function answerPost(mcp: Mcp, timeouts: BodyTimeouts, requireGranted?: McpMount['requireGranted']) {
  return async (ctx: Context, access: Access): Promise<void> => {
    const body = await readBody(ctx.req, {
      maxBytes: MCP_LIMITS.bodyBytes,
      timeouts,
      tooLarge: errors.messageTooLarge,
    });
    const post = readPost(Buffer.concat(body));
    if ('refused' in post) return respond(ctx, 400, errorReply(null, post.refused));
    requireGranted?.(access, post.messages);
    const header = (name: string) => ctx.get(name) || undefined;
    const stateless = isStateless(post, header);
    const fault = stateless ? faultOf(post, header) : unsupported(post.messages, header);
    if (fault) return respond(ctx, 400, errorReply(stateless ? idOf(post.messages) : null, fault));
    const version = stateless ? STATELESS_VERSION : negotiated(header);
    const caller = { access, gone: goneOf(ctx), version, requestId: ctx.state.requestId };
    const replies: Chunks[] = [];
    for (const message of post.messages) {
      if (caller.gone.aborted) throw new ClientGoneError();
      const reply = await mcp.answer(message, caller);
      if (reply) replies.push(reply);
    }
    if (replies.length === 0) return respondEmpty(ctx);
    if (post.batch) return respond(ctx, 200, batchReply(replies));
    return respond(ctx, statusOf(mcp, post.messages[0]!, version), replies[0]!);
  };
}

/** The status of a reply. Before 2026-07-28 a method that does not exist is 200. */
function statusOf(mcp: Mcp, message: Message, version: string): number {
  if (message.kind === 'invalid') return 400;
  const isMissing =
    version === STATELESS_VERSION &&
    message.kind === 'request' &&
    !mcp.has(message.request.method, STATELESS_VERSION);
  return isMissing ? 404 : 200;
}

const idOf = ([message]: readonly Message[]) => (message?.kind === 'request' ? message.request.id : null);

/** The version that a client negotiated before; empty: it states none, or one that only `initialize` may have. */
const negotiated = (header: Header): string =>
  handshakeVersions.find((each) => each === header(PROTOCOL_VERSION_HEADER)) ?? '';

/** The error for a version that no handshake returns. An absent one means an older client. */
function unsupported(messages: readonly Message[], header: Header): RpcError | undefined {
  const version = header(PROTOCOL_VERSION_HEADER);
  const isKnown = version === undefined || negotiated(header) !== '';
  return isKnown || messages.some(isInitialize) ? undefined : rpcErrors.unsupportedVersion(version);
}

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
