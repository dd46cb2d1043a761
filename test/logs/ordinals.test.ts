import { expect } from 'chai';
import fc from 'fast-check';
import { Ordinals } from '../../src/logs/hit.js';

describe('the numbers of equal texts', () => {
  it('count the equal texts before, for any texts', () => {
    const text = fc.oneof(
      fc.constantFrom('', 'a', 'b', 'ab', 'ba', '\0', '\ud800'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 300 }), (texts) => {
        const ordinals = new Ordinals();
        const seen = new Map<string, number>();
        for (const each of texts) {
          const before = seen.get(each) ?? 0;
          seen.set(each, before + 1);
          expect(ordinals.next(each)).to.equal(before);
        }
      }),
    );
  });

  it('are correct for hundreds of thousands of lines that differ in one digit', () => {
    const ordinals = new Ordinals();
    const texts = Array.from(
      { length: 300_000 },
      (_, i) => `2026-11-20T08:00:00Z\x1f192.0.2.1\x1fGET\x1f/${i}`,
    );
    expect(texts.filter((text) => ordinals.next(text) !== 0)).to.deep.equal([]);
    expect(texts.filter((text) => ordinals.next(text) !== 1)).to.deep.equal([]);
  });
});
