import { expect } from 'chai';
import fc from 'fast-check';
import { stepsOf } from '../../../../src/server/dataset/rollups/rebuild.js';
import { addDays } from '../../../../src/server/days.js';

const days = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => addDays('2026-01-01', at)).reverse();
/** Steps of days that have so many runs each, as numbers of days. */
const sizes = (count: number, runs: number): number[] =>
  stepsOf(days(count), new Map(days(count).map((day) => [day, runs]))).map(({ length }) => length);

describe('steps of a rebuild', () => {
  it('have a day of a brand with many runs', () => {
    expect(sizes(3, 50_000)).to.deep.equal([1, 1, 1]);
    expect(sizes(7, 4000)).to.deep.equal([2, 2, 2, 1]);
  });

  it('have at most 10,000 runs or one day, whatever the days have', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { maxLength: 60 }), (counts) => {
        const all = days(counts.length);
        const runsOf = new Map(all.map((day, at) => [day, counts[at]!]));
        for (const step of stepsOf(all, runsOf)) {
          const runs = step.reduce((sum, day) => sum + runsOf.get(day)!, 0);
          expect(step.length === 1 || runs <= 10_000).to.equal(true);
        }
      }),
    );
  });

  it('have as many days as have 10,000 runs together', () => {
    expect(sizes(100, 250)).to.deep.equal([40, 40, 20]);
    expect(sizes(365, 1)).to.deep.equal([365]);
  });

  it('have every day once, sorted, those without runs too', () => {
    const found = stepsOf(days(30), new Map([['2026-01-05', 20_000]]));
    expect(found.flat()).to.deep.equal(days(30).reverse());
    expect(stepsOf([], new Map())).to.deep.equal([]);
  });
});
