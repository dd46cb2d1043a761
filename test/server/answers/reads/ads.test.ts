import { expect } from 'chai';
import type { Ads } from '../../../../src/contract/reads/ads.js';
import { fresh } from '../../../support/hooks.js';
import { at, marketServer, runOf } from './support/market-server.js';

const unit = (id: string, day: string, ad: object = { advertiser: 'Globex' }, time = '08:00:00') =>
  runOf(id, { ...at(day, time), ad });

describe('read: ads', () => {
  const server = fresh(marketServer);

  const ads = (query = '') => server.body<Ads>('ads', query);

  it('returns a unit as captured, with the hosts of its links', async () => {
    const cards = [
      { title: 'T', target_url: 'https://www.shop.globex.io:8443/x', image_url: 'https://i.example/1' },
      { body: 'B', target_url: 'mailto:a@b.example' },
    ];
    await server.collect(
      unit(
        'r',
        '2026-11-19',
        { advertiser: 'Globex', advertiser_url: 'https://WWW.Globex.io/a', cards },
        '23:59:59.25',
      ),
      unit('s', '2026-11-18', {}),
    );
    const { ads: units } = await ads();
    expect(units).to.deep.equal([
      {
        run_id: 'r',
        prompt_id: 'p',
        engine: 'chatgpt',
        captured_at: '2026-11-19T23:59:59.250Z',
        date: '2026-11-19',
        advertiser: 'Globex',
        advertiser_url: 'https://WWW.Globex.io/a',
        advertiser_domain: 'globex.io',
        favicon_url: null,
        cards: [
          {
            title: 'T',
            body: null,
            target_url: cards[0]!.target_url,
            domain: 'shop.globex.io',
            image_url: 'https://i.example/1',
          },
          { title: null, body: 'B', target_url: 'mailto:a@b.example', domain: null, image_url: null },
        ],
      },
      {
        run_id: 's',
        prompt_id: 'p',
        engine: 'chatgpt',
        captured_at: '2026-11-18T08:00:00.000Z',
        date: '2026-11-18',
        advertiser: null,
        advertiser_url: null,
        advertiser_domain: null,
        favicon_url: null,
        cards: [],
      },
    ]);
  });

  it('ends a preset on the day of the newest unit, with any filter', async () => {
    await server.collect(
      unit('a', '2026-10-10'),
      unit('b', '2026-10-03'),
      unit('c', '2026-10-04'),
      runOf('r'),
    );
    const week = { start: '2026-10-04', end: '2026-10-10', days: 7 };
    const body = await ads();
    expect(body.window).to.deep.equal(week);
    expect(body.ads.map(({ run_id }) => run_id)).to.deep.equal(['a', 'c']);
    expect(body.note).to.equal(null);
    const silent = await ads('&engine=llama,aio');
    expect(silent.window).to.deep.equal(week);
    expect([silent.engines, silent.engines_observable]).to.deep.equal([['aio', 'llama'], ['chatgpt']]);
    expect(silent.totals).to.deep.equal({ units: 0, advertisers: 0 });
    expect(silent.capture.all_time_units).to.equal(3);
    expect(silent.note).to.match(/No ad was captured in this window.*aio, llama do not state ads/);
  });

  it('uses a custom range unchanged, including both ends and future days', async () => {
    await server.collect(
      unit('a', '2026-11-01'),
      unit('b', '2026-11-03', {}, '23:59:59.999'),
      unit('c', '2026-11-04'),
    );
    const body = await ads('&from=2026-11-01&to=2026-11-03');
    expect(body.window).to.deep.equal({ start: '2026-11-01', end: '2026-11-03', days: 3 });
    expect(body.ads.map(({ run_id }) => run_id)).to.deep.equal(['b', 'a']);
    expect(body.totals).to.deep.equal({ units: 2, advertisers: 1 });
    expect(body.capture).to.deep.equal({
      all_time_units: 3,
      first_captured_at: '2026-11-01T08:00:00.000Z',
      last_captured_at: '2026-11-04T08:00:00.000Z',
    });
    expect((await ads('&from=2026-11-04&to=2027-01-01')).totals.units).to.equal(1);
  });

  it('counts before it applies the cap of 200, and notes the cap', async () => {
    await server.collect(
      ...Array.from({ length: 205 }, (_, i) => unit(`r${i}`, '2026-11-19', { advertiser: `A${i % 7}` })),
    );
    const body = await ads();
    expect([body.ads.length, body.totals.units, body.totals.advertisers]).to.deep.equal([200, 205, 7]);
    expect(body.ads.map(({ run_id }) => run_id)).to.deep.equal(
      Array.from({ length: 205 }, (_, i) => `r${i}`)
        .sort()
        .reverse()
        .slice(0, 200),
    );
    expect(body.note).to.equal('These are the newest 200 of 205 units.');
  });

  it('has a window without bounds for a brand without ads, also for a custom range', async () => {
    await server.collect(runOf('r'));
    const never = { all_time_units: 0, first_captured_at: null, last_captured_at: null };
    for (const [query, days] of [
      ['', 7],
      ['&days=28', 28],
      ['&from=2026-11-01&to=2026-11-03', 3],
    ] as const) {
      const body = await ads(query);
      expect(body.window).to.deep.equal({ start: null, end: null, days });
      expect(body.capture).to.deep.equal(never);
      expect(body.note).to.match(/^No ad was ever captured/);
    }
  });

  it('notes that capture had not begun if the window begins before July 2026', async () => {
    await server.collect(unit('a', '2026-07-02'));
    expect((await ads()).note).to.match(/Structured capture began on 2026-07-01/);
    expect((await ads('&from=2026-07-01&to=2026-07-02')).note).to.equal(null);
  });
});
