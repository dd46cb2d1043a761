import { expect } from 'chai';
import fc from 'fast-check';
import { post } from '../server/web/mcp/support/rpc.js';
import { ruleServer } from './support/rule-server.js';

const STATUSES = [200, 202, 400];

describe('rule: every POST to /api/mcp gets a response of the protocol', () => {
  const server = ruleServer();

  /** Checks that the response is not a 500, a hang or the message of an unexpected failure. */
  async function expectAnswer(body: string | Uint8Array): Promise<unknown> {
    server.now = new Date(server.now.getTime() + 1000);
    const response = await post(server, body);
    const text = await response.text();
    expect(response.status, text).to.be.oneOf(STATUSES);
    if (response.status === 202) expect(text).to.equal('');
    expect(text).to.not.match(/Internal error|request_id|-32603|node_modules/);
    return text === '' ? null : JSON.parse(text);
  }

  it('arbitrary bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await expectAnswer(bytes);
      }),
      { numRuns: 100 },
    );
  });

  it('arbitrary JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 4 }), async (json) => {
        await expectAnswer(json);
      }),
      { numRuns: 150 },
    );
  });

  const anything = fc.jsonValue({ maxDepth: 3 });
  const name = fc.oneof(
    fc.constantFrom('get_overview', 'list_ads', 'get_metrics_history', 'list_brands', '__proto__'),
    anything,
  );
  const args = fc.oneof(
    fc.dictionary(
      fc.constantFrom('brand_id', 'days', 'from', 'to', 'engine', 'metric', 'competitors', '__proto__', 'x'),
      fc.oneof(
        fc.constantFrom('first', 7, '2026-11-01', '2026-11-20', 'chatgpt', 'visibility', true),
        anything,
      ),
    ),
    anything,
  );
  const message = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 5, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: anything }),
      id: fc.oneof(fc.integer(), fc.string(), anything),
      method: fc.oneof(
        { weight: 4, arbitrary: fc.constant('tools/call') },
        {
          weight: 2,
          arbitrary: fc.constantFrom('initialize', 'ping', 'tools/list', 'notifications/cancelled'),
        },
        { weight: 1, arbitrary: anything },
      ),
      params: fc.oneof(
        fc.record(
          { name, arguments: args, _meta: anything, protocolVersion: anything, task: anything },
          { requiredKeys: [] },
        ),
        anything,
      ),
    },
    { requiredKeys: [] },
  );

  it('mutated JSON-RPC', async () => {
    await fc.assert(
      fc.asyncProperty(message, async (each) => {
        await expectAnswer(JSON.stringify(each));
      }),
      { numRuns: 300 },
    );
  });

  it('batches of it: a reply per request, under its id, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 10 }), async (batch) => {
        const sent = JSON.stringify(batch);
        const replies = (await expectAnswer(sent)) as { id: unknown }[] | null;
        const awaited = (JSON.parse(sent) as Sent[]).filter(awaitsReply).map(idOf);
        expect((replies ?? []).map(({ id }) => id)).to.deep.equal(awaited);
      }),
      { numRuns: 100 },
    );
  });

  it('JSON nested as deep as a body allows', async () => {
    const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
    const call = (value: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_overview","arguments":${value}}}`;
    await expectAnswer(deep('[', ']', 250_000));
    await expectAnswer(call(deep('[', ']', 250_000)));
    await expectAnswer(call(`{"brand_id":${deep('[', ']', 250_000)}}`));
    await expectAnswer(call(`${'{"x":'.repeat(100_000)}1${'}'.repeat(100_000)}`));
    await expectAnswer(
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":${deep('[', ']', 250_000)}}}`,
    );
  });
});

interface Sent {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
}

/** A message without an id is a notification; a value that is not a message is not. */
const awaitsReply = ({ jsonrpc, method, ...rest }: Sent): boolean =>
  'id' in rest || jsonrpc !== '2.0' || typeof method !== 'string';

/** An invalid id is returned as null. */
const idOf = ({ id }: Sent): unknown =>
  typeof id === 'string' || (typeof id === 'number' && (Number.isSafeInteger(id) || id % 1 !== 0))
    ? id
    : null;
