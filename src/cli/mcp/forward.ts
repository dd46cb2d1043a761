import { MCP_PATH, PROTOCOL_VERSION_HEADER, type RpcError } from '../../contract/mcp.js';
import { isSvcError, type SvcError } from '../../sdk/errors.js';
import type { Configuration } from '../../sdk/options.js';
import { ACTING_TIMEOUT_MS } from '../../sdk/tools.js';
import { failureReply, negotiated, type Post } from './json-rpc.js';

/** In the range that JSON-RPC leaves to servers: the message could not be delivered, or was refused before it was read. */
const NOT_DELIVERED = -32_000;

export interface RelayOptions {
  readonly signal: AbortSignal;
  /** Told what went wrong, for people. */
  readonly note: (text: string) => void;
}

/** Delivers a client's messages to the server by POST. */
export class Relay {
  readonly #configuration: Configuration;
  readonly #options: RelayOptions;
  #version: string | undefined;

  constructor(configuration: Configuration, options: RelayOptions) {
    this.#configuration = configuration;
    this.#options = options;
  }

  /**
   * The line that answers a post; empty: it gets none. Whatever fails is an answer too.
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

  async #send({ body, acts }: Post): Promise<unknown> {
    const { transport, optionsOf } = this.#configuration;
    const { signal } = this.#options;
    const options = optionsOf({ signal }, acts ? { timeout: ACTING_TIMEOUT_MS } : {});
    const version = this.#version === undefined ? {} : { [PROTOCOL_VERSION_HEADER]: this.#version };
    const headers = { 'Content-Type': 'application/json', ...version };
    const { data } = await transport.send(MCP_PATH, options, { body, headers, ...(acts && { resends: 0 }) });
    return data;
  }

  #failure(post: Post, { status, message, body, retryable }: SvcError): string {
    // Taken in, and there is nothing to say about it.
    if (status === 202 && post.ids.length === 0) return '';
    const refusal = rpcErrorOf(body);
    if (refusal) return failureReply(post, refusal) || JSON.stringify(body);
    this.#options.note(message);
    // What acts may have arrived and done so: only a refusal is sure to have done nothing.
    const mayRepeat = post.acts ? status === 429 : retryable;
    return failureReply(post, { code: NOT_DELIVERED, message, data: { status, retryable: mayRepeat } });
  }
}

/** What the protocol itself refuses; the server's reply names no id then. */
const rpcErrorOf = (body: unknown): RpcError | undefined =>
  Object(body).jsonrpc === '2.0' ? Object(body).error : undefined;
