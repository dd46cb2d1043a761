import { expect } from 'chai';
import type { History } from '../../../../src/contract/reads/history.js';
import type { Overview } from '../../../../src/contract/reads/overview.js';
import { pruneRuns } from '../../../../src/server/intake/storage/prune-runs.js';
import { fresh } from '../../../support/hooks.js';
import { at, marketServer, runOf } from './support/market-server.js';

describe('reads: models first seen', () => {
  const server = fresh(marketServer);
  beforeEach(async () => {
    await server.collect(
      runOf('z', { ...at('2026-09-01'), model: 'gpt-5' }),
      runOf('a', { ...at('2026-11-01'), model: 'gpt-5.1' }),
      runOf('b', { ...at('2026-11-15'), model: 'gpt-5.1' }),
      runOf('c', { ...at('2026-11-17'), model: 'gpt-5.2' }),
      runOf('d', { ...at('2026-11-18'), model: 'gpt-5.2' }),
      runOf('y', { ...at('2026-10-30'), engine: 'copilot' }),
      // The same model on another engine was seen before; a run without a model says nothing.
      runOf('e', { ...at('2026-11-05'), engine: 'copilot', model: 'gpt-5.2' }),
      runOf('f', { ...at('2026-11-18'), engine: 'copilot', model: 'gpt-5.2' }),
      runOf('g', { ...at('2026-11-18'), engine: 'gemini' }),
      runOf('h', { ...at('2026-11-19'), engine: 'llama', model: 'llama-4' }),
    );
  });

  const changes = async (query: string) =>
    (await server.body<History>('metrics/history', `&metric=visibility${query}`)).model_changes;

  it('are those of blended engines in overview', async () => {
    expect((await server.body<Overview>('overview')).model_changes).to.deep.equal([
      { engine: 'chatgpt', model: 'gpt-5.2', since: '2026-11-17' },
    ]);
  });

  it('are those of the window and the engines in history', async () => {
    expect(await changes('&days=7&engine=copilot')).to.deep.equal([]);
    expect(await changes('&from=2026-11-18&to=2026-11-20')).to.deep.equal([]);
    expect((await changes('&days=28')).map(({ engine, model }) => [engine, model])).to.deep.equal([
      ['chatgpt', 'gpt-5.1'],
      ['chatgpt', 'gpt-5.2'],
      ['copilot', 'gpt-5.2'],
    ]);
    expect(await changes('&engine=grok')).to.deep.equal([]);
  });

  it('are not those that are as old as the stored runs of their engine', async () => {
    expect(await changes('&days=28&engine=llama')).to.deep.equal([]);
    expect(await changes('&days=56&engine=chatgpt')).to.deep.equal([
      { engine: 'chatgpt', model: 'gpt-5.1', since: '2026-11-01' },
      { engine: 'chatgpt', model: 'gpt-5.2', since: '2026-11-17' },
    ]);
    const { model_changes } = await server.body<Overview>('overview', '&from=2026-01-01&to=2026-11-20');
    expect(model_changes.map(({ model }) => model)).to.deep.equal(['gpt-5.1', 'gpt-5.2', 'gpt-5.2']);
    await server.collect(runOf('x', { ...at('2026-11-03'), engine: 'llama', model: 'llama-3' }));
    expect(await changes('&days=14&engine=llama')).to.deep.equal([
      { engine: 'llama', model: 'llama-4', since: '2026-11-19' },
    ]);
  });

  it('are the same after runs were pruned, whose days the roll-ups keep', async () => {
    const whole = '&from=2026-08-01&to=2026-11-20';
    const before = (await server.body<Overview>('overview', whole)).model_changes;
    server.now = new Date('2027-01-20T12:00:00Z');
    const pruned = pruneRuns(server.database.knex, { today: '2027-01-20', days: 62 });
    for await (const { runs } of pruned) expect(runs).to.be.above(0);
    expect((await server.body<Overview>('overview', whole)).model_changes).to.deep.equal(before);
  });

  it('follow the runs: a replaced run takes its model with it', async () => {
    await server.collect(
      runOf('c', { ...at('2026-11-17'), model: 'gpt-5.1' }),
      runOf('d', { ...at('2026-11-18'), model: 'gpt-5.1' }),
    );
    expect((await server.body<Overview>('overview')).model_changes).to.deep.equal([]);
  });
});
