/** The MCP side of the fake server: the tools that a test needs, as the API would answer. */
import type { ToolName, ToolPayloadOf } from '../../../src/contract/tools.js';
import type { SentRefusal } from './fake-server.js';
import * as fixtures from './tool-fixtures.js';

type Payloads = { [N in ToolName]?: ToolPayloadOf<N> };

interface Call {
  readonly name: ToolName;
  readonly arguments?: object;
}
interface Message {
  readonly id: number;
  readonly method: string;
  readonly params: Call;
}

export class FakeTools {
  /** Every call, in order. */
  readonly calls: Call[] = [];
  readonly #payloads: Payloads = { ...fixtures.payloads };
  readonly #refusals = new Map<ToolName, SentRefusal>();
  /** The result of `tools/list`; if omitted, only the names of the tools. */
  listed: readonly object[] | undefined;

  /** Replaces what a tool returns. */
  serve<N extends ToolName>(name: N, payload: ToolPayloadOf<N>): void {
    this.#payloads[name] = payload as Payloads[N];
  }

  refuse(name: ToolName, refusal: SentRefusal): void {
    this.#refusals.set(name, refusal);
  }

  /** The text block of a tool's result. */
  text(name: ToolName): string {
    return JSON.stringify(this.#payloads[name]);
  }

  /** The reply to a JSON-RPC message with a `tools/call`, or the list of the tools. */
  reply(message: string): string {
    const { id, method, params } = JSON.parse(message) as Message;
    if (method === 'tools/list') {
      const named = Object.keys(this.#payloads).map((name) => ({ name, inputSchema: { type: 'object' } }));
      const tools = this.listed ?? named;
      return JSON.stringify({ jsonrpc: '2.0', id, result: { tools } });
    }
    this.calls.push(params);
    const refusal = this.#refusals.get(params.name);
    const text = refusal
      ? JSON.stringify({ error: refusal.toolMessage ?? refusal.message })
      : this.text(params.name);
    const outcome = refusal && {
      isError: true,
      _meta: { status: refusal.status, code: refusal.code, parameters: refusal.parameters },
    };
    return JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], ...outcome } });
  }
}
