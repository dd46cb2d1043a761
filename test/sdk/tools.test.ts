import { expect } from 'chai';
import type { Read } from '../../src/contract/read.js';
import { type ResourceName, resources } from '../../src/contract/registry.js';
import { toolNames } from '../../src/contract/tools.js';
import {
  AuthenticationError,
  isSvcError,
  PermissionError,
  SvcClient,
  ToolError,
  type Tools,
} from '../../src/sdk/index.js';
import { toolsWithoutPath } from '../rules/support/reads.js';
import { shared } from '../support/hooks.js';
import { randomDataset } from '../support/reference/generators/dataset.js';
import { TODAY } from '../support/reference/generators/seeds.js';
import { OPERATOR_KEY, testServer } from '../support/server.js';
import { KEY, reply, type Script } from './support/server.js';
import { failureOf, withServer } from './support/setup.js';

/** A call without type checks of name and arguments. */
type AnyCall = (name: string, args?: object) => ReturnType<Tools['call']>;

describe('the tools of a real server', () => {
  let svc: SvcClient;
  const call: AnyCall = (name, args) => svc.tools.call(name as 'get_overview', args as { brand_id?: string });

  const server = shared(testServer);
  before(async () => {
    await server.load(randomDataset(3, TODAY, { runs: 150 }));
    svc = new SvcClient({ baseUrl: server.url, apiKey: OPERATOR_KEY });
  });

  it('list returns the descriptions that agents get, in the order of the contract', async () => {
    const listed = await svc.tools.list();
    const known = listed.map(({ name }) => name);
    expect(known).to.include.members(['list_brands', 'list_fanouts']);
    expect(known).to.deep.equal(toolNames.filter((name) => known.includes(name)));
    for (const { description, inputSchema, annotations } of listed) {
      expect(description).to.be.a('string').that.is.not.empty;
      expect(inputSchema.type).to.equal('object');
      expect(annotations).to.include.keys('title', 'readOnlyHint');
    }
  });

  for (const [name, resource] of Object.entries<Read>(resources)) {
    it(`call of ${resource.tool} returns the data of the read ${name}`, async () => {
      const { answers } = await server.read<{ answers: { id: string }[] }>(
        '/api/v1/answers?from=2026-10-01&to=2026-11-20',
      );
      const { prompts } = await server.read<{ prompts: { id: string }[] }>('/api/v1/prompts');
      const required: Readonly<Record<string, Record<string, string>>> = {
        'metrics/history': { metric: 'visibility' },
        answer: { run_id: answers[0]!.id },
        url: { url: 'https://example.com/guide' },
        effect: { since: '2026-11-10', prompt: prompts[0]!.id },
      };
      const args = required[name] ?? {};
      const twin = await server.read<Record<string, unknown>>(
        `/api/v1/${name as ResourceName}?${new URLSearchParams(args)}`,
      );
      const { rows, toolCap } = resource;
      const capped = rows && toolCap ? { [rows]: (twin[rows] as unknown[]).slice(0, toolCap) } : {};
      expect(await call(resource.tool, args)).to.deep.equal({ ...twin, ...capped });
    });
  }

  it('call also supports the tools that REST does not have', async () => {
    const { brand } = await svc.overview();
    for (const name of [...toolsWithoutPath, 'list_tag_groups'])
      expect(await call(name)).to.have.deep.property('brand', brand);
  });

  it('both return the data of the headers by withResponse, and cost a token each', async () => {
    const listed = await svc.tools.list().withResponse();
    const called = await svc.tools.call('list_fanouts').withResponse();
    for (const { rateLimit, apiVersion, requestId, keyKind } of [listed, called]) {
      expect(rateLimit).to.include({ limit: 120 });
      expect([apiVersion, requestId, keyKind]).to.not.include(null);
    }
    expect(called.data.window_days).to.equal(7);
  });

  it('engines may be an array, and null and undefined arguments are omitted', async () => {
    const asked = { metric: 'visibility', days: null, competitors: undefined } as const;
    const several = await call('get_metrics_history', { ...asked, engine: ['chatgpt', 'gemini'] });
    expect(several).to.deep.equal(await svc.history({ metric: 'visibility', engine: 'chatgpt,gemini' }));
  });

  it('the client’s brand is the default, and is never sent to list_brands', async () => {
    const [first, second] = await svc.brands.list().all({ max: 100 });
    const bound = new SvcClient({ baseUrl: server.url, apiKey: OPERATOR_KEY, brand: second!.id });
    expect((await bound.tools.call('get_fact_check')).brand.id).to.equal(second!.id);
    expect((await bound.tools.call('get_fact_check', { brand_id: first!.id })).brand.id).to.equal(first!.id);
    expect((await bound.tools.call('list_brands')).brands.length).to.be.above(1);
  });

  it('a refusal of the tool is a ToolError with its message', async () => {
    const error = (await failureOf(svc.tools.call('get_overview', { brand_id: 'nobody' }))) as ToolError;
    expect(error).to.be.instanceOf(ToolError).and.to.satisfy(isSvcError);
    expect(error).to.include({
      name: 'ToolError',
      message: 'Unknown brand id: nobody',
      tool: 'get_overview',
      code: 'unknown_brand',
      status: 404,
      retryable: false,
    });
    expect(error.requestId).to.be.a('string');
    expect(error.body).to.have.nested.property('result.isError', true);
    expect(error.toJSON()).to.include({ tool: 'get_overview', message: error.message });
  });

  it('an invalid or unknown argument is a ToolError that names it', async () => {
    const wrong = (await failureOf(call('get_sentiment', { days: 8 }))) as ToolError;
    expect(wrong)
      .to.be.instanceOf(ToolError)
      .with.property('message')
      .that.matches(/^Invalid days: 8/);
    expect(wrong.code).to.equal('invalid_choice');
    const misspelt = (await failureOf(call('get_sentiment', { day: 7 }))) as ToolError;
    expect(misspelt.message).to.match(/^Unknown argument: day/);
  });

  it('an unknown tool is a ToolError with the code of the protocol', async () => {
    const error = (await failureOf(call('get_overveiw'))) as ToolError;
    expect(error).to.be.instanceOf(ToolError);
    expect(error).to.include({ message: 'Unknown tool: get_overveiw', code: -32602, tool: 'get_overveiw' });
  });

  it('a refusal by HTTP has the error class of reads', async () => {
    const stranger = new SvcClient({ baseUrl: server.url, apiKey: 'svc_wrong' });
    expect(await failureOf(stranger.tools.list())).to.be.instanceOf(AuthenticationError);
    const { id: workspace } = await server.database.knex('workspaces').first('id');
    const apiKey = await server.key({ workspace, kind: 'ingest' });
    const shipper = new SvcClient({ baseUrl: server.url, apiKey });
    expect(await failureOf(shipper.tools.call('list_brands'))).to.be.instanceOf(PermissionError);
  });
});

describe('a call of a tool', () => {
  /** The number of requests of one call if the server responds with these statuses in turn, and whether it succeeds. */
  const tries = (name: 'run_fact_check' | 'get_overview', statuses: readonly number[], broken = false) => {
    const script: Script = (response, _, index) => {
      if (broken && index === 0) return response.destroy();
      if (index < statuses.length) return reply(response, statuses[index]!, { error: 'not now' });
      return reply(response, 200, { result: { content: [{ type: 'text', text: '{}' }] } });
    };
    return withServer({ script, speed: 1000 }, async (svc, server) => {
      const ok = await svc.tools.call(name).then(Boolean, () => false);
      return [server.requests.length, ok];
    });
  };

  it('is retried like other reads if it only reads', async () => {
    expect(await tries('get_overview', [503, 503])).to.deep.equal([3, true]);
    expect(await tries('get_overview', [], true)).to.deep.equal([2, true]);
  });

  it('is retried only after a 429 for run_fact_check', async () => {
    expect(await tries('run_fact_check', [429, 429])).to.deep.equal([3, true]);
    for (const status of [408, 500, 502, 503, 504])
      expect(await tries('run_fact_check', [status]), String(status)).to.deep.equal([1, false]);
    expect(await tries('run_fact_check', [], true)).to.deep.equal([1, false]);
  });

  it('has a default timeout of three minutes for run_fact_check', async () => {
    const set = globalThis.setTimeout;
    // Timers of a minute or more fire after a moment.
    const hurried = (callback: () => void, ms: number) => set(callback, ms < 60_000 ? ms : 10);
    globalThis.setTimeout = hurried as typeof set;
    const waits = async (options?: object) => {
      let requests = 0;
      const fetch = () => {
        requests += 1;
        return new Promise<Response>(() => {});
      };
      const svc = new SvcClient({ baseUrl: 'http://svc.example', apiKey: KEY, timeout: 60_000, fetch });
      const { message } = (await failureOf(svc.tools.call('run_fact_check', {}, options))) as Error;
      expect(requests).to.equal(1);
      return message;
    };
    try {
      expect(await waits()).to.equal('No answer within 180 s: POST /api/mcp');
      expect(await waits({ timeout: 90_000 })).to.equal('No answer within 90 s: POST /api/mcp');
    } finally {
      globalThis.setTimeout = set;
    }
  });

  it('rejects with an SvcError if the reply is not valid MCP', async () => {
    const nothings = [
      {},
      [],
      { result: null },
      { result: 5 },
      { result: {} },
      { result: { content: 'text' } },
    ];
    const contents = [[], [null], [{ type: 'text' }], [{ text: 5 }], [{ text: 'plain' }], [{ text: '5' }]];
    const bodies = [
      ...nothings,
      ...contents.map((content) => ({ result: { content } })),
      { result: { tools: {} } },
    ];
    for (const body of bodies) {
      const script: Script = (response) => reply(response, 200, body);
      await withServer({ script }, async (svc) => {
        for (const asked of [svc.tools.call('get_overview'), svc.tools.list()]) {
          const error = (await failureOf(asked)) as Error;
          expect(error, JSON.stringify(body)).to.have.property('name', 'SvcError');
          expect(error.message).to.equal('The answer is not a reply of MCP.');
        }
      });
    }
  });

  it('rejects with a ToolError even if the message is not in the contract', async () => {
    const refusals = [
      [{ result: { isError: true, content: [{ type: 'text', text: 'plain words' }] } }, 'plain words', null],
      [{ result: { isError: true, content: [] } }, 'tools/call', null],
      [{ error: { code: -32603, message: 'Internal error' } }, 'Internal error', -32603],
      [{ error: 'odd' }, 'tools/call', null],
    ] as const;
    for (const [body, message, code] of refusals) {
      const script: Script = (response) => reply(response, 200, body);
      await withServer({ script }, async (svc) => {
        const error = await failureOf(svc.tools.call('get_overview'));
        expect(error).to.be.instanceOf(ToolError).and.to.include({ message, code });
      });
    }
  });

  it('has no key in its error, whatever the server echoes', async () => {
    const text = JSON.stringify({ error: `Unknown brand id: ${KEY}` });
    for (const body of [
      { result: { isError: true, content: [{ type: 'text', text }] } },
      { error: { code: -32602, message: `Unknown tool: ${KEY}` } },
      { result: { echo: KEY } },
    ]) {
      const script: Script = (response) => reply(response, 200, body);
      await withServer({ script }, async (svc) => {
        const error = (await failureOf(svc.tools.call('get_overview'))) as ToolError;
        expect([JSON.stringify(error), error.stack, error.message].join()).to.include('[redacted]');
        expect([JSON.stringify(error), error.stack, error.message].join()).not.to.include(KEY);
      });
    }
  });
});
