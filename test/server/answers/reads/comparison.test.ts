import { expect } from 'chai';
import type { History } from '../../../../src/contract/reads/history.js';
import type { Overview } from '../../../../src/contract/reads/overview.js';
import { addDays } from '../../../../src/server/base/days.js';
import { fresh } from '../../../support/hooks.js';
import { at, marketServer, runOf } from './support/market-server.js';

const TODAY = '2026-11-20';
const acme = { name: 'Acme', order: 1 };

describe('reads: the prompts of two windows', () => {
  const server = fresh(marketServer);

  /** Runs of 14 days, four a day and engine, of which every second mentions the brand. */
  const twoWeeks = (promptOf: (ago: number, run: number) => string, engine = 'chatgpt') =>
    Array.from({ length: 14 }, (_, ago) =>
      Array.from({ length: 4 }, (_, run) =>
        runOf(`${engine}-${ago}-${run}`, {
          ...at(addDays(TODAY, -ago)),
          engine,
          prompt: promptOf(ago, run),
          mentions: run % 2 === 0 ? [acme] : [],
        }),
      ),
    ).flat();
  const verdict = async () => (await server.body<Overview>('overview')).change.visibility;

  it('are compared if every day has the same', async () => {
    await server.collect(...twoWeeks((_, run) => (run < 2 ? 'p' : 'q')));
    expect(await verdict()).to.deep.equal({
      previous: 50,
      delta: 0,
      difference: 0,
      verdict: 'no_clear_change',
      reason: null,
      reason_fact: null,
    });
  });

  it('are compared if every day has others, but both windows have the same', async () => {
    await server.collect(...twoWeeks((ago) => ((ago % 7) % 2 === 0 ? 'p' : 'q')));
    expect((await verdict()).verdict).to.equal('no_clear_change');
  });

  it('make the verdict unknown if less than half of a window is of prompts that both have', async () => {
    // Three days of the window before had the prompt of now: 12 of 28 runs.
    await server.collect(...twoWeeks((ago) => (ago < 10 ? 'p' : 'q')));
    expect(await verdict()).to.deep.equal({
      previous: 50,
      delta: 0,
      difference: 0,
      verdict: 'unknown',
      reason:
        'The prompts changed: those asked in both windows make up 100 % of the runs of this window and 42 % of the one before; a verdict needs half of each.',
      reason_fact: { code: 'other_prompts', share: 100, share_before: 42 },
    });
  });

  it('are those of the engines of the request', async () => {
    await server.collect(
      ...twoWeeks((ago) => (ago < 7 ? 'p' : 'q'), 'chatgpt'),
      ...twoWeeks(() => 'p', 'llama'),
    );
    const trend = async (engine: string) => {
      const { series } = await server.body<History>('metrics/history', `&metric=visibility&days=7${engine}`);
      return series[0]!.trend!.verdict;
    };
    expect(await trend('')).to.equal('unknown');
    expect(await trend('&engine=chatgpt')).to.equal('unknown');
    expect(await trend('&engine=llama')).to.equal('no_clear_change');
    expect(await trend('&engine=llama,chatgpt')).to.equal('no_clear_change');
  });
});
