import { expect } from 'chai';
import type { History } from '../../../../src/contract/reads/history.js';
import type { Overview } from '../../../../src/contract/reads/overview.js';
import { at, type MarketServer, marketServer, runOf } from '../support/market-server.js';

describe('reads: models first seen', () => {
  let server: MarketServer;
  beforeEach(async () => {
    server = await marketServer();
    await server.collect(
      runOf('a', { ...at('2026-11-01'), model: 'gpt-5.1' }),
      runOf('b', { ...at('2026-11-15'), model: 'gpt-5.1' }),
      runOf('c', { ...at('2026-11-17'), model: 'gpt-5.2' }),
      runOf('d', { ...at('2026-11-18'), model: 'gpt-5.2' }),
      // The same model on another engine was seen before; a run without a model says nothing.
      runOf('e', { ...at('2026-11-05'), engine: 'copilot', model: 'gpt-5.2' }),
      runOf('f', { ...at('2026-11-18'), engine: 'copilot', model: 'gpt-5.2' }),
      runOf('g', { ...at('2026-11-18'), engine: 'gemini' }),
      runOf('h', { ...at('2026-11-19'), engine: 'llama', model: 'llama-4' }),
    );
  });
  afterEach(() => server.close());

  const changes = async (query: string) =>
    (await server.body<History>('metrics/history', `&metric=visibility${query}`)).model_changes;

  it('are those of blended engines in overview', async () => {
    expect((await server.body<Overview>('overview')).model_changes).to.deep.equal([
      { engine: 'chatgpt', model: 'gpt-5.2', since: '2026-11-17' },
    ]);
  });

  it('are those of the window and the engines in history', async () => {
    expect(await changes('&days=7&engine=llama')).to.deep.equal([
      { engine: 'llama', model: 'llama-4', since: '2026-11-19' },
    ]);
    expect(await changes('&from=2026-11-18&to=2026-11-20')).to.deep.equal([]);
    expect((await changes('&days=28')).map(({ engine, model }) => [engine, model])).to.deep.equal([
      ['chatgpt', 'gpt-5.1'],
      ['chatgpt', 'gpt-5.2'],
      ['copilot', 'gpt-5.2'],
    ]);
    expect(await changes('&engine=grok')).to.deep.equal([]);
  });

  it('follow the runs: a replaced run takes its model with it', async () => {
    await server.collect(
      runOf('c', { ...at('2026-11-17'), model: 'gpt-5.1' }),
      runOf('d', { ...at('2026-11-18'), model: 'gpt-5.1' }),
    );
    expect((await server.body<Overview>('overview')).model_changes).to.deep.equal([]);
  });
});
