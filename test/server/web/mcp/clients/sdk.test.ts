import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Connect } from './support/client.js';
import { describeClient } from './support/describe-client.js';

const connect: Connect = async ({ url, headers, fetch }) => {
  const client = new Client({ name: 'test', version: '0' });
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch });
  await client.connect(transport as never);
  return {
    server: client.getServerVersion(),
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args) => (await client.callTool({ name, arguments: args })) as CallToolResult,
    close: () => client.close(),
  };
};

describeClient('the client of @modelcontextprotocol/sdk 1', connect);
