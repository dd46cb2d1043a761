import { expect } from 'chai';
import fc from 'fast-check';
import { nearestRank } from '../../../src/server/metrics/percentile.js';

const sample = fc
  .array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 300 })
  .map((values) => values.sort((a, b) => a - b));
const percent = fc.integer({ min: 1, max: 100 });

describe('percentile by nearest rank', () => {
  it('is the measured value at the index of the definition', () => {
    const five = [15, 20, 35, 40, 50];
    expect([5, 30, 40, 50, 100].map((p) => nearestRank(five, p))).to.deep.equal([15, 20, 20, 35, 50]);
    const ten = [3, 6, 7, 8, 8, 10, 13, 15, 16, 20];
    expect([25, 50, 75, 90, 100].map((p) => nearestRank(ten, p))).to.deep.equal([7, 8, 15, 16, 20]);
  });

  it('is the lower of two middle values, and the only one of one value', () => {
    expect(nearestRank([1, 2], 50)).to.equal(1);
    expect([1, 50, 90, 100].map((p) => nearestRank([7], p))).to.deep.equal([7, 7, 7, 7]);
  });

  it('is null for an empty sample', () => {
    expect(nearestRank([], 50)).to.equal(null);
  });

  it('has at least that share of values at or below it, and less below it', () => {
    fc.assert(
      fc.property(sample, percent, (values, p) => {
        const found = nearestRank(values, p)!;
        expect(values).to.include(found);
        const atOrBelow = values.filter((value) => value <= found).length;
        const below = values.filter((value) => value < found).length;
        expect(atOrBelow * 100).to.be.at.least(p * values.length);
        expect(below * 100).to.be.below(p * values.length);
      }),
    );
  });
});
