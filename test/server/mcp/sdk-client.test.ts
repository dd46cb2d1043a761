import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { NOW, records } from '../../rules/support/records.js';
import { OPERATOR_KEY, type TestServer, testServer } from '../../support/server.js';

describe('POST /api/mcp: the SDK’s own client', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    server = await testServer({ now: NOW });
    await server.load(records);
    client = new Client({ name: 'test', version: '0' });
    const transport = new StreamableHTTPClientTransport(new URL('/api/mcp', server.url), {
      requestInit: { headers: { Authorization: `Bearer ${OPERATOR_KEY}` } },
    });
    await client.connect(transport as never);
  });
  after(async () => {
    await client.close();
    await server.close();
  });

  it('connects and learns who answers', () => {
    expect(client.getServerVersion()).to.include({ name: 'svc', version: '1.0.0' });
    expect(client.getServerCapabilities()).to.deep.equal({ tools: {} });
    expect(client.getInstructions()).to.match(/never zero/);
  });

  it('pings', async () => {
    expect(await client.ping()).to.deep.equal({});
  });

  it('lists the tools and calls each, checking what comes against the output schema', async () => {
    const { tools } = await client.listTools();
    expect(tools.length).to.be.greaterThan(0);
    for (const { name, outputSchema } of tools) {
      expect(outputSchema, name).to.be.an('object');
      const args = name === 'get_metrics_history' ? { metric: 'visibility' } : {};
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
      expect(isError, name).to.equal(undefined);
      const [block] = content as { text: string }[];
      expect(structuredContent, name).to.deep.equal(JSON.parse(block!.text));
    }
  });

  it('gets a tool error as a result and a protocol error as an exception', async () => {
    const result = await client.callTool({ name: 'get_overview', arguments: { brand_id: 'nobody' } });
    expect(result).to.deep.equal({
      content: [{ type: 'text', text: '{"error":"Unknown brand id: nobody"}' }],
      isError: true,
    });
    const error = await client.callTool({ name: 'nonsense' }).catch((reason) => reason);
    expect(error).to.include({ code: -32602 });
    expect(error.message).to.match(/Unknown tool: nonsense$/);
  });
});
