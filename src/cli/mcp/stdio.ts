/** The parts of JSON-RPC messages that the bridge must know to forward them. */

import { errors } from '../../contract/errors.js';
import { MCP_PATH, PROTOCOL_VERSION_HEADER, type RpcError, rpcErrors } from '../../contract/mcp.js';
import {
  encodeName,
  METHOD_HEADER,
  NAME_HEADER,
  NAMED_METHODS,
  statedVersion,
} from '../../contract/mcp-headers.js';
import { runFactCheck } from '../../contract/reads/run-fact-check.js';
import { toolNames } from '../../contract/tools.js';
import { isSvcError, type SvcError } from '../../sdk/errors.js';
import { Lines } from '../../sdk/ingest/batches.js';
import type { Configuration } from '../../sdk/options.js';
import { ACTING_TIMEOUT_MS } from '../../sdk/tools.js';
import { unlessAborted } from '../../sdk/transport.js';

/** One message of a client, or a batch of them. */
export interface Post {
  /** The text as received. */
  readonly body: string;
  /** Ids of the messages that await a reply; null for an invalid id. */
  readonly ids: readonly (string | number | null)[];
  readonly isBatch: boolean;
  /** Headers that repeat what the message says, as revision 2026-07-28 requires; none for an older client. */
  readonly headers: Readonly<Record<string, string>>;
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
  const parsed: unknown = JSON.parse(body);
  const isBatch = Array.isArray(parsed);
  const messages = (isBatch ? parsed : [parsed]).map((each: unknown): Message => Object(each));
  return {
    body,
    isBatch,
    headers: isBatch ? {} : headersOf(messages[0]!),
    ids: messages.filter(awaitsReply).map(({ id }) => (isId(id) ? id : null)),
    isInitialize: messages.some(({ method }) => method === 'initialize'),
    acts: messages.some(({ method, params }) => method === 'tools/call' && !reads.has(params?.name)),
  };
}

/** What a header can carry without change. */
const isHeaderText = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);

/** A value that no header can carry is left to the server, which names the header that is missing. */
function headersOf({ method, params }: Message): Record<string, string> {
  const version = statedVersion(params);
  if (version === undefined) return {};
  return {
    ...(isHeaderText(version) && { [PROTOCOL_VERSION_HEADER]: version }),
    ...(isHeaderText(method) && { [METHOD_HEADER]: method }),
    ...(typeof params?.name === 'string' &&
      NAMED_METHODS.has(String(method)) && { [NAME_HEADER]: encodeName(params.name) }),
  };
}

/** True for requests; false for notifications and responses. */
const awaitsReply = ({ id, method, ...rest }: Message): boolean =>
  typeof method === 'string' ? id !== undefined : !('result' in rest || 'error' in rest);
const isId = (id: unknown): id is string | number => typeof id === 'string' || typeof id === 'number';

/** An error reply to each request of the post; empty: no message awaits a reply. */
function failureReply(
  { ids, isBatch }: Pick<Post, 'ids' | 'isBatch'>,
  error: RpcError & { readonly data?: object },
): string {
  const replies = ids.map((id) => ({ jsonrpc: '2.0', id, error }));
  if (replies.length === 0) return '';
  return JSON.stringify(isBatch ? replies : replies[0]);
}

/** The protocol version in a reply to `initialize`; undefined: it has no valid one. */
function negotiated(reply: unknown): string | undefined {
  const replies: unknown[] = Array.isArray(reply) ? reply : [reply];
  const version: unknown = replies.map((each) => Object(each).result?.protocolVersion).find(Boolean);
  return typeof version === 'string' && /^[\w.-]{1,40}$/.test(version) ? version : undefined;
}

/** The code for a message that was not delivered, or was refused unread. JSON-RPC leaves its range to servers. */
const NOT_DELIVERED = -32_000;

interface ForwarderOptions {
  readonly signal: AbortSignal;
  /** What is wrong, and what to do about it. */
  readonly explain: (error: SvcError) => string;
  /** Called with the explanation of each failure, to show it to the user. */
  readonly note: (text: string) => void;
}

/** Forwards a client's messages to the server by POST. */
export class Forwarder {
  readonly #configuration: Configuration;
  readonly #options: ForwarderOptions;
  #version: string | undefined;

  constructor(configuration: Configuration, options: ForwarderOptions) {
    this.#configuration = configuration;
    this.#options = options;
  }

  /**
   * Forwards a post and returns the line of the reply; empty: there is no reply. A failure becomes a JSON-RPC error.
   * @throws The signal's reason.
   */
  async answer(post: Post): Promise<string> {
    try {
      const reply = await this.#send(post);
      if (post.isInitialize) this.#version = negotiated(reply);
      return JSON.stringify(reply);
    } catch (error) {
      if (!isSvcError(error) || this.#options.signal.aborted) throw error;
      return this.#failure(post, error);
    }
  }

  async #send({ body, headers: repeated, acts }: Post): Promise<unknown> {
    const { transport, optionsOf } = this.#configuration;
    const { signal } = this.#options;
    const options = optionsOf({ signal }, acts ? { timeout: ACTING_TIMEOUT_MS } : {});
    const version = this.#version === undefined ? {} : { [PROTOCOL_VERSION_HEADER]: this.#version };
    const headers = { 'Content-Type': 'application/json', ...version, ...repeated };
    const { data } = await transport(MCP_PATH, options, { body, headers, ...(acts && { resends: 0 }) });
    return data;
  }

  #failure(post: Post, error: SvcError): string {
    const { status, body, retryable } = error;
    // The server accepted messages that have no reply.
    if (status === 202 && post.ids.length === 0) return '';
    const refusal = rpcErrorOf(body);
    if (refusal) return failureReply(post, refusal) || JSON.stringify(body);
    const message = this.#options.explain(error);
    this.#options.note(message);
    // A tool that is not read-only may have run although the request failed. Only after a 429 it certainly did not run.
    const mayRepeat = post.acts ? status === 429 : retryable;
    return failureReply(post, { code: NOT_DELIVERED, message, data: { status, retryable: mayRepeat } });
  }
}

/** The JSON-RPC error of a reply that refuses the message itself; such a reply has no id. */
const rpcErrorOf = (body: unknown): RpcError | undefined =>
  Object(body).jsonrpc === '2.0' ? Object(body).error : undefined;

/** The limit of messages in flight. No further message is read until a reply arrives. */
const MAX_IN_FLIGHT = 32;

export interface BridgeOptions {
  /** Returns the line of the reply to a post; empty: there is no reply. */
  readonly answer: (post: Post) => Promise<string>;
  /** Writes a text and waits until it is written. */
  readonly write: (text: string) => Promise<void>;
  /** Ends the bridge. If the bridge fails, it aborts this to end the messages in flight. */
  readonly end: AbortController;
}

/**
 * Forwards the messages of the input, one per line, and writes each reply as one line as soon as it arrives. Ends when the
 * input has ended and every reply is written.
 * @throws The reason of `end`, or the error of reading or writing.
 */
export async function bridge(input: AsyncIterable<Uint8Array>, options: BridgeOptions): Promise<void> {
  const { end, write } = options;
  const running = new Set<Promise<void>>();
  const forward = async (line: string | undefined) => {
    const reply = await replyTo(line, options);
    if (reply !== '') await write(`${reply}\n`);
  };
  const lines = linesOf(input);
  for (;;) {
    const { done, value } = await unlessAborted(end.signal, lines.next());
    if (done) break;
    const forwarding = forward(value)
      .catch((error: unknown) => end.abort(error))
      .finally(() => running.delete(forwarding));
    running.add(forwarding);
    if (running.size >= MAX_IN_FLIGHT) await unlessAborted(end.signal, Promise.race(running));
  }
  await unlessAborted(end.signal, Promise.all(running));
  end.signal.throwIfAborted();
}

/** The reply to a line of the client. For invalid JSON it is the server's error, made without a request. */
async function replyTo(line: string | undefined, { answer }: BridgeOptions): Promise<string> {
  const unknown = { ids: [null], isBatch: false };
  if (line === undefined) {
    const { code } = rpcErrors.invalidRequest();
    return failureReply(unknown, { code, message: errors.messageTooLarge().message });
  }
  let post: Post;
  try {
    post = postOf(line);
  } catch {
    return failureReply(unknown, rpcErrors.parseError());
  }
  return answer(post);
}

/** Yields the lines that are not blank; undefined for a line over the size limit. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined, void> {
  const arrived: (string | undefined)[] = [];
  const lines = new Lines((line) => arrived.push(line && Buffer.from(line).toString('utf8').trim()));
  for await (const chunk of input) {
    lines.push(chunk);
    yield* arrived.splice(0).filter((line) => line !== '');
  }
  lines.end();
  yield* arrived.filter((line) => line !== '');
}
