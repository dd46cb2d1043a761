import { expect } from 'chai';
import fc from 'fast-check';
import { claimedNames } from '../../../../src/collect/extraction/reply.js';
import {
  AnswerText,
  type ClaimedName,
  folded,
  mentionsOf,
  type Place,
} from '../../../../src/server/intake/dataset/mentions.js';

const TRACKED = [['Fleetfoot', 'Fleet Foot'], ['Stride'], ['Notion']];
const claim = (name: string, tone: ClaimedName['tone'] = null, evidence: string | null = null) => ({
  name,
  tone,
  evidence,
});
const namesIn = (answer: string, claimed: ClaimedName[] | null = null, tracked = TRACKED) =>
  mentionsOf(answer, claimed, tracked).mentions.map(({ name }) => name);

describe('names in an answer', () => {
  it('are ordered by their first place in the text, tracked or not, whatever the model says', () => {
    const found = mentionsOf('Try Acme, then Stride, then Bolt.', [claim('Bolt'), claim('Acme')], TRACKED);
    expect(found.mentions).to.deep.equal([
      { name: 'Acme', order: 1 },
      { name: 'Stride', order: 2 },
      { name: 'Bolt', order: 3 },
    ]);
    expect(found.addedNames).to.equal(1);
  });

  it('that do not occur are left out and counted, and so are spans with their tones', () => {
    const claimed = [
      claim('Ghost', 'positive', 'Ghost is great'),
      claim('Stride', 'negative', 'Stride falls apart'),
      claim('Acme', 'positive', 'Acme  is\nfine'),
    ];
    const found = mentionsOf('Acme is fine. Stride is there.', claimed, TRACKED);
    expect(found.mentions).to.deep.equal([
      { name: 'Acme', order: 1, sentiment: 'positive', evidence: 'Acme  is\nfine' },
      { name: 'Stride', order: 2 },
    ]);
    expect([found.inventedNames, found.inventedSpans]).to.deep.equal([1, 2]);
  });

  it('are whole words, in scripts with and without spaces', () => {
    expect(namesIn('Strides and Fleetfooted')).to.deep.equal([]);
    expect(namesIn('Stride’s best, Fleetfoot-like.')).to.deep.equal(['Stride', 'Fleetfoot']);
    expect(namesIn('おすすめはStrideの靴です', null, [['Stride']])).to.deep.equal(['Stride']);
    expect(namesIn('나이키는 좋다', null, [['나이키']])).to.deep.equal(['나이키']);
    expect(namesIn('我喜欢耐克鞋', null, [['耐克']])).to.deep.equal(['耐克']);
    expect(namesIn('Use C++ or C.', null, [['C++'], ['C']])).to.deep.equal(['C++', 'C']);
  });

  it('that are ordinary words need a capital, unless the model listed them or the text has none', () => {
    expect(namesIn('I have no notion of it.')).to.deep.equal([]);
    expect(namesIn('Notion works.')).to.deep.equal(['Notion']);
    expect(namesIn('NOTION works.')).to.deep.equal(['Notion']);
    expect(namesIn('try notion, it works')).to.deep.equal(['Notion']);
    expect(namesIn('Try notion.', [claim('notion')])).to.deep.equal(['notion']);
  });

  it('of one tracked entity are one mention, at the first of its names, with the tone that the model gave any', () => {
    const claimed = [claim('Fleetfoot', 'positive', 'Fleetfoot wins')];
    expect(mentionsOf('Fleet Foot, in short: Fleetfoot wins.', claimed, TRACKED).mentions).to.deep.equal([
      { name: 'Fleet Foot', order: 1, sentiment: 'positive', evidence: 'Fleetfoot wins' },
    ]);
  });

  it('a tone that is missing, or another word, is absent and never neutral', () => {
    const reply = { mentions: [{ name: 'Stride', sentiment: 'mixed', evidence: 3 }, { name: 'Acme' }] };
    const found = mentionsOf('Stride, Acme', claimedNames(JSON.stringify(reply)), TRACKED);
    expect(found.mentions).to.deep.equal([
      { name: 'Stride', order: 1 },
      { name: 'Acme', order: 2 },
    ]);
  });

  it('a reply of another shape counts as no reply', () => {
    for (const reply of ['', 'no', '[]', '{"mentions":{}}', '{"mentions":[{"nome":"x"}]}', 'null'])
      expect(claimedNames(reply), reply).to.equal(null);
    expect(claimedNames('```json\n{"mentions":[]}\n```')).to.deep.equal([]);
    expect(claimedNames('<think>hm</think>{"mentions":[]}')).to.deep.equal([]);
  });

  it('whatever a model claims: orders count from 1, names and spans occur, no tone without a claim', () => {
    const word = fc.constantFrom(
      'Fleetfoot',
      'Stride',
      'Acme',
      'notion',
      'ß',
      'İstanbul',
      '耐克',
      '\u0301',
      '😀',
      'a',
      ' ',
      '\n',
      '.',
    );
    const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
    const name = fc.oneof(word, text, fc.string());
    const claims = fc.array(
      fc.record({
        name,
        tone: fc.constantFrom('positive' as const, 'neutral' as const, 'negative' as const, null),
        evidence: fc.option(name),
      }),
      { maxLength: 10 },
    );
    const property = fc.property(text, fc.option(claims), (answer, claimed) => {
      const { mentions } = mentionsOf(answer, claimed, TRACKED);
      expect(mentions.map(({ order }) => order)).to.deep.equal(mentions.map((_, at) => at + 1));
      for (const mention of mentions) {
        expect(folded(answer).toLowerCase()).to.include(folded(mention.name).toLowerCase());
        if (mention.evidence != null) expect(folded(answer)).to.include(folded(mention.evidence));
        if (mention.evidence != null) expect(mention.sentiment).to.be.a('string');
        if (claimed === null) expect(mention.sentiment).to.equal(undefined);
      }
      const places = mentions.map(({ name: each }) =>
        folded(answer).toLowerCase().indexOf(folded(each).toLowerCase()),
      );
      expect(places.every((place) => place >= 0)).to.equal(true);
    });
    fc.assert(property, { numRuns: 500 });
  });
});

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
    fc.assert(property, { numRuns: 800 });
  });

  const hostile: Readonly<Record<string, (length: number) => [text: string, names: string[]]>> = {
    'one letter, and names of it': (length) => ['a'.repeat(length), nested('a')],
    'one word, and names of it': (length) => ['a '.repeat(length / 2), nested('a ')],
    'words that begin with a name': (length) => ['xa '.repeat(length / 3), nested('a x')],
    'names that nearly occur': (length) => ['a'.repeat(length), nested('a').map((name) => `${name}b${name}`)],
  };
  const nested = (part: string) => Array.from({ length: 300 }, (_, at) => part.repeat(at + 1).trim());

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
      const [once, twice] = [stepsOf(4000), stepsOf(8000)];
      expect(twice / once).to.be.at.most(2.2);
      // Of 300 names the longest that is looked for has 200 characters.
      expect(twice).to.be.at.most(8000 * 420);
    });
  }

  it('letters with thousands of marks are compared as they are', () => {
    const marks = '\u0301\u0323'.repeat(100_000);
    expect(folded(`a${marks}`)).to.equal(`a${marks}`);
    expect(folded('e\u0301')).to.equal('é');
  });
});
