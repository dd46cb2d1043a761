import { expect } from 'chai';
import { headingOf, runsWords, sliceWords } from '../../../src/cli/render/wording.js';
import { sliced } from '../support/fixtures.js';

describe('a slice in words', () => {
  const { window } = sliced({});
  const without = { window, slice: null };

  it('names engines, prompts, topics, tags, regions and days', () => {
    expect(sliceWords(sliced({ engines: ['chatgpt'], tags: ['pricing'] }))).to.equal(
      'ChatGPT, tag pricing, 2026-11-01 to 2026-11-14 (UTC)',
    );
    const all = {
      engines: ['chatgpt', 'aio', 'bing'],
      prompts: ['p01', 'p02'],
      topics: ['buying'],
      regions: ['us', 'de'],
    };
    expect(sliceWords(sliced(all))).to.equal(
      'ChatGPT or AI Overviews or bing, prompt p01 or p02, topic buying, region us or de, 2026-11-01 to 2026-11-14 (UTC)',
    );
  });

  it('names the days with answers where a window begins earlier or ends later, but for its last day', () => {
    const days = '2026-11-01 to 2026-11-14 (UTC)';
    const measured = (first_day: string, last_day: string) =>
      sliceWords({ ...sliced({}), measured: { first_day, last_day } });
    expect(measured('2026-11-01', '2026-11-13')).to.equal(days);
    expect(measured('2026-11-02', '2026-11-14')).to.equal(`${days}, measured from 2026-11-02 on`);
    expect(measured('2026-11-01', '2026-11-12')).to.equal(`${days}, measured to 2026-11-12`);
    expect(measured('2026-11-03', '2026-11-03')).to.equal(`${days}, measured from 2026-11-03 to 2026-11-03`);
    expect(sliceWords({ ...sliced({}), measured: null })).to.equal(days);
  });

  it('names a single day once', () => {
    const day = { start: '2026-11-01', end: '2026-11-01', days: 1 };
    expect(sliceWords({ ...sliced({}), window: day, measured: null })).to.equal('2026-11-01 (UTC)');
  });

  it('is nothing without a slice, and for a server that states none', () => {
    expect(sliceWords(without)).to.equal(null);
    expect(sliceWords({})).to.equal(null);
    expect(runsWords(without)).to.equal('all engines with web search, 2026-11-01 to 2026-11-14 (UTC)');
  });

  it('is a line above a table and in Markdown, without the control characters of a value', () => {
    const words = sliceWords(sliced({ tags: ['a\u001b[2Jb*'] }));
    expect(headingOf('table', words))
      .to.match(/^tag a.*b\*, .*\(UTC\)\n\n$/)
      .and.not.contain('\u001b');
    expect(headingOf('md', words)).to.match(/^\*\*tag .*b\\\*, .*\*\*\n\n$/);
    for (const format of ['tsv', 'json', 'ndjson', 'csv'] as const)
      expect(headingOf(format, words)).to.equal('');
    expect(headingOf('table', null)).to.equal('');
  });
});
