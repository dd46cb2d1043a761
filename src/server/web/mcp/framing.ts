/** Parses the body of a POST to JSON-RPC messages, and writes replies. It is independent of the methods. */
import { MCP_LIMITS, type RpcError, rpcErrors } from '../../../contract/mcp.js';

export type RpcId = string | number;

/** A message that gets a reply. */
export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** One message of a POST: a request, a message without a reply, or an invalid one. */
export type Message =
  | { readonly kind: 'request'; readonly request: RpcRequest }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'invalid'; readonly id: RpcId | null };

/** A whole POST: its messages (the replies of a batch are an array), or the error for the POST as a whole. */
export type Post =
  | { readonly messages: readonly Message[]; readonly batch: boolean }
  | { readonly refused: RpcError };

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function readPost(body: Buffer): Post {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    return { refused: rpcErrors.parseError() };
  }
  if (!Array.isArray(value)) return { messages: [messageOf(value)], batch: false };
  if (value.length > MCP_LIMITS.batch) return { refused: rpcErrors.batchTooLarge(value.length) };
  if (value.length === 0) return { refused: rpcErrors.invalidRequest() };
  return { messages: value.map(messageOf), batch: true };
}

function messageOf(value: unknown): Message {
  if (!isObject(value)) return { kind: 'invalid', id: null };
  const { jsonrpc, id, method, params } = value;
  const named = isId(id) ? id : null;
  if (jsonrpc !== '2.0') return { kind: 'invalid', id: named };
  // This server sends no requests to its clients, so a response from a client is ignored.
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'ignored' };
  if ('id' in value && named === null) return { kind: 'invalid', id: null };
  if (typeof method !== 'string') return { kind: 'invalid', id: named };
  if (named === null) return { kind: 'ignored' };
  return { kind: 'request', request: { id: named, method, params: isObject(params) ? params : {} } };
}

/** An integer that a double cannot represent is refused: the reply would have another id. */
const isId = (value: unknown): value is RpcId =>
  typeof value === 'string' ||
  (Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value)));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON in chunks that are sent in order. Joining them would copy the payload once more. */
export type Chunks = readonly (Buffer | string)[];

export const errorReply = (id: RpcId | null, error: RpcError): Chunks => [
  JSON.stringify({ jsonrpc: '2.0', id, error }),
];

/** @param opening How the result begins. */
export const resultReply = (id: RpcId, opening: string, result: Chunks): Chunks => [
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${opening}`,
  ...result,
  '}',
];

export const batchReply = (replies: readonly Chunks[]): Chunks => [
  ...replies.flatMap((reply, at) => [at === 0 ? '[' : ',', ...reply]),
  ']',
];
