import { expect } from 'chai';
import { dataset, daysAgo, runAt, SCOPE } from '../fixtures.js';
import { expectedAds } from '../index.js';
import type { CapturedAd } from '../records.js';

function adAt(id: string, ago: number, ad: CapturedAd = { advertiser: 'Globex' }) {
  return runAt(id, ago, { ad });
}

describe('reference: ads', () => {
  it('never captured: no bounds, also for a custom range, and the requested days', () => {
    const range = { from: daysAgo(9), to: daysAgo(0) };
    for (const records of [dataset(), dataset(runAt('r', 0))]) {
      expect(expectedAds(records, SCOPE)).to.deep.include({
        window: { start: null, end: null, days: 7 },
        capture: { all_time_units: 0, first_captured_at: null, last_captured_at: null },
        engines_observable: ['chatgpt'],
        note: '(words)',
      });
      expect(expectedAds(records, SCOPE, range)!.window).to.deep.equal({ start: null, end: null, days: 10 });
    }
    expect(expectedAds(dataset(), { ...SCOPE, brand: 'x' })).to.equal(null);
  });

  it('presets end on the day of the newest unit, whatever the engine filter', () => {
    const records = dataset(runAt('r', 0), adAt('a', 10), adAt('b', 16), adAt('c', 17));
    const window = { start: daysAgo(16), end: daysAgo(10), days: 7 };
    expect(expectedAds(records, SCOPE)).to.deep.include({
      window,
      totals: { units: 2, advertisers: 1 },
      note: null,
    });
    const other = expectedAds(records, SCOPE, { engines: ['llama', 'aio'] });
    expect(other).to.deep.include({ window, engines: ['aio', 'llama'], ads: [], note: '(words)' });
    expect(other!.capture).to.include({
      all_time_units: 3,
      first_captured_at: `${daysAgo(17)}T12:00:00.000Z`,
    });
  });

  it('what is not stated is null, cards are empty, a host has neither port nor leading www', () => {
    const cards = [{ target_url: 'https://www.Rocket.dev:8443/a' }, { title: 'T', body: null }];
    const ad = { advertiser_url: 'https://Shop.globex.io/x', cards };
    const records = dataset(adAt('a', 0, ad), adAt('b', 1));
    const [first, second] = expectedAds(records, SCOPE)!.ads;
    expect(first).to.include({ advertiser: null, advertiser_domain: 'shop.globex.io', favicon_url: null });
    expect(first!.cards).to.deep.equal([
      { title: null, body: null, target_url: cards[0]!.target_url, domain: 'rocket.dev', image_url: null },
      { title: 'T', body: null, target_url: null, domain: null, image_url: null },
    ]);
    expect(second).to.deep.include({
      advertiser: 'Globex',
      advertiser_url: null,
      advertiser_domain: null,
      cards: [],
    });
  });

  it('200 units are shown newest first, all are counted, and the note states it', () => {
    const units = Array.from({ length: 203 }, (_, index) => adAt(`r${index}`, index % 7));
    const body = expectedAds(dataset(...units), SCOPE)!;
    expect(body.ads).to.have.length(200);
    expect(body).to.deep.include({ totals: { units: 203, advertisers: 1 }, note: '(words)' });
    expect(body.ads.map((ad) => ad.date)).to.deep.equal(
      body.ads
        .map((ad) => ad.date)
        .sort()
        .reverse(),
    );
  });

  it('a window from before capture began has a note, and so has one without a unit', () => {
    const records = dataset(adAt('a', 0));
    const noteOf = (from: string, to = daysAgo(0)) => expectedAds(records, SCOPE, { from, to })!.note;
    expect(noteOf('2026-06-30')).to.equal('(words)');
    expect(noteOf('2026-07-01')).to.equal(null);
    expect(noteOf(daysAgo(5), daysAgo(1))).to.equal('(words)');
  });
});
