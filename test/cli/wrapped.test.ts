import { expect } from 'chai';
import fc from 'fast-check';
import { wrapped } from '../../src/cli/wrapped.js';

describe('wrapped text', () => {
  const text = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 }).map((words) => words.join(' '));

  it('loses no word and fits, a longer word alone on its line', () => {
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
});
