import { expect } from 'chai';
import { reads } from '../../../src/contract/registry.js';
import { padded, type ToolDatabase, toolDatabase, upTo } from './support/tool-database.js';

const page = (path: string, status: number, fields: object = {}) => ({
  type: 'site_page',
  brand: 'b',
  url: `https://acme.com/${path}`,
  status,
  checked_at: '2026-11-19T03:00:00Z',
  ...fields,
});

describe('tool: get_site_health', () => {
  let tools: ToolDatabase;
  beforeEach(async () => {
    tools = await toolDatabase();
  });
  afterEach(() => tools.close());

  const read = () => tools.payload('site-health');

  it('requires the Growth plan, with its own name in the message', () => {
    const { plan, planSubject } = reads['site-health'];
    expect([plan, planSubject]).to.deep.equal(['growth', 'Site health']);
  });

  it('counts bot walls separately from healthy pages and errors', async () => {
    await tools.collect(
      page('a', 200, { checked_at: '2026-11-19T03:00:01Z' }),
      page('b', 299),
      page('c', 301),
      page('d', 400),
      page('e', 599),
      page('f', 403, { bot_wall: true }),
      page('g', 200, { bot_wall: true }),
      page('h', 199),
      page('i', 399),
    );
    const { checked_at, pages, ok_pages, error_pages, bot_walls } = await read();
    expect({ checked_at, pages, ok_pages, error_pages, bot_walls }).to.deep.equal({
      checked_at: '2026-11-19T03:00:01.000Z',
      pages: 9,
      ok_pages: 2,
      error_pages: 2,
      bot_walls: 2,
    });
  });

  it('computes times only over measured pages, by nearest rank', async () => {
    await tools.collect(
      ...upTo(10).map((at) => page(padded(at), 200, { ttfb_ms: (10 - at) * 10.5 })),
      page('untimed', 503),
    );
    const { measured_pages, ttfb_ms } = await read();
    expect(measured_pages).to.equal(10);
    expect(ttfb_ms).to.deep.equal({ p50: 52.5, p90: 94.5, max: 105 });
  });

  it('lists the ten slowest pages with any status, ties sorted by url', async () => {
    await tools.collect(
      page('b', 200, { ttfb_ms: 500 }),
      page('a', 503, { ttfb_ms: 500 }),
      page('B', 403, { ttfb_ms: 500, bot_wall: true }),
      page('z', 200, { ttfb_ms: 501 }),
      ...upTo(9).map((at) => page(padded(at), 200, { ttfb_ms: 0 })),
    );
    const { slowest } = await read();
    expect(slowest).to.have.length(10);
    expect(slowest.slice(0, 5)).to.deep.equal([
      { url: 'https://acme.com/z', status: 200, ttfb_ms: 501 },
      { url: 'https://acme.com/B', status: 403, ttfb_ms: 500 },
      { url: 'https://acme.com/a', status: 503, ttfb_ms: 500 },
      { url: 'https://acme.com/b', status: 200, ttfb_ms: 500 },
      { url: 'https://acme.com/0000', status: 200, ttfb_ms: 0 },
    ]);
  });

  it('returns no times, with a note, if no page was timed', async () => {
    await tools.collect(page('a', 200));
    const { pages, measured_pages, ttfb_ms, slowest, note } = await read();
    expect({ pages, measured_pages, ttfb_ms, slowest }).to.deep.equal({
      pages: 1,
      measured_pages: 0,
      ttfb_ms: null,
      slowest: [],
    });
    expect(note).to.match(/not measured, not zero/);
  });

  it('returns null for every count, with a note, if the site was never crawled', async () => {
    await tools.collect();
    const { brand: _, note, slowest, ...counts } = await read();
    expect([...new Set(Object.values(counts))]).to.deep.equal([null]);
    expect(slowest).to.deep.equal([]);
    expect(note).to.match(/never crawled/);
  });
});
