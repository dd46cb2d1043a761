import { expect } from 'chai';
import {
  handshakeVersions,
  mcpInstructions,
  mcpServer,
  STATELESS_VERSION,
} from '../../../../../../src/contract/mcp.js';
import { toolNames } from '../../../../../../src/contract/tools.js';
import { NOW, records } from '../../../../../rules/support/records.js';
import { shared } from '../../../../../support/hooks.js';
import { OPERATOR_KEY, testServer } from '../../../../../support/server.js';
import { call, PATH, textOf } from '../../support/rpc.js';
import type { Connect, ListedTool, McpClient } from './client.js';
import { type RecordingFetch, recordingFetch } from './recording-fetch.js';

/** How a client agrees with the server on a revision of the protocol. */
interface Negotiation {
  /** The version that it already has in the header of its `initialize`; null: none. */
  readonly asksWith?: string | null;
  /** Whether it speaks the revision without `initialize`. */
  readonly isStateless?: boolean;
}

/** What holds for every client of the endpoint. `connect` says how this one is used. */
export function describeClient(
  title: string,
  connect: Connect,
  { asksWith = null, isStateless = false }: Negotiation = {},
): void {
  describe(`POST /api/mcp: ${title}`, () => {
    let client: McpClient;
    let sent: RecordingFetch;

    const connectWith = async (key: string) => {
      sent = recordingFetch();
      const url = new URL(PATH, server.url);
      return connect({ url, headers: { Authorization: `Bearer ${key}` }, fetch: sent.fetch });
    };

    const server = shared(() => testServer({ now: NOW }));
    before(async () => {
      await server.load(records);
    });
    beforeEach(async () => {
      // The bucket is full again.
      server.now = new Date(server.now.getTime() + 60_000);
      client = await connectWith(OPERATOR_KEY);
    });
    afterEach(async () => {
      // A connection that is opened for a request that is then given up holds the server until it times out.
      await sent.settled();
      await client.close();
    });

    it('reads the name, version and instructions of the server', () => {
      expect(client.server).to.include({ name: mcpServer.name, version: mcpServer.version });
      expect(client.instructions).to.equal(mcpInstructions);
    });

    it('requests any version, and continues with the newest one of the server', async () => {
      await client.listTools();
      if (isStateless) {
        expect(sent.posts.map(({ method }) => method)).to.deep.equal(['server/discover', 'tools/list']);
        for (const { version } of sent.posts) expect(version).to.equal(STATELESS_VERSION);
        return;
      }
      const asked = sent.posts.findIndex(({ method }) => method === 'initialize');
      expect(sent.posts[asked]!.version).to.equal(asksWith);
      const further = sent.posts.slice(asked + 1);
      expect(further.map(({ method }) => method)).to.deep.equal(['notifications/initialized', 'tools/list']);
      for (const { version } of further) expect(version).to.equal(handshakeVersions[0]);
    });

    it('lists the whole catalog in its order', async () => {
      const listed = await client.listTools();
      expect(listed.map(({ name }) => name)).to.deep.equal(toolNames);
      for (const { name, description, inputSchema } of listed) {
        expect(description, name).to.be.a('string').and.not.equal('');
        expect(inputSchema, name).to.include({ type: 'object', additionalProperties: false });
      }
    });

    it('calls every read-only tool and returns the result of the endpoint', async () => {
      const reads = (await client.listTools()).filter(({ annotations }) => annotations?.readOnlyHint);
      expect(reads.length).to.be.greaterThan(20);
      for (const tool of reads) {
        const args = { ...leastArguments(tool), ...NEEDED[tool.name] };
        const result = await client.callTool(tool.name, args);
        expect(result.isError, tool.name).to.be.oneOf([undefined, false]);
        const said = textOf(await call(server, tool.name, args));
        expect(textOf(result), tool.name).to.equal(said);
        expect(result.structuredContent, tool.name).to.deep.equal(JSON.parse(said));
      }
    });

    it('returns the failure of a tool as a result with isError', async () => {
      const result = await client.callTool('get_overview', { brand_id: 'nobody' });
      expect(result.isError).to.equal(true);
      expect(textOf(result)).to.equal('{"error":"Unknown brand id: nobody"}');
    });

    it('throws an error with the code of the protocol for an unknown tool', async () => {
      const error = await failureOf(client.callTool('nonsense', {}));
      expect(error).to.have.property('code', -32602);
      expect(error.message).to.match(/Unknown tool: nonsense$/);
    });

    it('rejects the connection with a wrong key, and states the reason', async () => {
      const error = await failureOf(connectWith('wrong-key-of-the-tests-0123456789'));
      expect(error.message).to.match(/\b401\b|Unauthorized/);
      expect(error.message).to.not.include('wrong-key');
    });

    it('sends nothing after it was closed', async () => {
      await sent.settled();
      await client.close();
      const before = sent.posts.length;
      await failureOf(client.callTool('list_brands', {}));
      expect(sent.posts).to.have.length(before);
    });
  });
}

/** What a tool needs that its schema cannot say: one of several arguments. */
const NEEDED: Record<string, object> = { measure_effect: { since: '2026-11-15', prompt: 'p1' } };

const IDS: Record<string, string> = { run_id: 'r1', url: 'https://first.example/page' };

/** Arguments that the tool cannot do without: for each the first value that its schema allows, or an id that exists. */
function leastArguments({ inputSchema }: ListedTool): Record<string, unknown> {
  const properties = inputSchema.properties as Record<string, { enum?: unknown[] }> | undefined;
  return Object.fromEntries(
    (inputSchema.required ?? []).map((name) => [name, properties![name]!.enum?.[0] ?? IDS[name]]),
  );
}

async function failureOf(attempt: Promise<unknown>): Promise<Error> {
  try {
    await attempt;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}
