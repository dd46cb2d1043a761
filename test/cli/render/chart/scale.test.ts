import { expect } from 'chai';
import fc from 'fast-check';
import { roundScale } from '../../../../src/cli/render/chart.js';

const bounds = { floor: 0, ceiling: 100, leastSpan: 10 };
const values = fc.array(
  fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
  { minLength: 1 },
);

describe('a round scale', () => {
  it('covers every value with at most six equally distant ticks inside the bounds', () => {
    fc.assert(
      fc.property(values, (given) => {
        const { ticks, digits } = roundScale(given, bounds);
        const [first, last] = [ticks[0]!, ticks.at(-1)!];
        expect(ticks.length).to.be.within(2, 6);
        expect(first)
          .to.be.at.most(Math.min(...given))
          .and.at.least(0);
        expect(last)
          .to.be.at.least(Math.max(...given))
          .and.at.most(100);
        const step = (last - first) / (ticks.length - 1);
        for (const [at, tick] of ticks.entries()) {
          expect(tick).to.be.closeTo(first + at * step, 1e-9);
          expect(Number(tick.toFixed(digits))).to.equal(tick);
        }
      }),
    );
  });

  it('has at least the minimum span, so that noise does not look like a trend', () => {
    const { ticks } = roundScale([50.1, 50.2], bounds);
    expect(ticks.at(-1)! - ticks[0]!).to.be.at.least(10);
  });

  it('has the finest step of 1, 2 or 5 that needs at most five steps', () => {
    expect(roundScale([12, 31], bounds)).to.deep.equal({ ticks: [10, 15, 20, 25, 30, 35], digits: 0 });
    expect(roundScale([0, 100], bounds).ticks).to.deep.equal([0, 20, 40, 60, 80, 100]);
    expect(roundScale([100], bounds).ticks).to.deep.equal([90, 92, 94, 96, 98, 100]);
    expect(roundScale([0], bounds).ticks).to.deep.equal([0, 2, 4, 6, 8, 10]);
  });

  it('has the decimals that its ticks need', () => {
    const narrow = { floor: 0, ceiling: 100, leastSpan: 0.5 };
    expect(roundScale([50, 50.5], narrow)).to.deep.equal({
      ticks: [50, 50.1, 50.2, 50.3, 50.4, 50.5],
      digits: 1,
    });
  });
});
