import { expect } from 'chai';
import fc from 'fast-check';
import { excerptOf, spansOf } from '../../../../src/server/answers/reads/answer-spans.js';
import { excerptAround } from '../../../support/reference/names-in-texts.js';

/** The text and the number of each name found, in the words of the text. */
const marked = (text: string, names: readonly string[]) => {
  const points = [...text];
  return spansOf(text, names).map(({ start, end, name }) => [points.slice(start, end).join(''), name]);
};

describe('spans of an answer', () => {
  it('are whole words in any case, with white space folded', () => {
    expect(marked('Torvello, TORVELLO’s torvellos _torvello Torvello', ['torvello'])).to.deep.equal([
      ['Torvello', 0],
      ['TORVELLO', 0],
      ['Torvello', 0],
    ]);
    expect(marked('by Acme \n Labs.', [' acme  labs '])).to.deep.equal([['Acme \n Labs', 0]]);
  });

  it('are found in any form of Unicode, and count code points', () => {
    const text = '😀 Cafe\u0301 and Caf\u00e9';
    expect(spansOf(text, ['CAF\u00c9'])).to.deep.equal([
      { start: 2, end: 7, name: 0 },
      { start: 12, end: 16, name: 0 },
    ]);
  });

  it('do not cut a letter from its marks', () => {
    expect(marked('Cafe\u0301', ['cafe', 'caf'])).to.deep.equal([]);
  });

  it('do not cut a Hangul syllable, and find it in any form', () => {
    const [whole, apart] = ['한글', '한글'.normalize('NFD')];
    for (const text of [whole, apart]) {
      expect(marked(text, ['하', '\u11ab', '\u1112'])).to.deep.equal([]);
      for (const name of [whole, apart]) expect(marked(`${text}이`, [name])).to.deep.equal([[text, 0]]);
    }
  });

  it('are the same for both small sigmas', () => {
    const text = 'ΠΆΠΥΡΟΣ, Πάπυρος';
    for (const name of ['Πάπυρος', 'ΠΆΠΥΡΟΣ']) expect(marked(text, [name])).to.have.length(2);
  });

  it('begin and end inside words of scripts without spaces', () => {
    expect(marked('東京のAcmeは速い。トルヴェロの', ['acme', 'トルヴェロ'])).to.deep.equal([
      ['Acme', 0],
      ['トルヴェロ', 1],
    ]);
  });

  it('take the longest name first, and a shorter one where it still fits', () => {
    expect(marked('a b c d', ['a b', 'b c d', 'a'])).to.deep.equal([
      ['a', 2],
      ['b c d', 1],
    ]);
  });

  it('are none for names that are not there, blank or empty, and in an empty text', () => {
    expect(marked('nothing', ['', ' ', 'x'])).to.deep.equal([]);
    expect(marked('', ['x'])).to.deep.equal([]);
  });

  const letters = fc.constantFrom('a', 'B', 'é', 'e\u0301', ' ', '  ', '-', '_', '1', '東', 'ß', '😀');
  const texts = (maxLength: number) => fc.array(letters, { maxLength }).map((all) => all.join(''));

  it('equal those of a plain search name by name', () => {
    fc.assert(
      fc.property(texts(40), fc.array(texts(4), { maxLength: 5 }), (text, names) => {
        expect(spansOf(text, names)).to.deep.equal(plainSpans(text, names));
      }),
      { numRuns: 500 },
    );
  });
});

/** Code points as units without case, decomposed, with their marks and runs of white space together. */
function unitsOf(text: string) {
  const units: { text: string; start: number; end: number; isWord: boolean }[] = [];
  let at = 0;
  for (const point of text) {
    const last = units.at(-1);
    const joins =
      last && ((/\p{M}/u.test(point) && last.text !== ' ') || (/\s/u.test(point) && last.text === ' '));
    const folded = /\s/u.test(point) ? ' ' : point.toLowerCase().normalize('NFD');
    if (joins) Object.assign(last, { text: last.text === ' ' ? ' ' : last.text + folded, end: at + 1 });
    else units.push({ text: folded, start: at, end: at + 1, isWord: /[\p{L}\p{N}\p{M}_]/u.test(point) });
    at++;
  }
  return units;
}

function plainSpans(text: string, names: readonly string[]) {
  const units = unitsOf(text);
  const wanted = names.map((name) => unitsOf(name.trim()).map((unit) => unit.text));
  const key = (name: readonly string[]) => name.join('');
  const places = wanted.flatMap((name, number) =>
    key(name) === '' || wanted.findIndex((other) => key(other) === key(name)) < number
      ? []
      : units.flatMap((_, from) => {
          const found = units.slice(from, from + name.length);
          const isSame = key(found.map((unit) => unit.text)) === key(name) && found.length === name.length;
          const before = units[from - 1];
          const after = units[from + name.length];
          type Unit = (typeof units)[number];
          const joins = (a?: Unit, b?: Unit) => a?.isWord && b?.isWord && !/東/.test(a.text + b.text);
          const isWhole = !joins(before, found[0]) && !joins(found.at(-1), after);
          return isSame && isWhole ? [{ found, number, length: key(name).length }] : [];
        }),
  );
  places.sort((a, b) => b.length - a.length || a.found[0]!.start - b.found[0]!.start);
  const taken = new Set<object>();
  const kept = places.filter(({ found }) => {
    const isFree = found.every((unit) => !taken.has(unit));
    if (isFree) for (const unit of found) taken.add(unit);
    return isFree;
  });
  return kept
    .map(({ found, number }) => ({ start: found[0]!.start, end: found.at(-1)!.end, name: number }))
    .sort((a, b) => a.start - b.start);
}

describe('the mention of an excerpt', () => {
  it('is found among ten thousand names without a search of the text for each of them', () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `name${at}`);
    const text = `${'nam lorem '.repeat(10_000)}NAME9999 ipsum`;
    const whole = spansOf(text, names);
    expect(whole).to.have.length(1);
    const { indexOf } = String.prototype;
    let searches = 0;
    String.prototype.indexOf = function (...given) {
      searches++;
      return indexOf.apply(this, given);
    };
    try {
      const excerpt = excerptOf(text, names, Array(names.length).fill(false));
      expect(excerpt).to.equal(excerptAround(text, whole[0]));
    } finally {
      String.prototype.indexOf = indexOf;
    }
    expect(searches).to.be.lessThan(1000);
  });

  it('is none that is part of a longer name behind the place that is looked at', () => {
    const text = `Acme Labs Beta Labs\nAcme Labs Beta ${'lorem '.repeat(60)}Acme `;
    const names = ['Acme Labs', 'Labs Beta', 'Acme'];
    const own = spansOf(text, names).find(({ name }) => name === 2);
    expect(own!.start).to.equal(text.lastIndexOf('Acme'));
    expect(excerptOf(text, names, [false, false, true])).to.equal(excerptAround(text, own));
  });

  it('is the first one of the whole text, in any text', () => {
    const word = fc.constantFrom(
      ...[
        'Acme',
        'ACME',
        'acmes',
        'Acme Labs',
        'Beta',
        'Cafe\u0301',
        'Caf\u00e9',
        '東京',
        'x',
        '_Acme',
        '\u212aeta',
        '\u0130',
      ],
      ...['lorem', 'ipsum dolor', '\n', '😀', '.', ',', 'acme acme', 'Labs', 'Beta Labs', '’s'],
    );
    const text = fc
      .array(fc.tuple(word, fc.constantFrom(' ', ' ', '  ', '\n', ' lorem '.repeat(30))), { maxLength: 40 })
      .map((parts) => parts.flat().join(''));
    const names = fc.shuffledSubarray(['Acme', 'Acme Labs', 'Labs Beta', 'Beta', 'CAF\u00c9', '東京']);
    fc.assert(
      fc.property(text, names, fc.integer({ min: 0, max: 5 }), fc.nat(3000), (whole, given, own, cut) => {
        const isBrand = given.map((_, at) => at === own);
        const spans = spansOf(whole, given);
        const first = spans.find(({ name }) => isBrand[name]) ?? spans[0];
        const expected = excerptAround(whole, first);
        expect(excerptOf(whole, given, isBrand)).to.equal(expected);
        // A beginning has the same excerpt, or none.
        const beginning = [...whole].slice(0, cut).join('');
        if (beginning.length < whole.length)
          expect(excerptOf(beginning, given, isBrand, false)).to.be.oneOf([null, expected]);
      }),
      { numRuns: 3000 },
    );
  });
});
