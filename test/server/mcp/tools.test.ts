import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { resources } from '../../../src/contract/registry.js';
import { toolsWithoutPath } from '../../rules/support/reads.js';
import { NOW, prompt, records, run } from '../../rules/support/records.js';
import { type TestServer, testServer } from '../../support/server.js';
import { call, rpc, STRUCTURED, textOf } from './support/rpc.js';

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly $schema: string;
    readonly properties: Record<string, { readonly description?: string }>;
    readonly required?: string[];
    readonly additionalProperties: boolean;
  };
  readonly outputSchema?: object;
  readonly annotations: Record<string, unknown>;
}

/** What clients see; a change of it is a change of the contract. UPDATE_FIXTURES=1 writes it anew. */
const SNAPSHOT = join(import.meta.dirname, '../../fixtures/mcp-tools.json');

describe('POST /api/mcp: tools/list', () => {
  let server: TestServer;
  let tools: readonly Listed[];
  before(async () => {
    server = await testServer({ now: NOW });
    await server.load(records);
    tools = await list(STRUCTURED);
  });
  after(() => server.close());

  const list = async (headers?: Record<string, string>) =>
    (await rpc(server, 'tools/list', {}, { headers: headers ?? {} })).result!.tools as Listed[];
  const tool = (name: string) => tools.find((each) => each.name === name)!;

  it('is the one that was released', () => {
    if (process.env.UPDATE_FIXTURES) writeFileSync(SNAPSHOT, `${JSON.stringify(tools, null, 2)}\n`);
    expect(tools).to.deep.equal(JSON.parse(readFileSync(SNAPSHOT, 'utf8')));
  });

  it('names each read, the tag groups, each further tool and the check that runs once: twenty-four', () => {
    const expected = [
      ...Object.values(resources).map((resource) => resource.tool),
      'list_tag_groups',
      ...toolsWithoutPath,
      'run_fact_check',
    ];
    expect(tools.map(({ name }) => name)).to.have.members(expected);
    expect(tools).to.have.length(24);
  });

  it('comes in the same order every time, with output schemas for 2025-06-18 alone', async () => {
    for (const version of ['', '2025-03-26', '2024-11-05']) {
      const plain = await list(version ? { 'MCP-Protocol-Version': version } : {});
      expect(plain).to.deep.equal(tools.map(({ outputSchema: _, ...rest }) => rest));
    }
  });

  it('takes brand_id in every tool but list_brands, optionally', () => {
    for (const { name, inputSchema } of tools) {
      expect('brand_id' in inputSchema.properties, name).to.equal(name !== 'list_brands');
      expect(inputSchema.required ?? [], name).to.not.include('brand_id');
    }
  });

  it('takes the arguments of the contract', () => {
    const names = (of: string) => Object.keys(tool(of).inputSchema.properties);
    expect(names('get_metrics_history')).to.have.members([
      'brand_id',
      'metric',
      'days',
      'from',
      'to',
      'engine',
      'competitors',
    ]);
    expect(tool('get_metrics_history').inputSchema.required).to.deep.equal(['metric']);
    expect(names('get_crawler_analytics')).to.have.members(['brand_id', 'days']);
    expect(names('list_ads')).to.have.members(['brand_id', 'days', 'from', 'to', 'engine']);
    expect(names('get_sentiment')).to.have.members(['brand_id', 'days', 'engine']);
    expect(names('run_fact_check')).to.have.members(['brand_id', 'force']);
    const more = [
      'get_metrics_history',
      'get_crawler_analytics',
      'list_ads',
      'get_sentiment',
      'run_fact_check',
    ];
    for (const { name } of tools)
      if (!more.includes(name))
        expect(names(name), name).to.deep.equal(name === 'list_brands' ? [] : ['brand_id']);
  });

  it('states JSON Schema 2020-12, closed to other arguments, each of them described', () => {
    for (const { name, inputSchema } of tools) {
      expect(inputSchema.$schema, name).to.equal('https://json-schema.org/draft/2020-12/schema');
      expect(inputSchema.additionalProperties, name).to.equal(false);
      for (const [argument, { description }] of Object.entries(inputSchema.properties))
        expect(description, `${name}.${argument}`).to.be.a('string').and.not.equal('');
    }
  });

  it('leaves every object of an output open, so that additive fields break no cached client', () => {
    const closed = JSON.stringify(tools.map(({ outputSchema }) => outputSchema)).match(
      /"additionalProperties":false/,
    );
    expect(closed).to.equal(null);
  });

  it('has titles, and annotations that say it only reads, save for the check that runs', () => {
    const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    const spends = { readOnlyHint: false, idempotentHint: false, openWorldHint: true };
    for (const { name, title, annotations } of tools) {
      expect(title, name).to.match(/^(?:List|Get|Run) [\w ]+$/);
      expect(annotations, name).to.include(name === 'run_fact_check' ? spends : reads);
      expect(annotations.title).to.equal(title);
    }
  });

  it('carries the rules that the contract prescribes for descriptions', () => {
    for (const name of ['list_shopping_products', 'get_shopping_trend'])
      expect(tool(name).description)
        .to.match(/null is not zero/i)
        .and.match(/own_avg_position is null .*not on the shelf/)
        .and.match(/carousels is null when .*unobservable/);
    expect(tool('list_ads').description)
      .to.match(/no stated name or link is not stated/)
      .and.match(/Capture began July 2026/)
      .and.match(/no spend estimates/);
    expect(tool('list_tag_groups').description).to.match(/Read-only/);
  });

  it('gives the newest 50 answers where the read gives more', async () => {
    const runs = Array.from({ length: 70 }, (_, index) =>
      run('first', `more-${index}`, `2026-11-19T10:00:${index % 60}Z`.replace(/:(\d)Z/, ':0$1Z')),
    );
    await server.load([prompt('first', 'p1'), ...runs]);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const { answers } = await server.read<{ answers: object[] }>('/api/v1/answers?brand=first');
    expect(answers.length).to.be.greaterThan(70);
    const payload = JSON.parse(textOf(await call(server, 'list_answers', { brand_id: 'first' })));
    expect(payload.answers).to.deep.equal(answers.slice(0, 50));
  });
});
