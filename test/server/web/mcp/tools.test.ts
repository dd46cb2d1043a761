import { expect } from 'chai';
import { mcpInstructions } from '../../../../src/contract/mcp.js';
import { answerFilters } from '../../../../src/contract/reads/answers.js';
import { resources } from '../../../../src/contract/registry.js';
import { runFilters, sliceParams } from '../../../../src/contract/slice.js';
import { toolsWithoutPath } from '../../../rules/support/reads.js';
import { NOW, prompt, records, run } from '../../../rules/support/records.js';
import { shared } from '../../../support/hooks.js';
import { testServer } from '../../../support/server.js';
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

describe('POST /api/mcp: tools/list', () => {
  let tools: readonly Listed[];
  const server = shared(() => testServer({ now: NOW }));
  before(async () => {
    await server.load(records);
    tools = await list(STRUCTURED);
  });

  const list = async (headers?: Record<string, string>) =>
    (await rpc(server, 'tools/list', {}, { headers: headers ?? {} })).result!.tools as Listed[];
  const tool = (name: string) => tools.find((each) => each.name === name)!;

  it('contains each read, the tag groups, each further tool and run_fact_check once', () => {
    const expected = [
      ...Object.values(resources).map((resource) => resource.tool),
      'list_tag_groups',
      ...toolsWithoutPath,
      'run_fact_check',
    ];
    expect(tools.map(({ name }) => name)).to.have.members(expected);
    expect(tools).to.have.length(34);
  });

  it('has a stable order, and output schemas only for 2025-06-18', async () => {
    for (const version of ['', '2025-03-26', '2024-11-05']) {
      const plain = await list(version ? { 'MCP-Protocol-Version': version } : {});
      expect(plain).to.deep.equal(tools.map(({ outputSchema: _, ...rest }) => rest));
    }
  });

  it('has an optional brand_id in every tool except list_brands', () => {
    for (const { name, inputSchema } of tools) {
      expect('brand_id' in inputSchema.properties, name).to.equal(name !== 'list_brands');
      expect(inputSchema.required ?? [], name).to.not.include('brand_id');
    }
  });

  it('has the arguments of the contract', () => {
    const names = (of: string) => Object.keys(tool(of).inputSchema.properties);
    expect(names('get_metrics_history')).to.have.members([
      'brand_id',
      'metric',
      'days',
      'from',
      'to',
      'engine',
      'competitors',
      ...Object.keys(runFilters),
    ]);
    expect(tool('get_metrics_history').inputSchema.required).to.deep.equal(['metric']);
    expect(names('get_crawler_analytics')).to.have.members(['brand_id', 'days', 'from', 'to']);
    expect(names('list_ads')).to.have.members(['brand_id', 'days', 'from', 'to', 'engine']);
    expect(names('get_sentiment')).to.have.members(['brand_id', 'days', 'from', 'to', 'engine']);
    const ranged = ['get_content_coverage', 'list_fanouts', 'list_referrals'];
    for (const name of ranged) expect(names(name), name).to.deep.equal(['brand_id', 'from', 'to', 'days']);
    expect(names('get_answer')).to.deep.equal(['brand_id', 'run_id']);
    expect(tool('get_answer').inputSchema.required).to.deep.equal(['run_id']);
    expect(names('run_fact_check')).to.have.members(['brand_id', 'force']);
    expect(names('get_url')).to.deep.equal(['brand_id', 'url', ...Object.keys(sliceParams)]);
    const sliceable = [
      'get_overview',
      'get_briefing',
      'list_competitors',
      'list_sources',
      'list_urls',
      'list_names',
    ];
    for (const name of sliceable)
      expect(names(name), name).to.deep.equal(['brand_id', ...Object.keys(sliceParams)]);
    expect(names('list_answers')).to.deep.equal([
      'brand_id',
      ...Object.keys(sliceParams),
      ...Object.keys(answerFilters),
    ]);
    expect(names('list_gaps')).to.deep.equal(['brand_id', 'kind', ...Object.keys(sliceParams)]);
    expect(names('list_prompts')).to.deep.equal(['brand_id', 'from', 'to', 'days', 'engine']);
    const counted = [
      'list_shopping_products',
      'get_shopping_trend',
      'list_youtube_citations',
      'get_visitor_stats',
      'list_community_threads',
    ];
    for (const name of counted) expect(names(name), name).to.deep.equal(['brand_id', 'days']);
    expect(names('explain_change')).to.deep.equal([
      'brand_id',
      'metric',
      'by',
      'limit',
      ...Object.keys(sliceParams),
    ]);
    const more = [
      ...sliceable,
      'list_answers',
      'explain_change',
      ...ranged,
      ...counted,
      'list_gaps',
      'list_prompts',
      'get_metrics_history',
      'get_crawler_analytics',
      'list_ads',
      'get_sentiment',
      'get_answer',
      'get_url',
      'measure_effect',
      'run_fact_check',
    ];
    for (const { name } of tools)
      if (!more.includes(name))
        expect(names(name), name).to.deep.equal(name === 'list_brands' ? ['include', 'days'] : ['brand_id']);
  });

  it('is at most 26 kB, because every agent reads all of it', () => {
    const plain = tools.map(({ outputSchema: _, ...tool }) => tool);
    expect(Buffer.byteLength(JSON.stringify(plain))).to.be.at.most(26_000);
  });

  it('has descriptions that begin with the question that the tool answers', () => {
    for (const { name, description } of tools.filter((each) => each.name !== 'run_fact_check'))
      expect(description, name).to.match(/^[A-Z].{10,160}?\?(?: |$)/);
  });

  it('has input schemas by JSON Schema 2020-12 that are closed and describe each argument, as far as the instructions do not', () => {
    for (const { name, inputSchema } of tools) {
      expect(inputSchema.$schema, name).to.equal('https://json-schema.org/draft/2020-12/schema');
      expect(inputSchema.additionalProperties, name).to.equal(false);
      for (const [argument, { description }] of Object.entries(inputSchema.properties)) {
        const isInstructed =
          ['brand_id', 'days', 'engine', ...Object.keys(runFilters)].includes(argument) &&
          mcpInstructions.includes(argument);
        if (!isInstructed || description !== undefined)
          expect(description, `${name}.${argument}`).to.be.a('string').and.not.equal('');
      }
    }
  });

  it('has output schemas with open objects, so that additive fields do not break clients', () => {
    const closed = JSON.stringify(tools.map(({ outputSchema }) => outputSchema)).match(
      /"additionalProperties":false/,
    );
    expect(closed).to.equal(null);
  });

  it('has titles, and annotations that mark every tool except run_fact_check as read-only', () => {
    const reads = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
    const spends = { readOnlyHint: false, idempotentHint: false, openWorldHint: true };
    for (const { name, title, annotations } of tools) {
      expect(title, name).to.match(/^(?:List|Get|Run|Explain|Measure) [\w ]+$/);
      expect(annotations, name).to.include(name === 'run_fact_check' ? spends : reads);
      expect(annotations.title).to.equal(title);
    }
  });

  it('has descriptions with the sentences that the contract prescribes', () => {
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

  it('returns the newest 50 answers if the read returns more', async () => {
    const runs = Array.from({ length: 70 }, (_, index) =>
      run('first', `more-${index}`, `2026-11-19T10:00:${index % 60}Z`.replace(/:(\d)Z/, ':0$1Z')),
    );
    await server.load([prompt('first', 'p1'), ...runs]);
    server.pass();
    const { answers } = await server.read<{ answers: object[] }>('/api/v1/answers?brand=first');
    expect(answers.length).to.be.greaterThan(70);
    const payload = JSON.parse(textOf(await call(server, 'list_answers', { brand_id: 'first' })));
    expect(payload.answers).to.deep.equal(answers.slice(0, 50));
  });
});
