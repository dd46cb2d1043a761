import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { mcpServer } from '../../../src/contract/mcp.js';
import type { Read } from '../../../src/contract/read.js';
import { resources } from '../../../src/contract/registry.js';
import { toolNames } from '../../../src/contract/tools.js';
import { addDays } from '../../../src/server/base/days.js';
import { call, textOf } from '../../server/web/mcp/support/rpc.js';
import { randomDataset } from '../../support/reference/generators/dataset.js';
import { TODAY } from '../../support/reference/generators/seeds.js';
import { recordsOfBrand } from '../../support/reference/records.js';
import { OPERATOR_KEY, type TestServer, testServer } from '../../support/server.js';
import { builtEntry } from '../support/built.js';
import { type Environment, Home, piped, start, svc } from '../support/run.js';

const line = (id: number, method: string, params?: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

describe('svc mcp', () => {
  const records = randomDataset(3, TODAY, { runs: 60 });
  let server: TestServer;
  let env: Environment;
  const home = new Home();

  before(async () => {
    server = await testServer();
    await server.load(records);
    env = { ...home.env, SVC_URL: server.url, SVC_API_KEY: OPERATOR_KEY };
  });
  after(async () => {
    home.remove();
    await server.close();
  });

  /** Runs `use` with a client that starts the command itself. */
  async function withClient<T>(more: Environment, use: (client: Client) => Promise<T>): Promise<T> {
    const { PATH = '' } = process.env;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [builtEntry(), 'mcp'],
      env: { PATH, ...env, ...more },
      stderr: 'pipe',
    });
    let said = '';
    transport.stderr!.on('data', (chunk) => {
      said += chunk;
    });
    const client = new Client({ name: 'test', version: '1' });
    try {
      await client.connect(transport);
      const result = await use(client);
      expect(said).to.equal('');
      return result;
    } finally {
      await client.close();
    }
  }

  it('lets a client over stdio list the tools and call many of them concurrently', async () => {
    await withClient({}, async (client) => {
      expect(client.getServerVersion()).to.include({ name: mcpServer.name });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.deep.equal(toolNames);
      const { brand } = JSON.parse(textOf(await call(server, 'get_overview', {})));
      const [answer] = recordsOfBrand(records, 'run', brand.id);
      const [prompt] = recordsOfBrand(records, 'prompt', brand.id);
      const needed: Record<string, Record<string, unknown>> = {
        get_metrics_history: { metric: 'visibility' },
        get_answer: { run_id: answer!.id },
        get_url: { url: 'https://example.com/' },
        measure_effect: { since: addDays(TODAY, -7), prompt: prompt!.id },
      };
      const reads = Object.values<Read>(resources).map(({ tool }) => tool);
      const results = await Promise.all(
        reads.map(async (name) => {
          const args = needed[name] ?? {};
          const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
          expect(textOf(result), name).to.equal(textOf(await call(server, name, args)));
          return result;
        }),
      );
      // Only a POST with the negotiated version gets structured content.
      for (const { structuredContent } of results) expect(structuredContent).to.be.an('object');
      await client.ping();
    });
  });

  it('forwards refusals of tools and of the protocol', async () => {
    await withClient({}, async (client) => {
      const refused = (await client.callTool({
        name: 'get_overview',
        arguments: { brand_id: 'nobody' },
      })) as CallToolResult;
      expect(refused.isError).to.equal(true);
      expect(textOf(refused)).to.equal('{"error":"Unknown brand id: nobody"}');
      const unknown = await client.callTool({ name: 'no_such_tool' }).catch((error: unknown) => error);
      expect(unknown).to.be.instanceOf(Error).and.to.include({ code: -32602 });
    });
  });

  it('reports a wrong key to the client', async () => {
    const failed = withClient({ SVC_API_KEY: 'svc_wrong' }, async () => 'connected');
    const error = await failed.catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.contains('does not know the key from SVC_API_KEY');
    expect(error).to.include({ code: -32000 });
  });

  it('prints only replies, and ends when the input ends', async () => {
    const input = [
      line(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} }),
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
      'no JSON\n',
      line(2, 'tools/call', { name: 'get_overview' }),
      line(3, 'ping').trimEnd(),
    ];
    const { stdout, stderr, code } = await piped(['mcp'], env, input.join(''));
    const replies = stdout
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each));
    expect(replies.map(({ id }) => id).sort()).to.deep.equal([1, 2, 3, null]);
    expect({ stderr, code }).to.deep.equal({ stderr: '', code: 0 });
  });

  it('reports a missing key before it reads the input', async () => {
    const keyless = { ...home.env, SVC_URL: server.url };
    const { stdout, stderr, code } = await svc(['mcp'], keyless, line(1, 'ping'));
    expect({ stdout, code }).to.deep.equal({ stdout: '', code: 3 });
    expect(stderr).to.contain('No API key').and.contain('svc login');
  });

  it('ends on signals', async () => {
    for (const [signal, expected] of [
      ['SIGINT', [130, null]],
      ['SIGTERM', [null, 'SIGTERM']],
    ] as const) {
      const child = start(['mcp'], env);
      child.stdin!.write(line(1, 'ping'));
      await once(child.stdout!, 'data');
      child.kill(signal);
      expect(await once(child, 'exit'), signal).to.deep.equal(expected);
    }
  });

  it('ends without an error when nothing reads its replies', async () => {
    const child = start(['mcp'], env);
    let errors = '';
    child.stderr!.on('data', (chunk) => (errors += chunk));
    child.stdin!.write(line(1, 'ping'));
    await once(child.stdout!, 'data');
    child.stdout!.destroy();
    child.stdin!.on('error', () => {}).write(line(2, 'ping'));
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
    expect(errors).to.equal('');
  });
});
