import { expect } from 'chai';
import { type ComparedMetric, type Comparison, comparisonView } from '../../../../src/cli/reports/diff.js';

describe('two slices side by side', () => {
  const row = (a: number | null, b: number | null): ComparedMetric => ({
    metric: 'citation_share',
    a,
    a_interval: null,
    b,
    b_interval: null,
    difference: a === null || b === null ? null : Number((a - b).toFixed(3)),
  });
  const cells = (each: ComparedMetric) =>
    comparisonView
      .table({} as Comparison)
      .columns.slice(1)
      .map(({ text }) => text(each));

  it('shows the difference of the values that it shows', () => {
    expect(cells(row(0.0535, 0.0664))).to.deep.equal(['5.3', '6.6', '−1.3 pp']);
    expect(cells(row(0.0536, 0.0664))).to.deep.equal(['5.4', '6.6', '−1.2 pp']);
    expect(cells(row(0.0664, 0.0664))).to.deep.equal(['6.6', '6.6', '±0.0 pp']);
    expect(cells(row(null, 0.0664))).to.deep.equal([null, '6.6', null]);
  });
});
