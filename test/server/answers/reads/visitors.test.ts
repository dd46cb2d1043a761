import { expect } from 'chai';
import { fresh } from '../../../support/hooks.js';
import { padded, toolDatabase, upTo } from './support/tool-database.js';

const visits = (count: number, fields: object = {}) => ({
  type: 'visit_day',
  brand: 'b',
  date: '2026-11-20',
  path: '/',
  visits: count,
  ...fields,
});

describe('tool: get_visitor_stats', () => {
  const tools = fresh(toolDatabase);

  const read = () => tools.payload('visitor-stats');

  it('sums the window, with unknown origins in the totals but not in the lists', async () => {
    await tools.collect(
      visits(5),
      visits(3, { ai_source: 'chatgpt.com', country: 'DE' }),
      visits(2, { ai_source: 'chatgpt.com', date: '2026-11-14' }),
      visits(4, { country: 'DE', path: '/a' }),
      visits(100, { date: '2026-11-13', ai_source: 'claude.ai', country: 'US' }),
    );
    const { brand: _, ...stats } = await read();
    expect(stats).to.deep.equal({
      window_days: 7,
      connected: true,
      totals: { visits: 14, ai_referred: 5 },
      top_pages: [
        { path: '/', visits: 10, ai_referred: 5 },
        { path: '/a', visits: 4, ai_referred: 0 },
      ],
      ai_sources: [{ source: 'chatgpt.com', visits: 5 }],
      countries: [{ country: 'DE', visits: 7 }],
      note: null,
      notes: [],
    });
  });

  it('returns twenty rows of each list, ties sorted by code points', async () => {
    await tools.collect(
      ...upTo(21).map((at) =>
        visits(1, { path: `/${padded(at)}`, ai_source: `s${padded(at)}`, country: `c${padded(at)}` }),
      ),
      visits(1, { path: '/B', ai_source: 'B', country: 'B' }),
      visits(2, { path: '/z', ai_source: 'z', country: 'z' }),
    );
    const { totals, top_pages, ai_sources, countries } = await read();
    expect(totals).to.deep.equal({ visits: 24, ai_referred: 24 });
    expect([top_pages.length, ai_sources.length, countries.length]).to.deep.equal([20, 20, 20]);
    expect(top_pages.slice(0, 2).map(({ path }) => path)).to.deep.equal(['/z', '/0000']);
    expect(ai_sources.slice(0, 3).map(({ source }) => source)).to.deep.equal(['z', 'B', 's0000']);
    expect(countries.slice(0, 3).map(({ country }) => country)).to.deep.equal(['z', 'B', 'c0000']);
  });

  it('returns zeros for a snippet that stopped reporting, and notes that data may be missing', async () => {
    await tools.collect(visits(5, { date: '2026-11-01' }));
    const { connected, totals, note } = await read();
    expect([connected, totals]).to.deep.equal([true, { visits: 0, ai_referred: 0 }]);
    expect(note).to.match(/may be missing data/);
  });

  it('returns null totals for a snippet that never reported', async () => {
    await tools.collect();
    const { connected, totals, note } = await read();
    expect([connected, totals]).to.deep.equal([false, null]);
    expect(note).to.match(/not measured, not zero/);
  });
});
