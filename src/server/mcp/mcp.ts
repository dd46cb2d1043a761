/** The protocol's methods on one long-lived server of the SDK, for every caller of the process. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import {
  mcpInstructions,
  mcpServer,
  protocolVersions,
  type RpcError,
  rpcErrors,
  STRUCTURED_SINCE,
} from '../../contract/mcp.js';
import type { Access } from '../accounts/access.js';
import type { Logger } from '../log.js';
import { errorReply, type Message, type RpcRequest } from './framing.js';
import type { Tool } from './tool.js';
import { callTool } from './tool-result.js';
import { StatelessTransport } from './transport.js';

/** What a POST says about all its messages. */
export interface Caller {
  readonly access: Access;
  /** Of the header MCP-Protocol-Version; empty without one. */
  readonly version: string;
  readonly requestId: string;
}

interface RequestContext extends Caller {
  /** The arguments of a tool call as they came; the SDK would refuse what is no object in words of its own. */
  readonly arguments: unknown;
}

export interface Mcp {
  /** The reply to a message; null where it gets none. */
  answer(message: Message, caller: Caller): Promise<object | null>;
}

/** Serves these tools, in this order. */
export function createMcp({ tools, log }: { tools: readonly Tool[]; log: Logger }): Mcp {
  const transport = new StatelessTransport<RequestContext>();
  const connected = createServer(transport, tools, log).connect(transport);

  async function reply({ id, method, params }: RpcRequest, caller: Caller): Promise<object> {
    if (method === 'tools/call' && !isName(params.name)) return errorReply(id, rpcErrors.missingToolName());
    await connected;
    const context = { ...caller, arguments: params.arguments };
    const outcome = await transport.exchange(method, forwarded(method, params), context);
    if ('result' in outcome) return { jsonrpc: '2.0', id, result: outcome.result };
    return errorReply(id, publicError(outcome.error, caller, log));
  }

  return {
    answer: async (message, caller) => {
      if (message.kind === 'ignored') return null;
      if (message.kind === 'invalid') return errorReply(message.id, rpcErrors.invalidRequest());
      return reply(message.request, caller);
    },
  };
}

/** The SDK's server with the protocol's methods; ping is its own. */
function createServer(
  transport: StatelessTransport<RequestContext>,
  tools: readonly Tool[],
  log: Logger,
): Server {
  const server = new Server(mcpServer, { capabilities });
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
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
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestId }) => {
    const context = transport.contextOf(requestId);
    const tool = byName.get(params.name);
    if (!tool) throw rpcFailure(rpcErrors.unknownTool(params.name));
    return callTool(tool, context, isStructured(context), log);
  });
  server.fallbackRequestHandler = async ({ method }) => {
    throw rpcFailure(rpcErrors.methodNotFound(method));
  };
  return server;
}

const capabilities = { tools: {} };

/** The SDK’s own knows other versions, and refuses a client that leaves something out. */
const initializeSchema = z.object({
  method: z.literal('initialize'),
  params: z.looseObject({ protocolVersion: z.unknown() }).optional(),
});

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isStructured = ({ version }: Caller): boolean => version === STRUCTURED_SINCE;

/** Of the parameters, what the server needs: nothing else of a caller’s words reaches the SDK. */
function forwarded(method: string, { name, protocolVersion }: RpcRequest['params']): Record<string, unknown> {
  if (method === 'tools/call') return { name };
  return method === 'initialize' ? { protocolVersion } : {};
}

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

/** An error that the SDK passes on as it is; its own class would put words before the message. */
const rpcFailure = ({ code, message }: RpcError): Error => Object.assign(new Error(message), { code });

const OURS: readonly number[] = [rpcErrors.unknownTool('').code, rpcErrors.methodNotFound('').code];

/** What failed otherwise is told without its words, which may be of the code’s making. */
function publicError(error: RpcError, { requestId }: Caller, log: Logger): RpcError {
  if (OURS.includes(error.code)) return { code: error.code, message: error.message };
  log.error({ requestId, err: error }, 'MCP request failed');
  return rpcErrors.internal();
}
