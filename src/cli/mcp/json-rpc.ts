/** JSON-RPC messages as far as the bridge must understand what it passes on. */
import type { RpcError } from '../../contract/mcp.js';
import { runFactCheck } from '../../contract/reads/run-fact-check.js';
import { toolNames } from '../../contract/tools.js';

/** One message of a client, or a batch of them. */
export interface Post {
  /** As it came. */
  readonly body: string;
  /** Ids of what awaits a reply; null where the id is none. */
  readonly ids: readonly (string | number | null)[];
  readonly isBatch: boolean;
  /** Whether it asks which version of the protocol is spoken. */
  readonly isInitialize: boolean;
  /** Whether it may do harm when it arrives twice: it calls a tool that is not known to read alone. */
  readonly acts: boolean;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown };
}

const reads: ReadonlySet<unknown> = new Set(toolNames.filter((name) => name !== runFactCheck.tool));

/** @throws SyntaxError where it is no JSON. */
export function postOf(body: string): Post {
  const given: unknown = JSON.parse(body);
  const isBatch = Array.isArray(given);
  const messages = (isBatch ? given : [given]).map((each: unknown): Message => Object(each));
  return {
    body,
    isBatch,
    ids: messages.filter(awaitsReply).map(({ id }) => (isId(id) ? id : null)),
    isInitialize: messages.some(({ method }) => method === 'initialize'),
    acts: messages.some(({ method, params }) => method === 'tools/call' && !reads.has(params?.name)),
  };
}

/** Notifications do not, and answers of the client to what nobody asked. */
const awaitsReply = ({ id, method, ...rest }: Message): boolean =>
  typeof method === 'string' ? id !== undefined : !('result' in rest || 'error' in rest);
const isId = (id: unknown): id is string | number => typeof id === 'string' || typeof id === 'number';

/** A reply to each request of the post that says why there is none; empty: nothing awaits one. */
export function failureReply(
  { ids, isBatch }: Pick<Post, 'ids' | 'isBatch'>,
  error: RpcError & { readonly data?: object },
): string {
  const replies = ids.map((id) => ({ jsonrpc: '2.0', id, error }));
  if (replies.length === 0) return '';
  return JSON.stringify(isBatch ? replies : replies[0]);
}

/** The version that a reply to `initialize` settles on. */
export function negotiated(reply: unknown): string | undefined {
  const replies: unknown[] = Array.isArray(reply) ? reply : [reply];
  const version: unknown = replies.map((each) => Object(each).result?.protocolVersion).find(Boolean);
  return typeof version === 'string' && /^[\w.-]{1,40}$/.test(version) ? version : undefined;
}
