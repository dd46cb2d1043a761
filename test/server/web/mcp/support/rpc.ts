/** JSON-RPC over POST /api/mcp, as bytes or as messages. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { OPERATOR_KEY, type TestServer } from '../../../../support/server.js';

export interface RpcReply {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface PostOptions {
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
}

export const PATH = '/api/mcp';
export const STRUCTURED = { 'MCP-Protocol-Version': '2025-06-18' };

/** Sends a body as it is. */
export function post(
  server: TestServer,
  body: string | Uint8Array,
  { key = OPERATOR_KEY, headers = {} }: PostOptions = {},
): Promise<Response> {
  return server.request(PATH, key, { method: 'POST', headers, body: body as never });
}

/** Sends one request and returns the reply, which must be HTTP 200. */
export async function rpc(
  server: TestServer,
  method: string,
  params?: unknown,
  options?: PostOptions,
): Promise<RpcReply> {
  const response = await post(server, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), options);
  if (response.status !== 200) throw new Error(`${method}: ${response.status} ${await response.text()}`);
  return (await response.json()) as RpcReply;
}

/** Calls a tool and returns its result. */
export async function call(
  server: TestServer,
  name: string,
  args?: unknown,
  options?: PostOptions,
): Promise<CallToolResult> {
  const reply = await rpc(server, 'tools/call', { name, arguments: args }, options);
  if (!reply.result) throw new Error(`${name}: ${JSON.stringify(reply.error)}`);
  return reply.result as CallToolResult;
}

/** The one text block of a result. */
export function textOf({ content }: CallToolResult): string {
  const [block] = content;
  if (content.length !== 1 || block?.type !== 'text') throw new Error('not exactly one text block');
  return block.text;
}
