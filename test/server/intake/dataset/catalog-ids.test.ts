import { expect } from 'chai';
import fc from 'fast-check';
import { id as idSchema } from '../../../../src/server/base/fields.js';
import { derivedId, foldText, idsOf } from '../../../../src/server/intake/dataset/catalog-ids.js';

describe('the id of a text', () => {
  it('is its words, and has a hash where that loses something', () => {
    expect(derivedId('Which running shoes last longest?')).to.equal('which-running-shoes-last-longest');
    expect(derivedId('  which running SHOES last   longest')).to.equal('which-running-shoes-last-longest');
    expect(derivedId('C++')).to.match(/^c-[0-9a-f]{8}$/);
    expect(derivedId('C#'))
      .to.match(/^c-[0-9a-f]{8}$/)
      .and.not.to.equal(derivedId('C++'));
    expect(derivedId('走る靴')).to.match(/^[0-9a-f]{8}$/);
    expect(derivedId(`${'word '.repeat(30)}?`)).to.match(/^(word-)+[0-9a-f]{8}$/);
  });

  it('is one that the dataset format allows, and two different texts have two', () => {
    const some = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 90 })
      .filter((text) => /\S/.test(text));
    fc.assert(
      fc.property(some, some, (a, b) => {
        expect(idSchema.safeParse(derivedId(a)).success, derivedId(a)).to.equal(true);
        expect(derivedId(a) === derivedId(b)).to.equal(foldText(a) === foldText(b));
      }),
    );
  });
});

describe('the row of an entry', () => {
  const row = (id: string, text: string, isRetired = false) => ({ id, text, isRetired });
  const ids = (entries: readonly [text: string, ...was: string[]][], rows: ReturnType<typeof row>[]) =>
    idsOf(
      entries.map(([text, ...was]) => ({ text, was })),
      rows,
    );

  it('is found by its text in any case, then by an earlier text, the newest first', () => {
    const rows = [row('p1', 'Which shoes?'), row('p2', 'Which boots?'), row('p3', 'Which socks?')];
    expect(ids([['which shoes'], ['Which sandals?', 'Which socks?', 'Which boots?']], rows)).to.deep.equal([
      'p1',
      'p2',
    ]);
  });

  it('is the tracked one of two with one text', () => {
    expect(ids([['a']], [row('old', 'a', true), row('new', 'a')])).to.deep.equal(['new']);
    expect(ids([['b', 'a']], [row('b', 'b', true), row('a', 'a')])).to.deep.equal(['a']);
  });

  it('has its first text again, or is new with an id that no row has', () => {
    expect(ids([['shoes']], [row('shoes', 'boots')])).to.deep.equal(['shoes']);
    expect(ids([['boots'], ['shoes']], [row('shoes', 'boots')])).to.deep.equal(['shoes', 'shoes-2']);
    expect(ids([['boots', 'shoes']], [])).to.deep.equal(['shoes']);
  });
});
