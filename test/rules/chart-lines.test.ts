import { expect } from 'chai';
import fc from 'fast-check';
import { CHART_COMPETITORS, COMPETITOR_LOOKS, chartLines } from '../../src/contract/chart-lines.js';

const seriesOf = (values: readonly (number | null)[]) =>
  values.map((window_value, at) => ({ id: `e${at}`, is_brand: at === 0, window_value }));
const looksOf = (values: readonly (number | null)[]) =>
  new Map(chartLines(seriesOf(values)).map(({ series, look }) => [series.id, look]));

const value = fc.option(fc.integer({ min: 0, max: 100 }));
/** The values of a brand and its competitors. */
const market = (length: number) => fc.array(value, { minLength: length, maxLength: length });

describe('rule: the lines of a chart', () => {
  it('are the brand and the strongest competitors, not the first ones', () => {
    expect(chartLines(seriesOf([1, 10, 60, null, 20, 40, 30])).map(({ series }) => series.id)).to.deep.equal([
      'e0',
      'e2',
      'e5',
      'e6',
      'e4',
    ]);
  });

  it('have the same colour in every window while there is one for each competitor', () => {
    const two = fc
      .integer({ min: 2, max: 1 + COMPETITOR_LOOKS })
      .chain((size) => fc.tuple(market(size), market(size)));
    fc.assert(
      fc.property(two, ([now, before]) => {
        const [a, b] = [looksOf(now), looksOf(before)];
        for (const [id, look] of a) if (b.has(id)) expect(b.get(id)).to.equal(look);
      }),
    );
  });

  it('never share a colour, and only the brand has that of the brand', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }).chain(market), (values) => {
        const looks = looksOf(values);
        expect(new Set(looks.values()).size).to.equal(looks.size);
        expect(looks.size).to.equal(Math.min(values.length, 1 + CHART_COMPETITORS));
        expect([...looks].filter(([, look]) => look === 0)).to.deep.equal([['e0', 0]]);
      }),
    );
  });
});
