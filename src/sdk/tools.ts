import type { MCP_PATH } from '../contract/mcp.js';
import type { runFactCheck } from '../contract/reads/run-fact-check.js';
import type { Resources } from '../contract/registry.js';
import {
  type Arguments,
  type CallOptions,
  defined,
  type ToolArgumentsOf,
  type ToolName,
  type ToolPayloadOf,
} from './arguments.js';
import { SvcError, ToolError } from './errors.js';
import type { Configuration } from './options.js';
import { type ApiPromise, apiPromise, type WithResponse } from './response.js';
import { parsed } from './transport.js';

/** A tool as the server describes it to agents. */
export interface ToolDescription {
  /** The name to call it by. */
  name: string;
  /** The name to show. */
  title?: string;
  /** What it returns, with the scales of the values and the meaning of null. */
  description?: string;
  /** JSON Schema of the arguments. */
  inputSchema: {
    /** Arguments are an object. */
    type: 'object';
    /** JSON Schema of each argument. */
    properties?: { [argument: string]: object };
    [keyword: string]: unknown;
  };
  /** Hints, for example `readOnlyHint`. */
  annotations?: {
    /** The name to show. */
    title?: string;
    [hint: string]: unknown;
  };
  [field: string]: unknown;
}

/** The server's MCP tools: all reads by the names of their tools, including those that REST does not have. */
export interface Tools {
  /** The tools of the server. */
  list(options?: CallOptions): ApiPromise<ToolDescription[]>;
  /**
   * Calls a tool and returns its payload. `run_fact_check` spends money, so it is retried only after a 429. Its default
   * `timeout` is 180 seconds.
   * @throws ToolError when the tool refuses.
   */
  call<N extends ToolName>(name: N, ...args: Arguments<ToolArgumentsOf<N>>): ApiPromise<ToolPayloadOf<N>>;
}

/** The fields of a JSON-RPC reply that are read. All of them are unverified. */
interface Reply {
  readonly error?: { readonly code?: number; readonly message?: string };
  readonly result?: {
    readonly tools?: unknown;
    readonly isError?: boolean;
    readonly content?: { text: string }[];
    readonly _meta?: {
      readonly status?: number;
      readonly code?: string | number | undefined;
      readonly parameters?: string[];
    };
  };
}

const PATH: typeof MCP_PATH = '/api/mcp';
/** The one tool that does not belong to a brand. */
const WORKSPACE_WIDE: Resources['brands']['tool'] = 'list_brands';
/** The only tool that does not just read. It calls a language model up to twice, for up to a minute each. */
const METERED: (typeof runFactCheck)['tool'] = 'run_fact_check';
/** The time limit in milliseconds of a call that may wait for a language model. */
export const ACTING_TIMEOUT_MS = 180_000;

export function createTools({ brand, optionsOf, redact, transport }: Configuration): Tools {
  async function ask<T>(
    method: string,
    call: CallOptions | undefined,
    tool?: string,
    args?: object,
  ): Promise<WithResponse<T>> {
    const metered = tool === METERED;
    const options = optionsOf(call, metered ? { timeout: ACTING_TIMEOUT_MS } : {});
    const response = await transport(PATH, options, {
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: tool && {
          name: tool,
          arguments: { ...(tool !== WORKSPACE_WIDE && { brand_id: brand }), ...defined(args) },
        },
      }),
      headers: { 'Content-Type': 'application/json' },
      ...(metered && { resends: 0 }),
    });
    const { error, result } = response.data as Reply;
    const text = result?.content?.[0]?.text;
    const json: { error?: string } | undefined = parsed(text);
    const data = tool ? json : Array.isArray(result?.tools) && result.tools;
    const refused = error || result?.isError;
    if (data && !refused) return { ...response, data: data as T };
    const { status = refused ? 400 : 200, code = error?.code, parameters } = result?._meta ?? {};
    const details = {
      ...response,
      status,
      code,
      parameters,
      body: parsed(redact(JSON.stringify(response.data))),
    };
    if (!refused) throw new SvcError('The answer is not a reply of MCP.', details);
    const message = redact(String(error?.message ?? json?.error ?? text ?? method));
    throw new ToolError(message, { ...details, tool: tool ?? null });
  }

  return {
    list: (options) => apiPromise(ask('tools/list', options)),
    call: (name, ...[args, options]) => apiPromise(ask('tools/call', options, name, args)),
  };
}
