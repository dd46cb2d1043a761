import { createMCPClient } from '@ai-sdk/mcp';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Connect } from './support/client.js';
import { describeClient } from './support/describe-client.js';

const connect: Connect = async ({ url, headers, fetch }) => {
  const client = await createMCPClient({ transport: { type: 'http', url: url.href, headers, fetch } });
  return {
    server: client.serverInfo,
    instructions: client.instructions,
    listTools: async () => (await client.listTools()).tools,
    // A definition makes a function, also for a tool that is not in the list.
    callTool: async (name, args) => {
      const { [name]: tool } = client.toolsFromDefinitions({
        tools: [{ name, inputSchema: { type: 'object' } }],
      });
      return (await tool!.execute(args, { toolCallId: 'test', messages: [] })) as CallToolResult;
    },
    close: () => client.close(),
  };
};

describeClient('@ai-sdk/mcp 1', connect, { asksWith: '2025-11-25' });
