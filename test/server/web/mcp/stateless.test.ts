import { expect } from 'chai';
import fc from 'fast-check';
import { CAPABILITIES_META, encodeName, VERSION_META } from '../../../../src/contract/mcp-headers.js';
import { NOW, records } from '../../../rules/support/records.js';
import { shared } from '../../../support/hooks.js';
import { testServer } from '../../../support/server.js';
import { call, post, type RpcReply } from './support/rpc.js';

const VERSION = '2026-07-28';
const META = { [VERSION_META]: VERSION, [CAPABILITIES_META]: {} };

interface Changes {
  /** Headers that differ from what the body says; undefined: absent. */
  readonly headers?: Record<string, string | undefined>;
  readonly meta?: unknown;
}

describe('POST /api/mcp: revision 2026-07-28', () => {
  const server = shared(() => testServer({ now: NOW }));
  before(async () => {
    await server.load(records);
  });
  beforeEach(() => {
    server.now = new Date(server.now.getTime() + 60_000);
  });

  async function send(body: unknown, headers: Record<string, string | undefined>) {
    const given = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    const response = await post(server, JSON.stringify(body), { headers: Object.fromEntries(given) });
    const text = await response.text();
    return { status: response.status, reply: (text === '' ? null : JSON.parse(text)) as RpcReply };
  }

  const ask = (
    method: string,
    params: Record<string, unknown> = {},
    { headers, meta = META }: Changes = {},
  ) =>
    send(
      { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: meta } },
      {
        'MCP-Protocol-Version': VERSION,
        'Mcp-Method': method,
        ...(typeof params.name === 'string' && { 'Mcp-Name': encodeName(params.name) }),
        ...headers,
      },
    );

  /** The status, the code and the message of a refusal. */
  const refusal = async (...[method, params, changes]: Parameters<typeof ask>) => {
    const { status, reply } = await ask(method, params, changes);
    expect(reply).to.include({ id: 7 });
    return [status, reply.error?.code, reply.error?.message];
  };

  it('says which versions, capabilities and instructions the server has, without a handshake', async () => {
    const { status, reply } = await ask('server/discover');
    expect(status).to.equal(200);
    expect(reply.result).to.include({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'private' });
    expect(reply.result!.supportedVersions).to.deep.equal([
      VERSION,
      ...['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
    ]);
    expect(reply.result!.capabilities).to.deep.equal({ tools: {}, prompts: {} });
    expect(reply.result!._meta).to.have.nested.property('io\\.modelcontextprotocol/serverInfo.name', 'svc');
    expect(reply.result!.instructions).to.match(/never zero/);
  });

  it('lists the tools of the handshake with their output schemas, and how long the list may be kept', async () => {
    const { reply } = await ask('tools/list');
    const older = await send(
      { jsonrpc: '2.0', id: 7, method: 'tools/list' },
      { 'MCP-Protocol-Version': '2025-06-18' },
    );
    const { resultType, ttlMs, cacheScope, ...listing } = reply.result!;
    expect([resultType, ttlMs, cacheScope]).to.deep.equal(['complete', 3_600_000, 'private']);
    expect(listing).to.deep.equal(older.reply.result);
  });

  it('calls a tool, and returns what older clients get, complete', async () => {
    const { reply } = await ask('tools/call', { name: 'get_overview', arguments: {} });
    const older = await call(
      server,
      'get_overview',
      {},
      { headers: { 'MCP-Protocol-Version': '2025-06-18' } },
    );
    expect(reply.result).to.deep.equal({ resultType: 'complete', ...older });
    const failed = await ask('tools/call', { name: 'get_overview', arguments: { brand_id: 'nobody' } });
    expect(failed.reply.result).to.include({ resultType: 'complete', isError: true });
  });

  it('offers the prompt that begins with the briefing, for a brand too', async () => {
    const { reply } = await ask('prompts/list');
    expect(reply.result).to.have.nested.property('prompts[0].title', 'How are we doing in AI answers?');
    const name = 'how_are_we_doing';
    for (const [args, words] of [
      [undefined, /Call get_briefing first/],
      [{ brand_id: 'first' }, /Call get_briefing with brand_id "first" first/],
    ] as const) {
      const got = await ask('prompts/get', { name, arguments: args });
      expect(got.reply.result).to.have.nested.property('messages[0].content.text').that.matches(words);
    }
    for (const args of [{ brand_id: 5 }, { x: 'y' }, 'x'])
      expect((await refusal('prompts/get', { name, arguments: args })).slice(0, 2)).to.deep.equal([
        200, -32602,
      ]);
    expect(await refusal('prompts/get', { name: 'x' })).to.deep.equal([200, -32602, 'Unknown prompt: x']);
  });

  it('refuses a header that is missing or differs from the body', async () => {
    const params = { name: 'get_overview' };
    for (const [header, words] of [
      ['MCP-Protocol-Version', VERSION],
      ['Mcp-Method', 'tools/call'],
      ['Mcp-Name', 'get_overview'],
    ] as const) {
      expect(await refusal('tools/call', params, { headers: { [header]: undefined } })).to.deep.equal([
        400,
        -32020,
        `Missing header ${header}: the body says ${words}`,
      ]);
      for (const other of ['2025-06-18', 'tools/list', 'GET_OVERVIEW', '=?base64?eA==?=', '=?base64?%%?='])
        expect(await refusal('tools/call', params, { headers: { [header]: other } })).to.deep.equal([
          400,
          -32020,
          `Header ${header} is ${other}, but the body says ${words}`,
        ]);
    }
    for (const name of [undefined, 5, null, {}])
      expect(
        (await refusal('tools/call', { name }, { headers: { 'Mcp-Name': 'get_overview' } })).slice(0, 2),
      ).to.deep.equal([400, -32020]);
  });

  it('accepts a name that is encoded, whatever it is', async () => {
    const headers = { 'Mcp-Name': `=?base64?${btoa('get_overview')}?=` };
    expect((await ask('tools/call', { name: 'get_overview' }, { headers })).reply.result).to.not.equal(
      undefined,
    );
    for (const name of ['ü ☕', '=?base64?', ' x ', '\u0000'])
      expect((await refusal('tools/call', { name })).slice(0, 2), name).to.deep.equal([200, -32602]);
  });

  it('refuses a version that it does not have, with those that it has', async () => {
    for (const version of ['2099-01-01', '2025-06-18', 'x']) {
      const { status, reply } = await ask(
        'tools/list',
        {},
        { meta: { ...META, [VERSION_META]: version }, headers: { 'MCP-Protocol-Version': version } },
      );
      expect([status, reply.id, reply.error!.code]).to.deep.equal([400, 7, -32022]);
      expect(reply.error)
        .to.have.property('data')
        .that.deep.includes({ requested: version })
        .and.has.property('supported')
        .that.includes(VERSION);
    }
  });

  it('refuses a request without the statements of `_meta`, by their names', async () => {
    for (const [meta, missing] of [
      [undefined, VERSION_META],
      [{}, VERSION_META],
      [{ [VERSION_META]: VERSION }, CAPABILITIES_META],
      [{ [VERSION_META]: VERSION, [CAPABILITIES_META]: 'x' }, CAPABILITIES_META],
    ] as const)
      expect(
        await send(
          { jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: meta } },
          { 'MCP-Protocol-Version': VERSION, 'Mcp-Method': 'tools/list' },
        ),
      ).to.deep.equal({
        status: 400,
        reply: {
          jsonrpc: '2.0',
          id: 7,
          error: {
            code: -32602,
            message: `Missing params._meta["${missing}"], which revision ${VERSION} requires`,
          },
        },
      });
  });

  it('has neither handshake, ping, batches nor methods of other servers', async () => {
    for (const method of ['initialize', 'ping', 'resources/list', 'subscriptions/listen', 'x'])
      expect(await refusal(method)).to.deep.equal([404, -32601, `Method not found: ${method}`]);
    const one = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: META } };
    const { status, reply } = await send([one], {
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': 'tools/list',
    });
    expect([status, reply.error?.code]).to.deep.equal([400, -32600]);
  });

  it('accepts a notification, and does nothing', async () => {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect(await send(cancelled, { 'MCP-Protocol-Version': VERSION })).to.deep.equal({
      status: 202,
      reply: null,
    });
  });

  it('a handshake stays one, whatever version its header states', async () => {
    const body = { jsonrpc: '2.0', id: 7, method: 'initialize', params: { protocolVersion: VERSION } };
    const { status, reply } = await send(body, { 'MCP-Protocol-Version': VERSION });
    expect([status, reply.result?.protocolVersion]).to.deep.equal([200, '2025-11-25']);
  });

  it('prompts exist since 2025-11-25; older clients get what they got before', async () => {
    const body = { jsonrpc: '2.0', id: 7, method: 'prompts/list' };
    const newer = await send(body, { 'MCP-Protocol-Version': '2025-11-25' });
    expect(newer.reply.result).to.have.all.keys('prompts');
    for (const version of [undefined, '2025-06-18', '2025-03-26', '2024-11-05'])
      expect((await send(body, { 'MCP-Protocol-Version': version })).reply.error).to.deep.equal({
        code: -32601,
        message: 'Method not found: prompts/list',
      });
  });

  it('a mutated request gets an error of the protocol', async () => {
    const anything = fc.jsonValue({ maxDepth: 2 });
    const text = fc.oneof(
      fc.constantFrom(
        VERSION,
        '2025-06-18',
        '2099-01-01',
        'tools/call',
        'tools/list',
        'get_overview',
        '=?base64?eA==?=',
      ),
      fc.string({ maxLength: 12 }).map((each) => each.replace(/[^\x21-\x7e]/g, '')),
    );
    const headers = fc.record(
      { 'MCP-Protocol-Version': text, 'Mcp-Method': text, 'Mcp-Name': text },
      { requiredKeys: [] },
    );
    const body = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0'),
        id: fc.oneof(fc.integer(), anything),
        method: fc.oneof(text, anything),
        params: fc.oneof(
          fc.record(
            {
              name: fc.oneof(text, anything),
              arguments: anything,
              _meta: fc.oneof(
                fc.record({ [VERSION_META]: fc.oneof(text, anything), [CAPABILITIES_META]: anything }),
                anything,
              ),
            },
            { requiredKeys: [] },
          ),
          anything,
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(body, headers, async (each, given) => {
        server.now = new Date(server.now.getTime() + 1000);
        const { status, reply } = await send(each, given);
        expect(status).to.be.oneOf([200, 202, 400, 404]);
        expect(JSON.stringify(reply)).to.not.match(/Internal error|-32603|node_modules/);
      }),
      { numRuns: 500 },
    );
  });
});
