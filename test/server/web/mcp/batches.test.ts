import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { Tool } from '../../../../src/server/web/mcp/tools.js';
import { shared } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { fixtureServer } from './support/fixture-server.js';
import { fixture, NO_ARGUMENTS } from './support/fixture-tools.js';
import type { RpcReply } from './support/rpc.js';

describe('POST /api/mcp: several messages at once', () => {
  const told: string[] = [];
  /** A tool that records when it starts and, a moment later, when it ends. */
  const slow = (name: string): Tool =>
    fixture(name, NO_ARGUMENTS, async () => {
      told.push(`${name} starts`);
      await setTimeout(40);
      told.push(`${name} ends`);
      return JSON.stringify({ name });
    });
  let arrive: () => void;
  const bothStarted = new Promise<void>((resolve) => {
    let started = 0;
    arrive = () => {
      started += 1;
      if (started === 2) resolve();
    };
  });
  /** A tool that ends when two calls have started. */
  const meeting = (name: string): Tool =>
    fixture(name, NO_ARGUMENTS, async () => {
      arrive();
      await bothStarted;
      return JSON.stringify({ name });
    });
  const server = shared(() =>
    fixtureServer([slow('first'), slow('second'), meeting('left'), meeting('right')]),
  );
  beforeEach(() => told.splice(0));

  async function posted(body: unknown): Promise<unknown> {
    const headers = { Authorization: `Bearer ${OPERATOR_KEY}` };
    const response = await fetch(`${server.url}/api/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return text === '' ? null : JSON.parse(text);
  }
  const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

  it('the messages of a batch run one after the other, in order', async () => {
    const replies = (await posted([call(2, 'second'), call(1, 'first')])) as RpcReply[];
    expect(replies.map(({ id }) => id)).to.deep.equal([2, 1]);
    expect(told).to.deep.equal(['second starts', 'second ends', 'first starts', 'first ends']);
  });

  it('several POSTs run concurrently', async () => {
    const replies = await Promise.all([posted(call(1, 'left')), posted(call(1, 'right'))]);
    expect(replies.map((reply) => (reply as RpcReply).id)).to.deep.equal([1, 1]);
  });

  it('a notification never cancels a running call, whatever id it contains', async () => {
    const running = posted(call(1, 'first')) as Promise<RpcReply>;
    while (told.length === 0) await setTimeout(1);
    const cancel = (requestId: number) => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId, reason: 'no' },
    });
    for (let from = 0; from < 60; from += 10)
      expect(await posted(Array.from({ length: 10 }, (_, at) => cancel(from + at)))).to.equal(null);
    expect((await running).result).to.have.nested.property('content[0].text', '{"name":"first"}');
    expect(told).to.deep.equal(['first starts', 'first ends']);
  });
});
