import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Connect } from './support/client.js';
import { describeClient } from './support/describe-client.js';

/** With `auto`, the client asks the server which revisions it has, and takes that without `initialize`. */
const connectIn =
  (mode: 'legacy' | 'auto'): Connect =>
  async ({ url, headers, fetch }) => {
    const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch }));
    return {
      server: client.getServerVersion(),
      instructions: client.getInstructions(),
      listTools: async () => (await client.listTools()).tools,
      callTool: async (name, args) => (await client.callTool({ name, arguments: args })) as CallToolResult,
      close: () => client.close(),
    };
  };

describeClient('@modelcontextprotocol/client 2', connectIn('legacy'));
describeClient('@modelcontextprotocol/client 2 that negotiates', connectIn('auto'), { isStateless: true });
