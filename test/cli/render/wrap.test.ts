import { expect } from 'chai';
import fc from 'fast-check';
import { fitted, widthOf, wrapped } from '../../../src/cli/render/terminal.js';

describe('a wrapped text', () => {
  const text = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 }).map((words) => words.join(' '));

  it('loses no word and fits, with a longer word on its own line', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (given, width) => {
        const lines = wrapped(given, width);
        expect(lines.join(' ')).to.equal(given);
        for (const line of lines) expect(line.length <= width || !line.includes(' ')).to.equal(true);
      }),
    );
  });

  it('is one line without a width', () => {
    expect(wrapped('a b c', undefined)).to.deep.equal(['a b c']);
  });

  it('loses no letter and fits any width of two or more if words are broken', () => {
    const words = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'ß', '珈', '☕', 'é', '-'), minLength: 1 }),
    );
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 40 }), (given, width) => {
        const lines = fitted(given.join(' '), width);
        for (const line of lines) expect(widthOf(line)).to.be.at.most(width);
        expect(lines.join('').replaceAll(' ', '')).to.equal(given.join(''));
      }),
    );
  });
});
