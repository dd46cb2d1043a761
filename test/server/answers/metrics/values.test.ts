import { expect } from 'chai';
import fc from 'fast-check';
import { deltaOf, differenceOf, round, roundedValue } from '../../../../src/server/answers/metrics/values.js';

describe('metric: a history', () => {
  const score = fc.double({ min: 0, max: 100, noNaN: true });
  const fraction = fc.double({ min: 0, max: 1, noNaN: true });

  it('states a change in the unit of its metric', () => {
    expect(deltaOf('visibility', 33.34, 30)).to.equal(11.1);
    expect(deltaOf('share_of_voice_fraction', 0.5, 0.25)).to.equal(0.25);
    expect(deltaOf('citation_share', 0.1, 0.3)).to.equal(-0.2);
    expect(deltaOf('sentiment_index', 40, 62.5)).to.equal(-22.5);
  });

  it('has no change without a current value, or relative to zero', () => {
    expect(deltaOf('visibility', null, 3)).to.equal(null);
    expect(deltaOf('sentiment_index', null, 50)).to.equal(null);
    expect(deltaOf('visibility', 3, 0)).to.equal(null);
    expect(deltaOf('citation_share', 0.25, 0)).to.equal(0.25);
  });

  it('states a difference in the unit of the metric, also from zero', () => {
    expect(differenceOf('visibility', 33.34, 30)).to.equal(3.3);
    expect(differenceOf('visibility', 3, 0)).to.equal(3);
    expect(differenceOf('citation_share', 0.1, 0.3)).to.equal(-0.2);
    expect(differenceOf('presence_rate', 0.0274, 0)).to.equal(0.027);
    expect(differenceOf('sentiment_index', 40, 62.5)).to.equal(-22.5);
    expect(differenceOf('visibility', null, 3)).to.equal(null);
    expect(differenceOf('visibility', 3, null)).to.equal(null);
  });

  it('rounds a fall like a rise, and states no change as 0', () => {
    fc.assert(
      fc.property(fraction, fraction, (a, b) => {
        const [there, back] = [deltaOf('citation_share', a, b)!, deltaOf('citation_share', b, a)!];
        expect(there + back).to.equal(0);
      }),
    );
    fc.assert(
      fc.property(score, (value) => {
        expect(deltaOf('sentiment_index', value, value)).to.equal(0);
        expect(Object.is(differenceOf('visibility', value, value), 0)).to.equal(true);
      }),
    );
  });

  it('rounds scores to 0.1 and fractions to 0.001, and keeps null', () => {
    expect(roundedValue('visibility', 12.345)).to.equal(12.3);
    expect(roundedValue('sentiment_index', 66.66)).to.equal(66.7);
    expect(roundedValue('citation_share', 1 / 3)).to.equal(0.333);
    expect(roundedValue('share_of_voice_fraction', null)).to.equal(null);
  });
});

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
