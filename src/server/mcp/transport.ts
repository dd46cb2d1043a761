/**
 * The way from the HTTP handler to the SDK's server and back. It keeps no session: every request goes on under a number
 * of its own, so that callers who all count from 1 cannot meet, and waits for the one answer to that number.
 */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { RpcError } from '../../contract/mcp.js';

/** The result of a request, or the error in its place. */
export type Outcome = { readonly result: unknown } | { readonly error: RpcError };

interface Waiting<C> {
  readonly context: C;
  readonly settle: (outcome: Outcome) => void;
}

/** `C` is what the HTTP handler knows of a request and its handler needs: who calls, in which version. */
export class StatelessTransport<C> implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #waiting = new Map<number, Waiting<C>>();
  #last = 0;

  /** Hands a request to the server and waits for what it answers. */
  exchange(method: string, params: Readonly<Record<string, unknown>>, context: C): Promise<Outcome> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((settle) => {
      this.#waiting.set(id, { context, settle });
      this.onmessage?.({ jsonrpc: '2.0', id, method, params: { ...params } });
    });
  }

  /** What is known of the request with this number, while it runs. */
  contextOf(id: string | number): C {
    return this.#waiting.get(Number(id))!.context;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('id' in message) || message.id === undefined) return;
    const id = Number(message.id);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if ('result' in message) waiting?.settle({ result: message.result });
    else if ('error' in message) waiting?.settle({ error: message.error });
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}
