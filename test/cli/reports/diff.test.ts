import { expect } from 'chai';
import { tableFor } from '../../../src/cli/render/format.js';
import {
  type ComparedMetric,
  type Comparison,
  comparisonView,
  otherSlice,
} from '../../../src/cli/reports/diff.js';

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
    tableFor(comparisonView, {} as Comparison)
      .columns.slice(1)
      .map(({ text }) => text(each));

  it('shows the difference of the values that it shows', () => {
    expect(cells(row(0.0535, 0.0664))).to.deep.equal(['5.3', '6.6', '−1.3 pp']);
    expect(cells(row(0.0536, 0.0664))).to.deep.equal(['5.4', '6.6', '−1.2 pp']);
    expect(cells(row(0.0664, 0.0664))).to.deep.equal(['6.6', '6.6', '±0.0 pp']);
    expect(cells(row(null, 0.0664))).to.deep.equal([null, '6.6', null]);
  });
});

const NAMES = ['from', 'to', 'engine', 'tag'];
const other = (slice: object, ...changes: string[]) => otherSlice({ ...slice }, changes, NAMES);

describe('the slice of svc diff --with', () => {
  it('is the first one with the named parameters changed, added or removed', () => {
    const slice = { engine: 'chatgpt', tag: 'pricing' };
    expect(other(slice, 'engine=perplexity')).to.deep.equal({ engine: 'perplexity', tag: 'pricing' });
    expect(other(slice, 'from=2026-11-01', 'to=2026-11-07')).to.deep.equal({
      ...slice,
      from: '2026-11-01',
      to: '2026-11-07',
    });
    expect(other(slice, 'engine=')).to.deep.equal({ tag: 'pricing' });
    expect(slice).to.deep.equal({ engine: 'chatgpt', tag: 'pricing' });
  });

  it('takes a value as it is, with commas and equals signs', () => {
    expect(other({}, 'engine=grok,gemini', 'tag=a=b')).to.deep.equal({ engine: 'grok,gemini', tag: 'a=b' });
  });

  for (const [changes, message] of [
    [['perplexity'], '--with perplexity: it takes NAME=VALUE.'],
    [
      ['engines=grok'],
      '--with: unknown name: engines. Known are from, to, engine, tag. Did you mean engine?',
    ],
    [['engine=a', 'engine=b'], '--with engine is given twice. Separate several values by commas.'],
    [['engine=chatgpt'], '--with engine=chatgpt is the same slice: there is nothing to compare.'],
    [['tag='], '--with tag= is the same slice: there is nothing to compare.'],
  ] as const)
    it(`refuses ${changes.join(' and ')}`, () => {
      expect(() => other({ engine: 'chatgpt' }, ...changes)).to.throw(message);
    });
});
