/** The question “did our visibility improve last week?”, as an agent asks it through the tools. */
import { expect } from 'chai';
import type { Overview } from '../../../../src/contract/reads/overview.js';
import { addDays } from '../../../../src/server/base/days.js';
import { shared } from '../../../support/hooks.js';
import { testServer } from '../../../support/server.js';
import { market, NOW, runOf } from '../../intake/dataset/support/load.js';
import { call, rpc, textOf } from './support/rpc.js';

const TODAY = '2026-11-20';
/** Of ten runs of each day, newest first, how many mention the brand. */
const ROSE = [8, 7, 8, 9, 8, 7, 8, 3, 4, 3, 2, 3, 4, 3];
const SWAYED = [9, 2, 7, 3, 8, 4, 6, 2, 7, 1, 8, 3, 6, 4];

const runsOf = (brand: string, prompt: string, mentions: readonly number[], engine = 'chatgpt') =>
  mentions.flatMap((present, ago) =>
    Array.from({ length: 10 }, (_, at) =>
      runOf(`${brand}-${engine}-${ago}-${at}`, {
        brand,
        prompt,
        engine,
        collected_at: `${addDays(TODAY, -ago)}T08:00:00Z`,
        mentions: at < present ? [{ name: 'Acme', order: 1 }] : [],
      }),
    ),
  );

describe('MCP: did our visibility improve last week?', () => {
  const server = shared(() => testServer({ now: NOW }));
  before(async () => {
    await server.load([
      ...market,
      { type: 'brand', id: 'other', workspace: 'w', name: 'Acme', domain: 'acme.example' },
      { type: 'prompt', id: 'r', brand: 'other', text: 'fastest crm?' },
      ...runsOf('b', 'p', ROSE),
      ...runsOf('other', 'r', SWAYED),
      { type: 'brand', id: 'mixed', workspace: 'w', name: 'Acme', domain: 'acme.example' },
      { type: 'prompt', id: 's', brand: 'mixed', text: 'best crm?', tags: ['crm'] },
      { type: 'prompt', id: 't', brand: 'mixed', text: 'best erp?', tags: ['erp'] },
      ...runsOf('mixed', 's', ROSE),
      ...runsOf('mixed', 't', ROSE.toReversed(), 'gemini'),
    ]);
  });

  it('instructions and the description of a tool name the fields of the answer', async () => {
    const { result: greeting } = await rpc(server, 'initialize', { protocolVersion: '2025-06-18' });
    expect(greeting!.instructions)
      .to.contain('quote the verdict')
      .and.contain('no_clear_change is not a change')
      .and.contain('difference with its unit');
    const { result } = await rpc(server, 'tools/list');
    const tools = result!.tools as { name: string; description: string }[];
    for (const { name, description } of tools)
      if (name === 'get_overview' || name === 'get_metrics_history')
        expect(description, name)
          .to.match(/did that move|How did a metric develop/)
          .and.contain('verdict');
    const answering = tools.filter(({ description }) => /\bverdicts?\b/.test(description));
    expect(answering.map(({ name }) => name)).to.deep.equal([
      'get_briefing',
      'get_overview',
      'explain_change',
      'list_moves',
      'list_competitors',
      'get_metrics_history',
    ]);
  });

  it('one call has verdict and interval of a week that rose', async () => {
    const { visibility, intervals, change } = await overviewOf('b');
    expect([change.visibility.verdict, change.visibility.previous]).to.deep.equal(['up', 31.4]);
    expect(change.visibility.difference).to.be.closeTo(visibility! - 31.4, 0.11);
    const [low, high] = intervals.visibility!;
    expect(low).to.be.below(visibility!).and.above(change.visibility.previous!);
    expect(high).to.be.above(visibility!);
  });

  it('a rise that may be chance is not a change, although its delta is large', async () => {
    const { change } = await overviewOf('other');
    expect(change.visibility.delta).to.be.above(20);
    expect(change.visibility).to.include({ verdict: 'no_clear_change', reason: null });
  });

  it('one call with an engine, or with a tag, has the verdict on that part', async () => {
    const verdictOn = async (slice: object) => (await overviewOf('mixed', slice)).change.visibility.verdict;
    expect(await verdictOn({})).to.equal('no_clear_change');
    expect(await verdictOn({ engine: 'chatgpt' })).to.equal('up');
    expect(await verdictOn({ engine: 'gemini' })).to.equal('down');
    expect(await verdictOn({ tag: 'crm' })).to.equal('up');
    const { result } = await rpc(server, 'initialize', { protocolVersion: '2025-06-18' });
    expect(result!.instructions).to.contain('For one engine, prompt, topic, tag, region, surface or window');
    const { result: listed } = await rpc(server, 'tools/list');
    const { description, inputSchema } = (
      listed!.tools as { name: string; description: string; inputSchema: { properties: object } }[]
    ).find(({ name }) => name === 'get_overview')!;
    expect(description).to.contain('unless arguments choose other runs');
    expect(inputSchema.properties).to.include.all.keys('engine', 'prompt', 'topic', 'tag', 'region');
  });

  async function overviewOf(brand_id: string, slice: object = {}): Promise<Overview> {
    const result = await call(server, 'get_overview', { brand_id, ...slice });
    return JSON.parse(textOf(result));
  }
});
