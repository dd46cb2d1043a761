/** What the tests ask of any client of the endpoint, whoever wrote it. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties?: Readonly<Record<string, unknown>> | undefined;
    readonly required?: readonly string[] | undefined;
    readonly additionalProperties?: unknown;
  };
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

export interface McpClient {
  /** Who answered, as the client learnt it when it connected. */
  readonly server: { readonly name: string; readonly version: string } | undefined;
  readonly instructions: string | undefined;
  listTools(): Promise<readonly ListedTool[]>;
  callTool(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
  close(): Promise<void>;
}

/** Where a client connects to, and with what. */
export interface Connection {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly fetch: typeof fetch;
}

/** Connects a client, handshake and all. */
export type Connect = (connection: Connection) => Promise<McpClient>;
