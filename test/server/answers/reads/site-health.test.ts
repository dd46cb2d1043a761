import { expect } from 'chai';
import fc from 'fast-check';
import { reads } from '../../../../src/contract/registry.js';
import { nearestRank } from '../../../../src/server/answers/reads/site-health.js';
import { fresh } from '../../../support/hooks.js';
import { padded, toolDatabase, upTo } from './support/tool-database.js';

const page = (path: string, status: number, fields: object = {}) => ({
  type: 'site_page',
  brand: 'b',
  url: `https://acme.com/${path}`,
  status,
  checked_at: '2026-11-19T03:00:00Z',
  ...fields,
});

describe('tool: get_site_health', () => {
  const tools = fresh(toolDatabase);

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
    const { brand: _, note, notes: __, slowest, ...counts } = await read();
    expect([...new Set(Object.values(counts))]).to.deep.equal([null]);
    expect(slowest).to.deep.equal([]);
    expect(note).to.match(/never crawled/);
  });
});

const sample = fc
  .array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 300 })
  .map((values) => values.sort((a, b) => a - b));
const percent = fc.integer({ min: 1, max: 100 });

describe('percentile by nearest rank', () => {
  it('is the measured value at the index of the definition', () => {
    const five = [15, 20, 35, 40, 50];
    expect([5, 30, 40, 50, 100].map((p) => nearestRank(five, p))).to.deep.equal([15, 20, 20, 35, 50]);
    const ten = [3, 6, 7, 8, 8, 10, 13, 15, 16, 20];
    expect([25, 50, 75, 90, 100].map((p) => nearestRank(ten, p))).to.deep.equal([7, 8, 15, 16, 20]);
  });

  it('is the lower of two middle values, and the only one of one value', () => {
    expect(nearestRank([1, 2], 50)).to.equal(1);
    expect([1, 50, 90, 100].map((p) => nearestRank([7], p))).to.deep.equal([7, 7, 7, 7]);
  });

  it('is null for an empty sample', () => {
    expect(nearestRank([], 50)).to.equal(null);
  });

  it('has at least that share of values at or below it, and less below it', () => {
    fc.assert(
      fc.property(sample, percent, (values, p) => {
        const found = nearestRank(values, p)!;
        expect(values).to.include(found);
        const atOrBelow = values.filter((value) => value <= found).length;
        const below = values.filter((value) => value < found).length;
        expect(atOrBelow * 100).to.be.at.least(p * values.length);
        expect(below * 100).to.be.below(p * values.length);
      }),
    );
  });
});
