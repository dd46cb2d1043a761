/**
 * Implements the methods of the protocol. Both wires, that of the handshake and that of 2026-07-28, share them: a method says since
 * which version it exists, and until which.
 */

import { LRUCache } from 'lru-cache';
import {
  handshakeVersions,
  LIST_CACHE,
  mcpInstructions,
  mcpPrompts,
  mcpServer,
  negotiatedVersion,
  PROMPTS_SINCE,
  protocolVersions,
  rpcErrors,
  STATELESS_VERSION,
  STRUCTURED_SINCE,
} from '../../../contract/mcp.js';
import type { Access } from '../../accounts/access.js';
import { refusalOf } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { type Chunks, errorReply, type Message, type RpcRequest, resultReply } from './framing.js';
import type { Tool, ToolCall } from './tools.js';

/** The properties of a POST that apply to all its messages. */
interface Caller {
  readonly access: Access;
  readonly gone: AbortSignal;
  /** The version that the POST states; empty: none, as clients of the first versions do. */
  readonly version: string;
  readonly requestId: string;
}

export interface Mcp {
  /** The reply to a message, as it is sent; null: the message gets no reply. */
  answer(message: Message, caller: Caller): Promise<Chunks | null>;
  /** Whether clients of this version may call the method. */
  has(method: string, version: string): boolean;
}

/** A method of the protocol, and which versions have it. */
interface Method {
  readonly since?: string;
  readonly until?: string;
  /** The reply to a request of a caller. */
  readonly reply: (request: RpcRequest, caller: Caller) => Chunks | Promise<Chunks>;
}

const isStateless = ({ version }: Caller): boolean => version === STATELESS_VERSION;
const isStructured = ({ version }: Caller): boolean => version >= STRUCTURED_SINCE;

// The beginning of a result as an object: 2026-07-28 states in it that the result is complete, and how long a list may be kept.

const COMPLETE = '{"resultType":"complete",';
const KEPT = `${COMPLETE}${JSON.stringify(LIST_CACHE).slice(1, -1)},`;

const opening = (caller: Caller, stateless: string): string => (isStateless(caller) ? stateless : '{');

/** Replies with the same result to every request; `stateless` is how it begins on the newer wire. */
const constant = (of: (caller: Caller) => object, stateless = COMPLETE): Method['reply'] => {
  return ({ id }, caller) =>
    resultReply(id, opening(caller, stateless), [JSON.stringify(of(caller)).slice(1)]);
};

/** Serves these tools, in this order. */
export function createMcp({ tools, log }: { tools: readonly Tool[]; log: Logger }): Mcp {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const callTool = createCalls(log);
  const listings = { plain: listingOf(tools, false), structured: listingOf(tools, true) };

  async function call({ id, params }: RpcRequest, caller: Caller): Promise<Chunks> {
    if (typeof params.name !== 'string' || params.name === '')
      return errorReply(id, rpcErrors.missingToolName());
    const tool = byName.get(params.name);
    if (!tool) return errorReply(id, rpcErrors.unknownTool(params.name));
    const { access, gone, requestId } = caller;
    const toolCall = { access, gone, requestId, arguments: params.arguments };
    return resultReply(id, opening(caller, COMPLETE), await callTool(tool, toolCall, isStructured(caller)));
  }

  const methods = new Map<string, Method>(
    Object.entries({
      initialize: {
        until: handshakeVersions[0],
        reply: (request) => {
          const protocolVersion = negotiatedVersion(request.params.protocolVersion);
          const capabilities = capabilitiesOf(protocolVersion);
          const result = {
            protocolVersion,
            capabilities,
            serverInfo: mcpServer,
            instructions: mcpInstructions,
          };
          return resultReply(request.id, '', [JSON.stringify(result)]);
        },
      },
      ping: { until: handshakeVersions[0], reply: ({ id }) => resultReply(id, '', ['{}']) },
      'server/discover': { since: STATELESS_VERSION, reply: constant(discovered, KEPT) },
      'tools/list': {
        reply: constant((caller) => (isStructured(caller) ? listings.structured : listings.plain), KEPT),
      },
      'tools/call': { reply: call },
      'prompts/list': { since: PROMPTS_SINCE, reply: constant(() => promptListing, KEPT) },
      'prompts/get': { since: PROMPTS_SINCE, reply: prompt },
    } satisfies Record<string, Method>),
  );
  const methodFor = (name: string, version: string): Method | undefined => {
    const method = methods.get(name);
    if (!method) return undefined;
    const { since = '', until = STATELESS_VERSION } = method;
    return version >= since && version <= until ? method : undefined;
  };

  return {
    answer: async (message, caller) => {
      if (message.kind === 'ignored') return null;
      if (message.kind === 'invalid') return errorReply(message.id, rpcErrors.invalidRequest());
      const { request } = message;
      const method = methodFor(request.method, caller.version);
      return method
        ? method.reply(request, caller)
        : errorReply(request.id, rpcErrors.methodNotFound(request.method));
    },
    has: (method, version) => methodFor(method, version) !== undefined,
  };
}

const capabilitiesOf = (version: string): object =>
  version >= PROMPTS_SINCE ? { tools: {}, prompts: {} } : { tools: {} };

const discovered = (): object => ({
  supportedVersions: protocolVersions,
  capabilities: capabilitiesOf(STATELESS_VERSION),
  instructions: mcpInstructions,
  _meta: { 'io.modelcontextprotocol/serverInfo': mcpServer },
});

const promptListing = { prompts: mcpPrompts.map(({ text: _, ...listed }) => listed) };

/** The reply to `prompts/get`: a message for the model, which the client sends as its user's. */
function prompt({ id, params }: RpcRequest, caller: Caller): Chunks {
  const { name, arguments: given = {} } = params;
  if (typeof name !== 'string' || name === '') return errorReply(id, rpcErrors.missingPromptName());
  const found = mcpPrompts.find((each) => each.name === name);
  if (!found) return errorReply(id, rpcErrors.unknownPrompt(name));
  const { brand_id: brandId, ...others }: Record<string, unknown> = Object(given);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return errorReply(id, rpcErrors.invalidPromptArgument(unknown));
  if (brandId !== undefined && typeof brandId !== 'string')
    return errorReply(id, rpcErrors.invalidPromptArgument('brand_id'));
  const messages = [{ role: 'user', content: { type: 'text', text: found.text(brandId) } }];
  const result = JSON.stringify({ description: found.description, messages });
  return resultReply(id, opening(caller, COMPLETE), [result.slice(1)]);
}

function listingOf(tools: readonly Tool[], structured: boolean) {
  return {
    tools: tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema,
      ...(structured && { outputSchema }),
      annotations: { title, ...annotations },
    })),
  };
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
 * Returns a function that calls a tool and returns the result as it is sent but for the brace that opens it, errors included: the payload as a text block, and
 * if it is structured as an object too.
 */
function createCalls(log: Logger) {
  const texts = cached((payload) => `"content":${blocks(payload)}}`);
  const objects = cached((payload) => `"content":${blocks(payload)},"structuredContent":${payload}}`);
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
      return [JSON.stringify({ content: [{ type: 'text', text }], isError: true, _meta }).slice(1)];
    }
  };
}
