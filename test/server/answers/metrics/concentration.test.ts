import { expect } from 'chai';
import fc from 'fast-check';
import { concentrationOf, type WeighedCell } from '../../../../src/server/answers/metrics/concentration.js';

const cell = (total: number, weight: number, verdict: WeighedCell['verdict'] = 'down'): WeighedCell => ({
  total,
  weight,
  verdict,
});

describe('the concentration of a change', () => {
  it('is 0 where every cell changed alike, however many have a verdict', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), (moved) => {
        const share = 1 / moved.length;
        const cells = moved.map((isMoved) => cell(-8 * share, share, isMoved ? 'down' : 'no_clear_change'));
        expect(concentrationOf(cells, 0, -8)).to.be.closeTo(0, 1e-9);
      }),
    );
  });

  it('is the part that a cell explains less its part of the answers', () => {
    expect(concentrationOf([cell(-6, 0.1), cell(-2, 0.9, 'no_clear_change')], 0, -8)).to.be.closeTo(
      0.65,
      1e-12,
    );
  });

  it('counts no cell against the change, and none without a verdict', () => {
    expect(concentrationOf([cell(3, 0.1, 'up'), cell(-8, 0.1, 'unknown')], 0, -8)).to.equal(0);
  });

  it('counts no more than the whole change', () => {
    expect(concentrationOf([cell(-20, 0.25)], 0, -8)).to.equal(0.75);
  });

  it('is more with one cell than with several that explain as much of as many answers', () => {
    const one = concentrationOf([cell(-8, 0.3)], 0, -8);
    expect(concentrationOf([cell(-4, 0.15), cell(-4, 0.15)], 0, -8)).to.be.lessThan(one);
  });

  it('is the part of what was asked, if that is more', () => {
    expect(concentrationOf([cell(-2, 0.1)], -6, -8)).to.equal(0.75);
    expect(concentrationOf([cell(-8, 0.1)], -2, -8)).to.be.closeTo(0.9, 1e-12);
    expect(concentrationOf([], 6, -8)).to.equal(0);
  });

  it('lies between 0 and 1', () => {
    const cells = fc.array(
      fc.record({
        total: fc.double({ min: -50, max: 50, noNaN: true }),
        weight: fc.double({ min: 0, max: 1, noNaN: true }),
        verdict: fc.constantFrom('up', 'down', 'no_clear_change', 'unknown', null),
      }),
      { maxLength: 12 },
    );
    const amount = fc.double({ min: -50, max: 50, noNaN: true });
    fc.assert(
      fc.property(
        cells,
        amount,
        amount.filter((difference) => Math.abs(difference) > 1e-6),
        (...args) => {
          expect(concentrationOf(...args)).to.be.within(0, 1);
        },
      ),
    );
  });
});
