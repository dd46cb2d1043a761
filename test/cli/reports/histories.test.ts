import { expect } from 'chai';
import { historiesOf } from '../../../src/cli/reports/histories.js';
import type { BrandReads } from '../../../src/contract/brand-reads.js';
import { historyMetricNames } from '../../../src/contract/reads/history.js';

const history = (metric: string) => ({
  metric,
  note: null,
  notes: [],
  series: [
    {
      window_value: 3,
      interval: [2, 4],
      trend: { verdict: 'up' },
      points: [{ date: '2026-08-10', value: 3 }],
    },
  ],
});

/** Reads of a server that refuses some metrics. */
const refusing = (...refused: readonly string[]): BrandReads => {
  const load = async (_: string, { metric = '' }: { readonly metric?: string } = {}) => {
    if (refused.includes(metric)) throw new Error(`${metric} cannot be derived`);
    return history(metric);
  };
  const loadIfPossible = (name: string, params: { readonly metric?: string }) =>
    load(name, params).catch(({ message }: Error) => ({ refused: message }));
  return { load, loadIfPossible } as unknown as BrandReads;
};

describe('the histories of all metrics', () => {
  it('have no values, and say why, for a metric that daily statistics do not have', async () => {
    const [first, second, ...others] = historyMetricNames;
    const found = await historiesOf(refusing(second!), { from: '2026-08-10', to: '2026-08-10' });
    expect(found.map(({ metric }) => metric)).to.deep.equal([first, second, ...others]);
    expect(found[0]!.series[0]!.window_value).to.equal(3);
    expect(found[1]).to.deep.equal({
      ...history(second!),
      note: `${second} cannot be derived`,
      series: [
        { window_value: null, interval: null, trend: null, points: [{ date: '2026-08-10', value: null }] },
      ],
    });
  });

  it('fail with the refusal of the request itself', async () => {
    const error = await historiesOf(refusing(...historyMetricNames), {}).catch((reason: Error) => reason);
    expect(error).to.be.an('error').with.property('message', `${historyMetricNames[0]} cannot be derived`);
  });
});
