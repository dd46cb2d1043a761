import { expect } from 'chai';
import { NOW, records } from '../../../rules/support/records.js';
import { shared } from '../../../support/hooks.js';
import { testServer } from '../../../support/server.js';
import { post, type RpcReply, rpc } from './support/rpc.js';

const request = (id: unknown, method = 'ping', params?: unknown) => ({ jsonrpc: '2.0', id, method, params });
const pong = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} });
const failure = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
const invalid = (id: unknown = null) => failure(id, -32600, 'Invalid Request');

describe('POST /api/mcp: framing', () => {
  const server = shared(() => testServer({ now: NOW }));
  before(async () => {
    await server.load(records);
  });
  // The token bucket is full again for every test.
  beforeEach(() => {
    server.now = new Date(server.now.getTime() + 60_000);
  });

  async function answer(body: unknown): Promise<[number, unknown]> {
    const response = await post(server, typeof body === 'string' ? body : JSON.stringify(body));
    const text = await response.text();
    if (text !== '') expect(response.headers.get('content-type')).to.equal('application/json');
    return [response.status, text === '' ? '' : JSON.parse(text)];
  }

  for (const [what, body] of Object.entries({
    'invalid JSON': '{"jsonrpc":',
    nothing: '',
    'white space': ' \n',
    'two values': '{}{}',
  })) {
    it(`responds to ${what} with 400 and -32700`, async () => {
      expect(await answer(body)).to.deep.equal([400, failure(null, -32700, 'Parse error (invalid JSON)')]);
    });
  }

  it('responds to bytes that are not UTF-8 with 400 and -32700', async () => {
    const bytes = Buffer.from('{"jsonrpc":"2.0","id":"\xff","method":"ping"}', 'latin1');
    const response = await post(server, bytes);
    expect([response.status, await response.json()]).to.deep.equal([
      400,
      failure(null, -32700, 'Parse error (invalid JSON)'),
    ]);
  });

  it('accepts up to 10 messages in a batch and refuses 11 with 400', async () => {
    const batch = (length: number) => Array.from({ length }, (_, id) => request(id));
    expect(await answer(batch(10))).to.deep.equal([200, batch(10).map(({ id }) => pong(id))]);
    expect(await answer(batch(11))).to.deep.equal([
      400,
      failure(null, -32600, 'Batch too large: 11 messages (max 10)'),
    ]);
  });

  it('responds to a batch of one with an array, and to an empty one with 400', async () => {
    expect(await answer([request('a')])).to.deep.equal([200, [pong('a')]]);
    expect(await answer([])).to.deep.equal([400, invalid()]);
  });

  it('responds to an invalid message with 400', async () => {
    for (const each of [1, 'x', null, true, {}, { id: 1, method: 'ping' }, { jsonrpc: '2.0' }])
      expect(await answer(JSON.stringify(each)), JSON.stringify(each)).to.deep.equal([
        400,
        invalid((each as { id?: number } | null)?.id ?? null),
      ]);
    // A double cannot represent these numbers, so the reply would have another id.
    for (const id of ['9007199254740993', '-12345678901234567890', '1e400'])
      expect(await answer(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`), id).to.deep.equal([
        400,
        invalid(),
      ]);
    for (const id of [null, {}, [], true])
      expect(await answer(request(id)), JSON.stringify(id)).to.deep.equal([400, invalid()]);
    expect(await answer({ jsonrpc: '1.0', id: 7, method: 'ping' })).to.deep.equal([400, invalid(7)]);
    expect(await answer({ jsonrpc: '2.0', id: 7, method: 5 })).to.deep.equal([400, invalid(7)]);
  });

  it('responds to an invalid message in a batch with an element, and 200', async () => {
    expect(await answer([1, request(2), [], request(null)])).to.deep.equal([
      200,
      [invalid(), pong(2), invalid(), invalid()],
    ]);
  });

  it('keeps the order of a batch, with one reply per request even if ids repeat', async () => {
    const batch = [request(1, 'tools/list'), request(1), request('1'), request(0), request(1, 'nonsense')];
    const [status, replies] = (await answer(batch)) as [number, RpcReply[]];
    expect(status).to.equal(200);
    expect(replies.map(({ id }) => id)).to.deep.equal([1, 1, '1', 0, 1]);
    expect(replies[0]!.result).to.have.key('tools');
    expect(replies[4]).to.deep.equal(failure(1, -32601, 'Method not found: nonsense'));
  });

  it('responds to messages without a reply with 202 and an empty body', async () => {
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const reply = { jsonrpc: '2.0', id: 4, result: {} };
    expect(await answer(initialized)).to.deep.equal([202, '']);
    expect(await answer({ jsonrpc: '2.0', method: 'nobody/knows' })).to.deep.equal([202, '']);
    expect(await answer(reply)).to.deep.equal([202, '']);
    expect(await answer([initialized, reply])).to.deep.equal([202, '']);
    expect(await answer([initialized, request(3)])).to.deep.equal([200, [pong(3)]]);
  });

  it('never cancels a call because of a notification', async () => {
    const cancel = (requestId: unknown) => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
    const one = request(1, 'tools/call', { name: 'list_brands' });
    const [status, replies] = (await answer([cancel(1), one, cancel(1), one])) as [number, RpcReply[]];
    expect(status).to.equal(200);
    expect(replies.map(({ result }) => result?.isError)).to.deep.equal([undefined, undefined]);
  });

  it('answers concurrent callers with the same id with their own replies', async () => {
    const names = ['first', 'second', 'stopped', 'uncollected'];
    const calls = Array.from({ length: 40 }, (_, index) => names[index % names.length]!);
    const replies = await Promise.all(
      calls.map((brand_id) => rpc(server, 'tools/call', { name: 'list_urls', arguments: { brand_id } })),
    );
    const told = replies.map(({ id, result }) => {
      expect(id).to.equal(1);
      return JSON.parse((result!.content as { text: string }[])[0]!.text).brand.id;
    });
    expect(told).to.deep.equal(calls);
  });

  it('names an unknown method or tool, and reports a missing tool name, with 200', async () => {
    for (const method of [
      'tools/nonsense',
      'constructor',
      'resources/list',
      'logging/setLevel',
      'tasks/list',
      '',
    ])
      expect(await answer(request(1, method))).to.deep.equal([
        200,
        failure(1, -32601, `Method not found: ${method}`),
      ]);
    for (const name of ['nonsense', '__proto__', 'toString'])
      expect(await answer(request(1, 'tools/call', { name }))).to.deep.equal([
        200,
        failure(1, -32602, `Unknown tool: ${name}`),
      ]);
    for (const params of [undefined, {}, { name: 5 }, { name: null }, { name: '' }, [], 'x', null])
      expect(await answer(request(1, 'tools/call', params)), JSON.stringify(params)).to.deep.equal([
        200,
        failure(1, -32602, 'Missing tool name'),
      ]);
  });

  it('refuses an unsupported protocol version, except in a POST that initialises', async () => {
    const ask = async (version: string, body: object) => {
      const response = await post(server, JSON.stringify(body), {
        headers: { 'MCP-Protocol-Version': version },
      });
      return [response.status, ((await response.json()) as RpcReply).error?.code];
    };
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])
      expect(await ask(version, request(1))).to.deep.equal([200, undefined]);
    for (const version of ['2025-09-01', 'x', '2025-06-18, 2025-06-18']) {
      expect(await ask(version, request(1)), version).to.deep.equal([400, -32600]);
      expect(await ask(version, request(1, 'initialize')), version).to.deep.equal([200, undefined]);
    }
  });

  it('does not check Accept and Content-Type', async () => {
    for (const headers of [
      { Accept: 'text/html', 'Content-Type': 'text/plain' },
      { Accept: 'text/event-stream', 'Content-Type': 'application/xml' },
    ]) {
      const response = await post(server, JSON.stringify(request(1)), { headers });
      expect([response.status, await response.json()]).to.deep.equal([200, pong(1)]);
    }
  });
});

describe('POST /api/mcp: initialize', () => {
  const server = shared(() => testServer({ now: NOW }));

  const initialize = async (params?: unknown) => (await rpc(server, 'initialize', params)).result!;

  it('returns a supported version unchanged, the newest for a newer one, and 2025-06-18 for every other', async () => {
    for (const protocolVersion of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])
      expect((await initialize({ protocolVersion })).protocolVersion).to.equal(protocolVersion);
    for (const protocolVersion of ['2026-07-28', '2999-01-01'])
      expect((await initialize({ protocolVersion })).protocolVersion).to.equal('2025-11-25');
    for (const protocolVersion of ['2024-10-07', '1', 'x', 5, null, undefined])
      expect((await initialize({ protocolVersion })).protocolVersion).to.equal('2025-06-18');
    expect((await initialize()).protocolVersion).to.equal('2025-06-18');
  });

  it('returns the server’s name, tools as the only capability, and instructions', async () => {
    const result = await initialize({
      protocolVersion: '2025-06-18',
      capabilities: { sampling: {} },
      clientInfo: { name: 'test', version: '0' },
    });
    expect(result).to.have.all.keys('protocolVersion', 'capabilities', 'serverInfo', 'instructions');
    expect(result.serverInfo).to.include({ name: 'svc', version: '1.0.0' });
    expect(result.capabilities).to.deep.equal({ tools: {} });
    expect(result.instructions)
      .to.match(/never zero/)
      .and.match(/7 days/)
      .and.match(/first brand/);
  });
});
