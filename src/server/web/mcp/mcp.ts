/**
 * Implements the methods of the protocol, on one long-lived server of the SDK for all callers. `tools/call` bypasses the
 * SDK, which validates request and response several times: in `bench/mcp-calls` that is most of the cost of a cached
 * read.
 */

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import {
  mcpInstructions,
  mcpServer,
  protocolVersions,
  type RpcError,
  rpcErrors,
  STRUCTURED_SINCE,
} from '../../../contract/mcp.js';
import type { Access } from '../../accounts/access.js';
import { refusalOf } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { type Chunks, errorReply, type Message, type RpcRequest, resultReply } from './framing.js';
import type { Tool, ToolCall } from './tools.js';

// The transport between the HTTP handler and the SDK's server. It has no sessions: it forwards every request with a new
// id, so that the ids of different callers cannot collide, and resolves it with the response to that id.

type Outcome = { readonly result: unknown } | { readonly error: RpcError };

interface Waiting<C> {
  readonly context: C;
  readonly settle: (outcome: Outcome) => void;
}

/** `C` is the context of a request that the HTTP handler passes to the method's handler: caller and version. */
class StatelessTransport<C> implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #waiting = new Map<number, Waiting<C>>();
  #last = 0;

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

/** The properties of a POST that apply to all its messages. */
interface Caller {
  readonly access: Access;
  readonly gone: AbortSignal;
  /** The header MCP-Protocol-Version; empty if absent. */
  readonly version: string;
  readonly requestId: string;
}

export interface Mcp {
  /** The reply to a message, as it is sent; null: the message gets no reply. */
  answer(message: Message, caller: Caller): Promise<Chunks | null>;
}

/** Serves these tools, in this order. */
export function createMcp({ tools, log }: { tools: readonly Tool[]; log: Logger }): Mcp {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const callTool = createCalls(log);
  const transport = new StatelessTransport<Caller>();
  const connected = createServer(transport, tools).connect(transport);

  async function call({ id, params }: RpcRequest, caller: Caller): Promise<Chunks> {
    if (typeof params.name !== 'string' || params.name === '')
      return errorReply(id, rpcErrors.missingToolName());
    const tool = byName.get(params.name);
    if (!tool) return errorReply(id, rpcErrors.unknownTool(params.name));
    const { access, gone, requestId } = caller;
    const toolCall = { access, gone, requestId, arguments: params.arguments };
    return resultReply(id, await callTool(tool, toolCall, isStructured(caller)));
  }

  async function dispatch({ id, method, params }: RpcRequest, caller: Caller): Promise<Chunks> {
    await connected;
    const outcome = await transport.request(method, forwarded(method, params), caller);
    if ('result' in outcome) return resultReply(id, [JSON.stringify(outcome.result)]);
    return errorReply(id, publicError(outcome.error, caller, log));
  }

  return {
    answer: async (message, caller) => {
      if (message.kind === 'ignored') return null;
      if (message.kind === 'invalid') return errorReply(message.id, rpcErrors.invalidRequest());
      const { request } = message;
      return request.method === 'tools/call' ? call(request, caller) : dispatch(request, caller);
    },
  };
}

/** The SDK's server with the other methods. It implements ping itself. */
function createServer(transport: StatelessTransport<Caller>, tools: readonly Tool[]): Server {
  const server = new Server(mcpServer, { capabilities });
  const listings = { plain: listingOf(tools, false), structured: listingOf(tools, true) };
  server.setRequestHandler(initializeSchema, ({ params }) => ({
    protocolVersion: protocolVersions.find((each) => each === params?.protocolVersion) ?? protocolVersions[0],
    capabilities,
    serverInfo: mcpServer,
    instructions: mcpInstructions,
  }));
  server.setRequestHandler(ListToolsRequestSchema, (_, { requestId }) =>
    isStructured(transport.contextOf(requestId)) ? listings.structured : listings.plain,
  );
  server.fallbackRequestHandler = async ({ method }) => {
    // A plain error is sent as it is. The SDK's own error class adds a prefix to the message.
    const { code, message } = rpcErrors.methodNotFound(method);
    throw Object.assign(new Error(message), { code });
  };
  return server;
}

const capabilities = { tools: {} };

/** Replaces the SDK's schema, which refuses a client that omits a field, and supports other versions. */
const initializeSchema = z.object({
  method: z.literal('initialize'),
  params: z.looseObject({ protocolVersion: z.unknown() }).optional(),
});

const isStructured = ({ version }: Caller): boolean => version === STRUCTURED_SINCE;

/** The parameters that the server needs. No other input of a caller is passed to the SDK. */
const forwarded = (method: string, { protocolVersion }: RpcRequest['params']): Record<string, unknown> =>
  method === 'initialize' ? { protocolVersion } : {};

function listingOf(tools: readonly Tool[], structured: boolean) {
  return {
    tools: tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema: inputSchema as { type: 'object' },
      ...(structured && { outputSchema: outputSchema as { type: 'object' } }),
      annotations: { title, ...annotations },
    })),
  };
}

const METHOD_NOT_FOUND = rpcErrors.methodNotFound('').code;

/** Replaces any other error by a general one, because its message may contain internal details. */
function publicError(error: RpcError, { requestId }: Caller, log: Logger): RpcError {
  if (error.code === METHOD_NOT_FOUND) return { code: error.code, message: error.message };
  log.error({ requestId, err: error }, 'MCP request failed');
  return rpcErrors.internal();
}

// Caches the results of tool calls as they are sent. Quoting and encoding a long payload costs more than the rest of
// its call, and the cache of reads returns the same text until the data changes.

/** Bytes for each of the two forms. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The payload as the only text block: JSON in a JSON string. */
const blocks = (payload: string): string => `[{"type":"text","text":${JSON.stringify(payload)}}]`;

function cached(write: (payload: string) => string): (payload: string) => Buffer {
  const kept = new LRUCache<string, Buffer>({
    maxSize: MAX_BYTES,
    sizeCalculation: (bytes, payload) => bytes.length + payload.length,
    memoMethod: (payload) => Buffer.from(write(payload)),
  });
  return (payload) => kept.memo(payload);
}

/**
 * Returns a function that calls a tool and returns the result as it is sent, errors included: the payload as a text block, and
 * if it is structured as an object too.
 */
function createCalls(log: Logger) {
  const texts = cached((payload) => `{"content":${blocks(payload)}}`);
  const objects = cached((payload) => `{"content":${blocks(payload)},"structuredContent":${payload}}`);
  return async (tool: Tool, call: ToolCall, structured: boolean): Promise<Chunks> => {
    try {
      const payload = await tool.call(call);
      return [(structured ? objects : texts)(payload)];
    } catch (error) {
      const request = { requestId: call.requestId, tool: tool.name };
      const {
        message,
        toolMessage = message,
        extra,
        status,
        code,
        parameters,
      } = refusalOf(error, request, log);
      const text = JSON.stringify({ error: toolMessage, ...extra });
      const _meta = { status, code, ...(parameters && { parameters }) };
      return [JSON.stringify({ content: [{ type: 'text', text }], isError: true, _meta })];
    }
  };
}
