import { expect } from 'chai';
import fc from 'fast-check';
import { round } from '../../../src/server/metrics/rounding.js';

describe('rounding', () => {
  it('rounds half up at the given digits', () => {
    expect(round(31.25, 1)).to.equal(31.3);
    expect(round(0.4375, 3)).to.equal(0.438);
    expect(round(62.5, 0)).to.equal(63);
    expect(round(33.333333, 1)).to.equal(33.3);
    expect(round(0, 3)).to.equal(0);
  });

  it('keeps null and 0', () => {
    expect(round(null, 1)).to.equal(null);
    expect(round(0, 1)).to.equal(0);
  });

  it('changes a value by at most half a unit, keeps the order, and is idempotent', () => {
    const value = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(value, value, fc.constantFrom(0, 1, 3), (a, b, digits) => {
        const rounded = round(a, digits);
        expect(Math.abs(rounded - a)).to.be.at.most(0.5 / 10 ** digits + 1e-9);
        expect(round(rounded, digits)).to.equal(rounded);
        if (a <= b) expect(rounded).to.be.at.most(round(b, digits));
      }),
    );
  });
});
