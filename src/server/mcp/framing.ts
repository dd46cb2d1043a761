/** From the bytes of a POST to JSON-RPC messages, what each of them is, and back. Nothing here knows a method. */
import { MCP_LIMITS, type RpcError, rpcErrors } from '../../contract/mcp.js';

export type RpcId = string | number;

/** A message that is answered. */
export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What one message of a POST is: a request, nothing that is answered, or nothing of the protocol. */
export type Message =
  | { readonly kind: 'request'; readonly request: RpcRequest }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'invalid'; readonly id: RpcId | null };

/** A whole POST: messages, of which a batch answers as an array; or the error that answers it as a whole. */
export type Post =
  | { readonly messages: readonly Message[]; readonly batch: boolean }
  | { readonly refused: RpcError };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Splits a body into its messages. */
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
  // This server asks its clients nothing, so an answer of theirs belongs to no question.
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'ignored' };
  if ('id' in value && named === null) return { kind: 'invalid', id: null };
  if (typeof method !== 'string') return { kind: 'invalid', id: named };
  if (named === null) return { kind: 'ignored' };
  return { kind: 'request', request: { id: named, method, params: isObject(params) ? params : {} } };
}

/** A whole number that a double cannot hold would come back as another one, which its caller does not know. */
const isId = (value: unknown): value is RpcId =>
  typeof value === 'string' ||
  (Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value)));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON in chunks, which are sent one after the other: joining them would copy a payload once more. */
export type Chunks = readonly Buffer[];

/** What a message that failed is answered with. */
export const errorReply = (id: RpcId | null, error: RpcError): Chunks => [
  Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error })),
];

/** What a request is answered with. */
export const resultReply = (id: RpcId, result: Chunks): Chunks => [
  Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`),
  ...result,
  CLOSE_OBJECT,
];

/** The replies of a batch as one. */
export const batchReply = (replies: readonly Chunks[]): Chunks => [
  ...replies.flatMap((reply, at) => [at === 0 ? OPEN_ARRAY : COMMA, ...reply]),
  CLOSE_ARRAY,
];

const CLOSE_OBJECT = Buffer.from('}');
const OPEN_ARRAY = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE_ARRAY = Buffer.from(']');
