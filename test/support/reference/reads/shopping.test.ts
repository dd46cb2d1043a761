import { expect } from 'chai';
import { dataset, daysAgo, runAt, SCOPE } from '../fixtures.js';
import { expectedShopping, expectedShoppingTrend, OPEN } from '../index.js';
import type { CapturedPlacement } from '../records.js';
import { priceOf } from './prices.js';

function carousel(...placements: (Partial<CapturedPlacement> & { slot: number })[]) {
  return { placements: placements.map((placement) => ({ product: 'Widget', ...placement })) };
}

describe('reference: shopping', () => {
  it('a brand never collected is unknown; one without carousels has zeros, nulls and a note', () => {
    expect(expectedShopping(dataset(), SCOPE)).to.equal(null);
    expect(expectedShoppingTrend(dataset(), SCOPE)).to.equal(null);
    const shelf = { carousels: [carousel({ slot: 1 })] };
    const stale = dataset(
      runAt('r', 7, shelf),
      runAt('q', 1, { engine: 'gemini' }),
      runAt('s', 0, { carousels: [] }),
    );
    const body = expectedShopping(stale, SCOPE)!;
    expect(body).to.deep.include({
      totals: { carousels: 0, products: 0, own_appearances: 0, own_avg_position: null },
      products: [],
      note: '(words)',
    });
    expect(body.channel_coverage.map((row) => [row.engine, row.sampled, row.carousels])).to.deep.equal([
      ['chatgpt', true, 0],
      ['aio', false, null],
      ['aimode', false, null],
      ['copilot', false, null],
      ['perplexity', false, null],
      ['gemini', true, null],
    ]);
  });

  it('products are distinguished by folded name and merchant, and have the values of the newest run', () => {
    const own = 'https://www.Own.example:8443/w';
    const old = carousel(
      { slot: 1, url: own, price: 'old' },
      { slot: 2 },
      { slot: 3, url: 'https://notown.example/' },
    );
    const late = carousel(
      { slot: 4, product: ' WIDGET', url: own, price: 'worse' },
      { slot: 3, product: 'wid', url: own },
    );
    const alike = carousel({
      slot: 3,
      product: 'widget',
      url: own,
      is_own: false,
      currency: 'USD',
      price_amount: 5,
    });
    const records = dataset(runAt('r', 1, { carousels: [old] }), runAt('q', 0, { carousels: [late, alike] }));
    const { totals, products } = expectedShopping(records, SCOPE)!;
    expect(totals).to.deep.equal({ carousels: 3, products: 4, own_appearances: 3, own_avg_position: 8 / 3 });
    expect(products.map((row) => [row.product, row.merchant_domain, row.appearances])).to.deep.equal([
      ['widget', 'own.example', 3],
      ['Widget', null, 1],
      ['Widget', 'notown.example', 1],
      ['wid', 'own.example', 1],
    ]);
    expect(products[0]).to.deep.include({ price: null, price_amount: 5, currency: 'USD', is_own: false });
    expect(products[0]).to.include({
      carousels_featuring: 3,
      win_rate: 1 / 3,
      visibility_share: 1,
      avg_position: 8 / 3,
    });
    expect(products.map((row) => row.is_own)).to.deep.equal([false, false, false, true]);
  });

  it('strength goes before appearances, those before the mean slot, that before the name', () => {
    const names = (...placements: [string, number][]) =>
      carousel(...placements.map(([product, slot]) => ({ product, slot })));
    const records = dataset(
      runAt('r', 0, {
        carousels: [names(['twice', 3], ['b', 2]), names(['twice', 3], ['a', 2], ['once', 1])],
      }),
    );
    const rows = expectedShopping(records, SCOPE)!.products.map((row) => row.product);
    expect(rows).to.deep.equal(['twice', 'once', 'a', 'b']);
  });

  it('two carousels of one run that show a product in one slot leave open which values it takes', () => {
    const carousels = [carousel({ slot: 1, price: 'a' }), carousel({ slot: 1, price: 'b' })];
    const [row] = expectedShopping(dataset(runAt('r', 0, { carousels })), SCOPE)!.products;
    expect(row).to.include({ price: OPEN, product: 'Widget', url: null, appearances: 2 });
  });

  it('a price is read where its reading is fixed and left open where it is not', () => {
    const read = (fields: Partial<CapturedPlacement>) => {
      const { price_amount, currency } = priceOf({ slot: 1, product: 'w', ...fields });
      return [price_amount, currency];
    };
    for (const price of ['1.299,00', '1,299.00', '$1,299.00'])
      expect(read({ price })).to.deep.equal([1299, null]);
    for (const price of [null, 'call for price']) expect(read({ price })).to.deep.equal([null, null]);
    for (const price of ['1,299', '€ 12.99', 'US$ 5', '$1.299'])
      expect(read({ price })).to.deep.equal([OPEN, OPEN]);
    expect(read({ price: '1.299,00', currency: 'EUR' })).to.deep.equal([1299, 'EUR']);
    expect(read({ price: '$1,299.00', price_amount: 0 })).to.deep.equal([0, null]);
    expect(read({ currency: 'EUR' })).to.deep.equal([null, OPEN]);
  });
});

describe('reference: shopping trend', () => {
  it('has a point per day with carousels, oldest first, and own shares of that day only', () => {
    const own = { url: 'https://shop.own.example/' };
    const records = dataset(
      runAt('r', 0, {
        carousels: [carousel({ slot: 1 }), carousel({ slot: 1, is_own: true }, { slot: 4, ...own })],
      }),
      runAt('q', 6, { carousels: [carousel({ slot: 2, ...own, is_own: false })] }),
      runAt('s', 3),
    );
    const { days_observed, trend, note } = expectedShoppingTrend(records, SCOPE)!;
    expect([days_observed, note]).to.deep.equal([2, null]);
    expect(trend).to.deep.equal([
      { date: daysAgo(6), carousels: 1, own_carousel_share: 0, own_win_share: 0, own_avg_position: null },
      { date: daysAgo(0), carousels: 2, own_carousel_share: 0.5, own_win_share: 0.5, own_avg_position: 2.5 },
    ]);
  });

  it('one observed day is a snapshot, and the note states it', () => {
    const records = dataset(runAt('r', 0, { carousels: [carousel({ slot: 1 })] }));
    expect(expectedShoppingTrend(records, SCOPE)).to.include({ days_observed: 1, note: '(words)' });
  });
});
