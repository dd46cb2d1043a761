import { expect } from 'chai';
import { fresh } from '../../../support/hooks.js';
import { cites, on, padded, runOf, toolDatabase, upTo } from './support/tool-database.js';

const page = (url: string, fields: object = {}) => ({ type: 'tracked_page', brand: 'b', url, ...fields });
const rank = { provider: 'p', metric: 'm', value: 0, fetched_at: '2026-11-19T06:00:00Z' };

describe('tool: list_tracked_pages', () => {
  const tools = fresh(toolDatabase);

  const read = () => tools.payload('tracked-pages');

  it('counts the citations of a page over all time and all engines', async () => {
    const url = 'https://acme.com/a';
    await tools.collect(
      page(`${url}#x`, { title: 'A', added_at: '2026-11-01T00:00:00Z', ranks: [rank] }),
      runOf('old', { ...on('2025-01-02'), engine: 'llama', ...cites(url, `${url}?utm_source=x`) }),
      runOf('new', { ...on('2026-11-20'), ...cites(url) }),
    );
    expect((await read()).pages).to.deep.equal([
      {
        url,
        title: 'A',
        added_at: '2026-11-01T00:00:00.000Z',
        citations_total: 3,
        answers_total: 2,
        first_cited: '2025-01-02',
        last_cited: '2026-11-20',
        engines: ['chatgpt', 'llama'],
        ranks: [{ ...rank, fetched_at: '2026-11-19T06:00:00.000Z' }],
      },
    ]);
  });

  it('returns zero counts and null for the rest if a page was never cited and never ranked', async () => {
    await tools.collect(page('https://acme.com/a'), page('https://acme.com/b', { ranks: [] }), runOf('r'));
    const { pages, note } = await read();
    expect(pages[0]).to.deep.equal({
      url: 'https://acme.com/a',
      title: null,
      added_at: null,
      citations_total: 0,
      answers_total: 0,
      first_cited: null,
      last_cited: null,
      engines: [],
      ranks: null,
    });
    expect([pages[1]!.ranks, note]).to.deep.equal([[], null]);
  });

  it('sorts by citations over all time, then by url', async () => {
    const urls = ['https://acme.com/c', 'https://acme.com/B', 'https://acme.com/a'];
    await tools.collect(...urls.map((url) => page(url)), runOf('r', cites('https://acme.com/c')));
    expect((await read()).pages.map(({ url }) => url)).to.deep.equal(urls);
  });

  it('counts all pages before it applies the cap of 200, and notes the cap', async () => {
    const url = (at: number) => `https://acme.com/${padded(at)}`;
    await tools.collect(...upTo(203).map((at) => page(url(at))), runOf('r', cites(url(202))));
    const { total, pages, note } = await read();
    expect([total, pages.length]).to.deep.equal([203, 200]);
    expect(pages.slice(0, 2).map((row) => row.url)).to.deep.equal([url(202), url(0)]);
    expect(note).to.equal('These are the 200 most cited of 203 pages.');
  });

  it('notes that zeros are not measurements if nothing was ever collected', async () => {
    await tools.collect(page('https://acme.com/a'));
    expect((await read()).note).to.match(/No answer was ever collected/);
  });
});
