import { expect } from 'chai';
import fc from 'fast-check';
import { AnswerText, folded, type Place } from '../../../src/collect/extraction/mentions.js';

const WORD = /[\p{L}\p{N}\p{M}_]/u;
const WITHOUT_BREAKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The simple definition: the first place, by trying each. */
function firstPlace(answer: string, name: string, isTracked: boolean): Place | null {
  const text = folded(answer);
  const lower = text.toLowerCase();
  const wanted = folded(name).toLowerCase();
  const needsCapital = isTracked && text !== lower && text.length === lower.length && wanted !== folded(name);
  for (let start = 0; wanted !== '' && start + wanted.length <= lower.length; start++) {
    const end = start + wanted.length;
    if (lower.slice(start, end) !== wanted) continue;
    const [before, first] = [last(lower.slice(0, start)), [...lower.slice(start)][0]!];
    const [final, after] = [last(lower.slice(0, end))!, [...lower.slice(end)][0]];
    if (!separate(first, before) || !separate(final, after) || after === '+' || after === '#') continue;
    const written = text.slice(start, end);
    if (!needsCapital || written !== written.toLowerCase()) return { start, end };
  }
  return null;
}

const last = (text: string): string | undefined =>
  /[\udc00-\udfff]$/.test(text) && text.length > 1 ? text.slice(-2) : text.at(-1);

const separate = (inner: string, outer: string | undefined): boolean =>
  outer === undefined ||
  !WORD.test(outer) ||
  !WORD.test(inner) ||
  WITHOUT_BREAKS.test(outer) ||
  (WITHOUT_BREAKS.test(inner) && !/\p{M}/u.test(outer));

describe('names and spans in a text', () => {
  const word = fc.constantFrom(
    ...['Nike', 'nike', 'NIKE', 'Air', 'air Nike', 'C', 'C++', 'C#', 'a', 'aa', 'ß', 'İ', 'é', 'e\u0301'],
    ...['耐克', '克', '나이키는', '😀', '\ud83d', '\ude00', '\u0301', '.', ',', '_', '.NET', ' ', '\n', ''],
  );
  const text = fc
    .array(fc.tuple(word, fc.constantFrom('', ' ')), { maxLength: 25 })
    .map((parts) => parts.flat().join(''));
  const names = fc.array(fc.oneof(word, text, fc.string({ maxLength: 3 })), { maxLength: 12 });

  it('are found where the simple definition finds them', () => {
    const property = fc.property(text, names, (answer, wanted) => {
      const prepared = new AnswerText(answer);
      const simple = (isTracked: boolean) => wanted.map((name) => firstPlace(answer, name, isTracked));
      expect(prepared.find(wanted)).to.deep.equal(simple(false));
      expect(prepared.findTracked(wanted)).to.deep.equal(simple(true));
      const occurs = wanted.map((span) => folded(span) !== '' && folded(answer).includes(folded(span)));
      expect(prepared.has(wanted)).to.deep.equal(occurs);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  const hostile: Readonly<Record<string, (length: number) => [text: string, names: string[]]>> = {
    'one letter, and names of it': (length) => ['a'.repeat(length), nested('a')],
    'one word, and names of it': (length) => ['a '.repeat(length / 2), nested('a ')],
    'words that begin with a name': (length) => ['xa '.repeat(length / 3), nested('a x')],
    'names that nearly occur': (length) => ['a'.repeat(length), nested('a').map((name) => `${name}b${name}`)],
  };
  const nested = (part: string) => Array.from({ length: 1000 }, (_, at) => part.repeat(at + 1).trim());

  for (const [which, of] of Object.entries(hostile)) {
    it(`${which}: twice the text takes twice the steps, and names do not multiply them`, () => {
      const stepsOf = (length: number) => {
        const [answer, wanted] = of(length);
        const prepared = new AnswerText(answer);
        prepared.find(wanted);
        prepared.findTracked(wanted.slice(0, 200));
        prepared.has(wanted);
        return prepared.steps;
      };
      const [once, twice] = [stepsOf(12_000), stepsOf(24_000)];
      expect(twice / once).to.be.at.most(2.2);
      // Of 1,000 names the longest that is looked for has 200 characters.
      expect(twice).to.be.at.most(24_000 * 420);
    });
  }

  it('letters with thousands of marks are compared as they are', () => {
    const marks = '\u0301\u0323'.repeat(100_000);
    expect(folded(`a${marks}`)).to.equal(`a${marks}`);
    expect(folded('e\u0301')).to.equal('é');
  });
});
