import { MCP_PATH, PROTOCOL_VERSION_HEADER, type RpcError } from '../../contract/mcp.js';
import { isSvcError, type SvcError } from '../../sdk/errors.js';
import type { Configuration } from '../../sdk/options.js';
import { ACTING_TIMEOUT_MS } from '../../sdk/tools.js';
import { failureReply, negotiated, type Post } from './json-rpc.js';

/** The code for a message that was not delivered, or was refused unread. JSON-RPC leaves its range to servers. */
const NOT_DELIVERED = -32_000;

export interface ForwarderOptions {
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

  async #send({ body, acts }: Post): Promise<unknown> {
    const { transport, optionsOf } = this.#configuration;
    const { signal } = this.#options;
    const options = optionsOf({ signal }, acts ? { timeout: ACTING_TIMEOUT_MS } : {});
    const version = this.#version === undefined ? {} : { [PROTOCOL_VERSION_HEADER]: this.#version };
    const headers = { 'Content-Type': 'application/json', ...version };
    const { data } = await transport.send(MCP_PATH, options, { body, headers, ...(acts && { resends: 0 }) });
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
