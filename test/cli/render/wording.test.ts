import { expect } from 'chai';
import { headingLines, headingOf } from '../../../src/cli/render/wording.js';
import { brand, sliced } from '../support/fixtures.js';

describe('a heading', () => {
  const { window } = sliced({});
  const days = '2026-11-01 to 2026-11-14 UTC, 14 days';
  const heading = (more: object = {}) => headingLines({ brand, ...sliced({}), ...more });
  const filters = (chosen: Parameters<typeof sliced>[0]) => heading(sliced(chosen))[1];

  it('names the brand and the window, then engines, prompts, topics, tags and regions', () => {
    expect(heading()).to.deep.equal([`Fernweh Coffee · ${days}`, 'all engines with web search']);
    expect(filters({ engines: ['chatgpt'], tags: ['pricing'] })).to.equal('ChatGPT, tag pricing');
    const all = {
      engines: ['chatgpt', 'aio', 'bing'],
      prompts: ['p01', 'p02'],
      topics: ['buying'],
      regions: ['us', 'de'],
    };
    expect(filters(all)).to.equal(
      'ChatGPT, AI Overviews, bing, prompt p01 or p02, topic buying, region us or de',
    );
    expect(headingLines({ brand, window, engines: ['grok'] }, 'Sentiment')).to.deep.equal([
      `Sentiment · Fernweh Coffee · ${days}`,
      'Grok',
    ]);
  });

  it('names the days with answers where a window begins earlier or ends later, but for its last day', () => {
    const measured = (first_day: string, last_day: string) =>
      heading({ measured: { first_day, last_day } })[0].replace(`Fernweh Coffee · ${days}`, '');
    expect(measured('2026-11-01', '2026-11-13')).to.equal('');
    expect(measured('2026-11-02', '2026-11-14')).to.equal(', measured from 2026-11-02 on');
    expect(measured('2026-11-01', '2026-11-12')).to.equal(', measured to 2026-11-12');
    expect(measured('2026-11-03', '2026-11-03')).to.equal(', measured from 2026-11-03 to 2026-11-03');
    expect(heading({ measured: null })[0]).to.equal(`Fernweh Coffee · ${days}`);
  });

  it('is above a table and in Markdown, without the control characters of a value', () => {
    const lines = heading(sliced({ tags: ['a\u001b[2Jb*'] }));
    expect(headingOf('table', lines))
      .to.match(/^Fernweh.*\nall engines.*, tag a.*b\*\n\n$/)
      .and.not.contain('\u001b');
    expect(headingOf('md', lines)).to.match(/^\*\*Fernweh .*\*\*\n\nall .*tag a.*b\\\*\n\n$/);
    for (const format of ['tsv', 'json', 'ndjson', 'csv'] as const)
      expect(headingOf(format, lines)).to.equal('');
  });
});
