import { expect } from 'chai';
import { EXCERPT_LENGTH } from '../../../../src/contract/reads/answers.js';
import { excerptOf } from '../../../../src/server/answers/reads/answer-spans.js';
import { fresh } from '../../../support/hooks.js';
import { runOf, toolDatabase } from './support/tool-database.js';

const read = {
  answer: 'Acme, then BETA labs.\nAcme again.',
  mentions: [
    { name: 'Acme', order: 1, sentiment: 'positive', evidence: 'Acme' },
    { name: 'Beta  Labs', order: 2 },
    { name: 'Gamma', order: 3 },
  ],
  citations: [{ url: 'https://b.example/x?utm_source=y', title: 'B' }, { url: 'https://a.example/' }],
  fanouts: ['second', 'first'],
};

describe('read: answer', () => {
  const tools = fresh(toolDatabase);

  const answer = (id: string) => tools.payload('answer', 'b', undefined, { run_id: id });

  it('has the row of answers, the text, and what was captured with it', async () => {
    await tools.collect(runOf('r', read), runOf('other', {}));
    const { answers } = await tools.payload('answers');
    const { answer: whole, note } = await answer('r');
    const { citations, collected_at, prompt, surface, text, spans, searches, ...row } = whole;
    expect(row).to.deep.equal((({ citations: _, ...rest }) => rest)(answers.find(({ id }) => id === 'r')!));
    expect([note, text, surface, prompt]).to.deep.equal([null, read.answer, null, 'best crm?']);
    expect(collected_at).to.equal('2026-11-20T08:00:00.000Z');
    expect(citations).to.deep.equal([
      { domain: 'b.example', url: 'https://b.example/x', title: 'B', position: 1 },
      { domain: 'a.example', url: 'https://a.example/', title: null, position: 2 },
    ]);
    expect(searches).to.deep.equal(read.fanouts);
    expect(
      spans.map(({ start, end, ...rest }) => ({ ...rest, text: text!.slice(start, end) })),
    ).to.deep.equal([
      { text: 'Acme', name: 'Acme', entity: 'b', is_brand: true, sentiment: 'positive' },
      { text: 'BETA labs', name: 'Beta  Labs', entity: null, is_brand: false, sentiment: null },
      { text: 'Acme', name: 'Acme', entity: 'b', is_brand: true, sentiment: 'positive' },
    ]);
  });

  it('states whose name a mention is, by alias too', async () => {
    await tools.collect(
      { type: 'competitor', id: 'd', brand: 'b', name: 'Delta', aliases: ['Beta labs'] },
      runOf('r', read),
    );
    const { answers } = await tools.payload('answers');
    const whole = await answer('r');
    for (const { mentions } of [answers[0]!, whole.answer])
      expect(mentions.map(({ entity }) => entity)).to.deep.equal(['b', 'd', null]);
    expect(whole.answer.spans.map(({ entity }) => entity)).to.deep.equal(['b', 'd', 'b']);
  });

  it('has null for a text that was not collected, and says so', async () => {
    await tools.collect(runOf('r', { ...read, answer: undefined }));
    const { answer: whole, note } = await answer('r');
    expect([whole.text, whole.excerpt, whole.spans]).to.deep.equal([null, null, []]);
    expect(note).to.match(/^The text of this answer was not collected/);
  });

  it('returns an empty text as an empty text', async () => {
    await tools.collect(runOf('r', { answer: '', mentions: [] }));
    const { answer: whole, note } = await answer('r');
    expect([whole.text, whole.excerpt, note]).to.deep.equal(['', '', null]);
  });

  it('states the surface where the run does', async () => {
    await tools.collect(runOf('r', { surface: 'ui' }));
    expect((await answer('r')).answer.surface).to.equal('ui');
  });

  it('returns a text of a megabyte whole, and its excerpt', async () => {
    const long = `${'word '.repeat(210_000)}Acme wins`;
    await tools.collect(runOf('r', { ...read, answer: long }));
    const { answer: whole } = await answer('r');
    expect(whole.text).to.equal(long);
    expect(whole.excerpt).to.match(/Acme wins$/);
  });

  it('is refused with one message for every run that the brand does not have', async () => {
    await tools.collect(runOf('r', read));
    for (const id of ['R', 'r ', '', 'x\u0000', 'other']) {
      const error = await answer(id).then(
        () => null,
        ({ refusal }) => refusal,
      );
      expect([error.status, error.message, error.code], id).to.deep.equal([
        404,
        'Unknown run',
        'unknown_run',
      ]);
    }
  });
});

describe('excerpt of an answer', () => {
  const filler = 'lorem ipsum '.repeat(60);

  it('is the text where that is short', () => {
    expect(excerptOf(' Acme \n is good. ', ['Acme'], [true])).to.equal('Acme \n is good.');
  });

  it('has the first mention of the brand, else the first name, else the beginning', () => {
    const text = `${filler}Beta and ${filler}Acme and ${filler}`;
    const names = ['Acme', 'Beta'];
    expect(excerptOf(text, names, [true, false])).to.match(/Acme/);
    expect(excerptOf(text, names, [false, false]))
      .to.match(/Beta/)
      .and.not.match(/Acme/);
    expect(excerptOf(text, ['Gamma'], [true])).to.match(/^lorem ipsum lorem/);
  });

  it('finds a brand that is named late, though others are named early', () => {
    const text = `Beta ${filler.repeat(20)}Acme`;
    expect(excerptOf(text, ['Beta', 'Acme'], [false, true])).to.match(/Acme$/);
  });

  it('is a part of the text with at most 240 code points, and cuts no word', () => {
    for (const unit of ['lorem ', '😀😀 ', '東京の', 'x-']) {
      const text = `${unit.repeat(400)}Acme ${unit.repeat(400)}`;
      const excerpt = excerptOf(text, ['Acme'], [true])!;
      expect([...excerpt].length, unit).to.be.within(150, EXCERPT_LENGTH);
      expect(text.includes(excerpt) && excerpt.includes('Acme'), unit).to.equal(true);
      if (unit === 'lorem ') expect(excerpt).to.match(/^lorem .* lorem$/s);
    }
  });
});
