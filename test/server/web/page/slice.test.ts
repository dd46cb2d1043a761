import { expect } from 'chai';
import {
  chipsOf,
  FILTER_LIMITS,
  missingIn,
  paramsFor,
  queryOf,
  sliceOf,
  withFilter,
} from '../../../../src/server/web/page/slice.js';

const TODAY = '2026-11-20';
const of = (query: Record<string, string | string[]>) => sliceOf(query, TODAY);

describe('the slice of a page', () => {
  it('is a window and filters, in one order whatever the order of the address', () => {
    const slice = of({ days: '7', engine: ['perplexity', 'chatgpt'], tag: 'b,a', region: ['us', '', 'de'] });
    expect(slice).to.deep.equal({
      days: 7,
      from: '2026-11-14',
      to: TODAY,
      isWindowGiven: true,
      engine: ['chatgpt', 'perplexity'],
      tag: ['a', 'b'],
      region: ['de', 'us'],
    });
    expect(of({ tag: ['a', 'b'], region: 'de,us', engine: 'chatgpt,perplexity', days: '7' })).to.deep.equal(
      slice,
    );
  });

  it('comes back from the query of a link; a window that the page chose stays open', () => {
    for (const query of [
      { days: '14', engine: 'chatgpt,grok', prompt: 'p1', topic: 't', tag: 'a,b', region: 'us' },
      { from: '2026-11-01', to: '2026-11-05', tag: 'x & y' },
      { tag: 'a' },
      {},
    ]) {
      const texts = Object.entries(queryOf(of(query))).map(([name, value]) => [name, String(value)]);
      expect(Object.fromEntries(texts)).to.deep.equal(query);
    }
  });

  it('has a chip for each value of a filter, with the slice that is left without it', () => {
    const slice = of({ days: '7', engine: 'chatgpt,grok', tag: 'a' });
    expect(
      chipsOf(slice).map(({ filter, value, without }) => [filter, value, queryOf(without)]),
    ).to.deep.equal([
      ['engine', 'chatgpt', { days: 7, engine: 'grok', tag: 'a' }],
      ['engine', 'grok', { days: 7, engine: 'chatgpt', tag: 'a' }],
      ['tag', 'a', { days: 7, engine: 'chatgpt,grok' }],
    ]);
    expect(queryOf(withFilter(slice, 'tag', ['b']))).to.deep.equal({
      days: 7,
      engine: 'chatgpt,grok',
      tag: 'b',
    });
  });

  it('becomes the parameters that a read has; the others are missing in it', () => {
    const slice = of({ days: '7', engine: 'chatgpt', tag: 'a', region: 'us' });
    const days = { from: '2026-11-14', to: TODAY };
    expect(paramsFor('overview', slice)).to.deep.equal({
      ...days,
      engine: 'chatgpt',
      tag: 'a',
      region: 'us',
    });
    expect(paramsFor('sentiment', slice)).to.deep.equal({ ...days, engine: 'chatgpt' });
    expect(paramsFor('fact-check', slice)).to.deep.equal({});
    expect(missingIn('overview', slice)).to.deep.equal([]);
    expect(missingIn('sentiment', slice)).to.deep.equal(['tag', 'region']);
    expect(missingIn('content-coverage', slice)).to.deep.equal(['engine', 'tag', 'region']);
  });

  it('refuses more and longer values than the page takes', () => {
    const { values, length } = FILTER_LIMITS;
    const many = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`).join(',');
    expect(of({ tag: many(values) }).tag).to.have.length(values);
    expect(of({ tag: 'x'.repeat(length) }).tag).to.have.length(1);
    expect(() => of({ tag: many(values + 1) })).to.throw(
      `tag has ${values + 1} values. Give at most ${values}.`,
    );
    expect(() => of({ tag: 'x'.repeat(length + 1) })).to.throw(`has ${length + 1} characters`);
  });
});
