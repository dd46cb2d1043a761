import { expect } from 'chai';
import fc from 'fast-check';
import { folded, mentionsOf } from '../../../src/collect/extraction/mentions.js';
import { type ClaimedName, claimedNames } from '../../../src/collect/extraction/reply.js';

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
