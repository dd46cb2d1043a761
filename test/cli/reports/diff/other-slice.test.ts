import { expect } from 'chai';
import { otherSlice } from '../../../../src/cli/reports/diff.js';

const NAMES = ['from', 'to', 'engine', 'tag'];
const other = (slice: object, ...changes: string[]) => otherSlice({ ...slice }, changes, NAMES);

describe('the slice of svc diff --with', () => {
  it('is the first one with the named parameters changed, added or removed', () => {
    const slice = { engine: 'chatgpt', tag: 'pricing' };
    expect(other(slice, 'engine=perplexity')).to.deep.equal({ engine: 'perplexity', tag: 'pricing' });
    expect(other(slice, 'from=2026-11-01', 'to=2026-11-07')).to.deep.equal({
      ...slice,
      from: '2026-11-01',
      to: '2026-11-07',
    });
    expect(other(slice, 'engine=')).to.deep.equal({ tag: 'pricing' });
    expect(slice).to.deep.equal({ engine: 'chatgpt', tag: 'pricing' });
  });

  it('takes a value as it is, with commas and equals signs', () => {
    expect(other({}, 'engine=grok,gemini', 'tag=a=b')).to.deep.equal({ engine: 'grok,gemini', tag: 'a=b' });
  });

  for (const [changes, message] of [
    [['perplexity'], '--with perplexity: it takes NAME=VALUE.'],
    [
      ['engines=grok'],
      '--with: unknown name: engines. Known are from, to, engine, tag. Did you mean engine?',
    ],
    [['engine=a', 'engine=b'], '--with engine is given twice. Separate several values by commas.'],
    [['engine=chatgpt'], '--with engine=chatgpt is the same slice: there is nothing to compare.'],
    [['tag='], '--with tag= is the same slice: there is nothing to compare.'],
  ] as const)
    it(`refuses ${changes.join(' and ')}`, () => {
      expect(() => other({ engine: 'chatgpt' }, ...changes)).to.throw(message);
    });
});
