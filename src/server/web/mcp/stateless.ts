/** Revision 2026-07-28: every request states the revision in its body, and repeats in headers what a proxy may look at. */
import {
  PROTOCOL_VERSION_HEADER,
  type RpcError,
  rpcErrors,
  STATELESS_VERSION,
} from '../../../contract/mcp.js';
import {
  CAPABILITIES_META,
  decodeName,
  METHOD_HEADER,
  NAME_HEADER,
  NAMED_METHODS,
  statedVersion,
  VERSION_META,
} from '../../../contract/mcp-headers.js';
import type { Message, Post, RpcRequest } from './framing.js';

type Messages = Extract<Post, { messages: unknown }>;

/** Returns the value of a header; undefined if it is absent. */
export type Header = (name: string) => string | undefined;

/**
 * Whether a POST is of this revision: its request states a version in `_meta`, or it has the header of the revision. `initialize` is
 * a handshake whatever its header is.
 */
export function isStateless({ messages }: Messages, header: Header): boolean {
  if (messages.some((message) => message.kind === 'request' && isStated(message.request))) return true;
  return header(PROTOCOL_VERSION_HEADER) === STATELESS_VERSION && !messages.some(isInitialize);
}

const isStated = ({ params }: RpcRequest): boolean => statedVersion(params) !== undefined;

export const isInitialize = (message: Message): boolean =>
  message.kind === 'request' && message.request.method === 'initialize';

/** What is wrong with the version and the headers of a POST of this revision. */
export function faultOf({ messages, batch }: Messages, header: Header): RpcError | undefined {
  if (batch) return rpcErrors.noBatches();
  const [message] = messages;
  return message?.kind === 'request' ? faultOfRequest(message.request, header) : undefined;
}

function faultOfRequest({ method, params }: RpcRequest, header: Header): RpcError | undefined {
  const version = statedVersion(params);
  if (version === undefined) return rpcErrors.missingMeta(VERSION_META);
  const disagreeing =
    mismatch(PROTOCOL_VERSION_HEADER, header(PROTOCOL_VERSION_HEADER), version) ??
    mismatch(METHOD_HEADER, header(METHOD_HEADER), method) ??
    (NAMED_METHODS.has(method) ? mismatchOfName(header(NAME_HEADER), params.name) : undefined);
  if (disagreeing) return disagreeing;
  if (version !== STATELESS_VERSION) return rpcErrors.unsupportedStatedVersion(version);
  const capabilities = Object(params._meta)[CAPABILITIES_META];
  return typeof capabilities === 'object' && capabilities !== null
    ? undefined
    : rpcErrors.missingMeta(CAPABILITIES_META);
}

const mismatch = (name: string, got: string | undefined, said: unknown): RpcError | undefined =>
  got === said ? undefined : rpcErrors.headerMismatch(name, got, said);

const mismatchOfName = (got: string | undefined, said: unknown): RpcError | undefined =>
  got !== undefined && decodeName(got) === said
    ? undefined
    : rpcErrors.headerMismatch(NAME_HEADER, got, said);
