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
    // Its way to a tool that was not listed too: a definition makes a function.
    callTool: async (name, args) => {
      const { [name]: tool } = client.toolsFromDefinitions({
        tools: [{ name, inputSchema: { type: 'object' } }],
      });
      return (await tool!.execute(args, { toolCallId: 'test', messages: [] })) as CallToolResult;
    },
    close: () => client.close(),
  };
};

// Newer than what the server speaks, which it learns only from the answer.
describeClient('@ai-sdk/mcp 1', connect, '2025-11-25');
