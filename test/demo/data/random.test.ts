import { expect } from 'chai';
import fc from 'fast-check';
import { randomOf } from '../../../src/demo/data/random.js';

describe('the seeded choices', () => {
  it('are the same for the same words', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(randomOf(...words).next()).to.equal(randomOf(...words).next());
      }),
    );
  });

  it('stay within the bounds, including both', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: -50, max: 50 }), fc.nat(20), (word, low, width) => {
        expect(randomOf(word).integer(low, low + width)).to.be.within(low, low + width);
      }),
    );
  });

  it('draw a sample without repeated items, and all items if more are requested', () => {
    fc.assert(
      fc.property(fc.string(), fc.uniqueArray(fc.integer()), fc.nat(12), (word, items, count) => {
        const drawn = randomOf(word).sample(items, count, () => 1);
        expect(new Set(drawn).size).to.equal(Math.min(count, items.length));
        expect(drawn.every((item) => items.includes(item))).to.equal(true);
      }),
    );
  });

  it('never draw an item of weight 0, and draw the others in proportion to their weights', () => {
    const random = randomOf('weights');
    const drawn = Array.from({ length: 10_000 }, () => random.weighted([0, 1, 3], (weight) => weight));
    expect(drawn.includes(0)).to.equal(false);
    expect(drawn.filter((item) => item === 3).length / drawn.length).to.be.closeTo(0.75, 0.02);
  });

  it('differ for words that differ in one letter', () => {
    const values = Array.from({ length: 1000 }, (_, i) => randomOf('run', `2026-11-${i}`).next());
    expect(new Set(values).size).to.equal(1000);
    expect(values.reduce((sum, value) => sum + value, 0) / 1000).to.be.closeTo(0.5, 0.03);
  });
});
