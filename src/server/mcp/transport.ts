/**
 * The transport between the HTTP handler and the SDK's server. It has no sessions: it forwards every request with a new
 * id, so that the ids of different callers cannot collide, and resolves it with the response to that id.
 */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { RpcError } from '../../contract/mcp.js';

/** The result or the error of a request. */
export type Outcome = { readonly result: unknown } | { readonly error: RpcError };

interface Waiting<C> {
  readonly context: C;
  readonly settle: (outcome: Outcome) => void;
}

/** `C` is the context of a request that the HTTP handler passes to the method's handler: caller and version. */
export class StatelessTransport<C> implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #waiting = new Map<number, Waiting<C>>();
  #last = 0;

  /** Forwards a request to the server and resolves with its outcome. */
  request(method: string, params: Readonly<Record<string, unknown>>, context: C): Promise<Outcome> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((settle) => {
      this.#waiting.set(id, { context, settle });
      this.onmessage?.({ jsonrpc: '2.0', id, method, params: { ...params } });
    });
  }

  /** The context of the running request with this id. */
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
