/** The parts of JSON-RPC messages that the bridge must know to forward them. */
import type { RpcError } from '../../contract/mcp.js';
import { runFactCheck } from '../../contract/reads/run-fact-check.js';
import { toolNames } from '../../contract/tools.js';

/** One message of a client, or a batch of them. */
export interface Post {
  /** The text as received. */
  readonly body: string;
  /** Ids of the messages that await a reply; null for an invalid id. */
  readonly ids: readonly (string | number | null)[];
  readonly isBatch: boolean;
  /** Whether it negotiates the version of the protocol. */
  readonly isInitialize: boolean;
  /** Whether it must not arrive twice, because it calls a tool that is not known to be read-only. */
  readonly acts: boolean;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown };
}

const reads: ReadonlySet<unknown> = new Set(toolNames.filter((name) => name !== runFactCheck.tool));

/** @throws SyntaxError for invalid JSON. */
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

/** True for requests; false for notifications and responses. */
const awaitsReply = ({ id, method, ...rest }: Message): boolean =>
  typeof method === 'string' ? id !== undefined : !('result' in rest || 'error' in rest);
const isId = (id: unknown): id is string | number => typeof id === 'string' || typeof id === 'number';

/** An error reply to each request of the post; empty: no message awaits a reply. */
export function failureReply(
  { ids, isBatch }: Pick<Post, 'ids' | 'isBatch'>,
  error: RpcError & { readonly data?: object },
): string {
  const replies = ids.map((id) => ({ jsonrpc: '2.0', id, error }));
  if (replies.length === 0) return '';
  return JSON.stringify(isBatch ? replies : replies[0]);
}

/** The protocol version in a reply to `initialize`; undefined: it has no valid one. */
export function negotiated(reply: unknown): string | undefined {
  const replies: unknown[] = Array.isArray(reply) ? reply : [reply];
  const version: unknown = replies.map((each) => Object(each).result?.protocolVersion).find(Boolean);
  return typeof version === 'string' && /^[\w.-]{1,40}$/.test(version) ? version : undefined;
}
