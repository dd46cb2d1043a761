import { expect } from 'chai';
import type { Access } from '../../../../src/server/accounts/access.js';
import { NEVER_GONE } from '../../../../src/server/base/audience.js';
import { createMcp } from '../../../../src/server/web/mcp/mcp.js';
import { READS_ONLY, type Tool } from '../../../../src/server/web/mcp/tools.js';
import { collectingLog } from '../../../rules/support/collecting-log.js';

const access: Access = {
  keyId: 'k',
  kind: 'full',
  workspaceId: 'w',
  workspaceName: 'w',
  plan: 'trial',
  brandIds: null,
  expiresAt: null,
  allow: null,
};
const caller = { access, gone: NEVER_GONE, version: '2025-06-18', requestId: 'request-1' };
const open = { type: 'object' };

const tool = (name: string, call: Tool['call']): Tool => ({
  name,
  title: name,
  description: name,
  inputSchema: open,
  outputSchema: open,
  annotations: READS_ONLY,
  call,
});

const callOf = (name: string) =>
  ({
    kind: 'request',
    request: { id: 'a', method: 'tools/call', params: { name, arguments: { x: 1 } } },
  }) as const;

/** The reply as the caller parses it. */
const read = (reply: readonly (Buffer | string)[] | null): unknown => JSON.parse(reply!.join(''));

describe('createMcp', () => {
  it('passes caller and arguments to a tool, and returns its text unchanged', async () => {
    let seen: unknown;
    const echo = tool('echo', async (call) => {
      seen = call;
      return '{"b":1,"a":[null]}';
    });
    const { log } = collectingLog();
    const reply = await createMcp({ tools: [echo], log })
      .answer(callOf('echo'), caller)
      .then(read);
    expect(seen).to.deep.include({ access, arguments: { x: 1 }, requestId: 'request-1' });
    expect(reply).to.deep.equal({
      jsonrpc: '2.0',
      id: 'a',
      result: {
        content: [{ type: 'text', text: '{"b":1,"a":[null]}' }],
        structuredContent: { b: 1, a: [null] },
      },
    });
  });

  it('returns any text of a tool unchanged, the first time and from the cache', async () => {
    const payload = { a: 'ü "quoted" \\ 😀 \u0000\n\u2028', b: 'x'.repeat(20_000), c: '\ud800' };
    const text = JSON.stringify(payload);
    const mcp = createMcp({ tools: [tool('odd', async () => text)], log: collectingLog().log });
    for (const id of ['first', 'a"\\', 0, -1.5]) {
      const { request } = callOf('odd');
      const reply = await mcp.answer({ kind: 'request', request: { ...request, id } }, caller).then(read);
      const result = { content: [{ type: 'text', text }], structuredContent: payload };
      expect(reply).to.deep.equal({ jsonrpc: '2.0', id, result });
    }
  });

  it('reports an unexpected failure only by the request id, and logs it once', async () => {
    const broken = tool('broken', async () => {
      throw new Error('select secret from somewhere');
    });
    const { log, lines } = collectingLog();
    const reply = await createMcp({ tools: [broken], log })
      .answer(callOf('broken'), caller)
      .then(read);
    expect(reply).to.deep.equal({
      jsonrpc: '2.0',
      id: 'a',
      result: {
        content: [{ type: 'text', text: '{"error":"Internal error","request_id":"request-1"}' }],
        isError: true,
        _meta: { status: 500, code: 'internal' },
      },
    });
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include('select secret').and.include('request-1').and.include('broken');
  });

  it('says that the database is unavailable', async () => {
    const lost = tool('lost', async () => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    });
    const { log } = collectingLog();
    const reply = await createMcp({ tools: [lost], log })
      .answer(callOf('lost'), caller)
      .then(read);
    expect(reply).to.have.nested.property('result.content[0].text', '{"error":"Database unavailable"}');
    expect(reply).to.have.nested.property('result.isError', true);
    expect(reply).to.have.deep.nested.property('result._meta', {
      status: 503,
      code: 'database_unavailable',
    });
  });

  it('runs calls of several callers concurrently, whatever ids they use', async () => {
    const waiting: (() => void)[] = [];
    const slow = tool(
      'slow',
      (call) => new Promise((done) => waiting.push(() => done(JSON.stringify(call.requestId)))),
    );
    const mcp = createMcp({ tools: [slow], log: collectingLog().log });
    const replies = ['one', 'two', 'three'].map((requestId) =>
      mcp.answer(callOf('slow'), { ...caller, version: '', requestId }).then(read),
    );
    while (waiting.length < 3) await new Promise(setImmediate);
    for (const finish of waiting.reverse()) finish();
    const texts = (await Promise.all(replies)).map(
      (reply) => (reply as { result: { content: { text: string }[] } }).result.content[0]!.text,
    );
    expect(texts).to.deep.equal(['"one"', '"two"', '"three"']);
  });
});
