import { expect } from 'chai';
import type { Product, Shopping } from '../../../../src/contract/reads/shopping.js';
import { fresh } from '../../../support/hooks.js';
import { at, marketServer, runOf } from './support/market-server.js';

interface Placed {
  slot: number;
  product: string;
  [field: string]: unknown;
}
const carousels = (...each: Placed[][]) => ({ carousels: each.map((placements) => ({ placements })) });
const place = (slot: number, product: string, more: object = {}): Placed => ({ slot, product, ...more });

describe('read: shopping', () => {
  const server = fresh(marketServer);

  const shopping = () => server.body<Shopping>('shopping');
  const product = async (name: string): Promise<Product> => {
    const found = (await shopping()).products.filter((row) => row.product === name);
    expect(found, name).to.have.lengthOf(1);
    return found[0]!;
  };

  it('counts placements, carousels, wins and slots', async () => {
    await server.collect(
      runOf('a', carousels([place(1, 'X'), place(3, 'X'), place(2, 'Y')], [place(4, 'X')])),
      runOf('b', { ...at('2026-11-14'), engine: 'aio', ...carousels([place(1, 'Y')]) }),
      runOf('c', { ...at('2026-11-13'), ...carousels([place(1, 'X')]) }),
    );
    const { totals, products, note } = await shopping();
    expect(totals).to.deep.equal({ carousels: 3, products: 2, own_appearances: 0, own_avg_position: null });
    const facts = products.map((row) => [
      row.product,
      row.appearances,
      row.carousels_featuring,
      row.win_rate,
      row.visibility_share,
      row.avg_position,
    ]);
    expect(facts).to.deep.equal([
      ['X', 3, 2, 1 / 3, 2 / 3, 8 / 3],
      ['Y', 2, 2, 1 / 2, 2 / 3, 3 / 2],
    ]);
    expect(note).to.equal(null);
  });

  it('groups names without regard to case and white space, and separates merchants', async () => {
    await server.collect(
      runOf(
        'a',
        carousels([
          place(1, 'Élan  Pro', { url: 'https://www.shop.example/1' }),
          place(2, 'élan pro', { url: 'http://SHOP.example:80/2' }),
        ]),
      ),
      runOf('b', carousels([place(1, ' ÉLAN PRO '), place(2, 'Élan Pro', { url: 'mailto:a@shop.example' })])),
    );
    const { totals, products } = await shopping();
    expect(totals.products).to.equal(2);
    expect(products.map((row) => [row.merchant_domain, row.appearances])).to.have.deep.members([
      ['shop.example', 2],
      [null, 2],
    ]);
  });

  it('returns the values of the newest run, and there of the lowest slot', async () => {
    const price = (text: string) => ({ price: text });
    await server.collect(
      runOf('a', { ...at('2026-11-19', '23:00:00'), ...carousels([place(1, 'x', price('1'))]) }),
      runOf('b', {
        ...at('2026-11-20', '01:00:00'),
        ...carousels([place(5, 'X', price('5'))], [place(2, 'X ', price('2')), place(9, 'X', price('9'))]),
      }),
      runOf('a2', { ...at('2026-11-20', '01:00:00'), ...carousels([place(1, 'X', price('3'))]) }),
    );
    expect(await product('X ')).to.include({ price: '2', price_amount: 2, appearances: 5 });
  });

  it('returns prices as sent, and parses the text if no amount was stated', async () => {
    await server.collect(
      runOf(
        'a',
        carousels([
          place(1, 'stated', { price: '$ 1', price_amount: 0.3, currency: 'EUR' }),
          place(2, 'read', { price: '1.299,00 €', merchant: 'Shop' }),
          place(3, 'bare', { price: '$1,299.00' }),
          place(4, 'ambiguous', { price: '1.299 €' }),
          place(5, 'amount only', { price_amount: 5, currency: 'USD' }),
          place(6, 'nothing'),
        ]),
      ),
    );
    const prices = (await shopping()).products.map((row) => [
      row.product,
      row.price,
      row.price_amount,
      row.currency,
      row.merchant,
    ]);
    expect(prices).to.deep.equal([
      ['stated', '$ 1', 0.3, 'EUR', null],
      ['read', '1.299,00 €', 1299, 'EUR', 'Shop'],
      ['bare', '$1,299.00', 1299, null, null],
      ['ambiguous', '1.299 €', null, null, null],
      ['amount only', null, 5, 'USD', null],
      ['nothing', null, null, null, null],
    ]);
  });

  it('recognises own products as captured, else by the host of the link', async () => {
    await server.collect(
      runOf(
        'a',
        carousels([
          place(1, 'said', { is_own: true, url: 'https://shop.example/' }),
          place(2, 'denied', { is_own: false, url: 'https://acme.com/' }),
          place(3, 'sub', { url: 'https://eu.acme.com/' }),
          place(4, 'alike', { url: 'https://notacme.com/' }),
          place(5, 'linkless'),
        ]),
      ),
    );
    const { products, totals, note } = await shopping();
    expect(products.map((row) => row.is_own)).to.deep.equal([true, false, true, false, false]);
    expect(totals).to.include({ own_appearances: 2, own_avg_position: 2 });
    expect(note).to.equal(null);
    await server.load([{ type: 'brand', id: 'b', workspace: 'w', name: 'Acme', domain: 'notacme.com' }]);
    expect((await shopping()).products.map((row) => row.is_own)).to.deep.equal([
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  it('sorts by discounted slots, then appearances, mean slot, name and merchant, and returns 30', async () => {
    const link = (host: string) => ({ url: `https://${host}/` });
    await server.collect(
      runOf(
        'a',
        carousels(
          [
            place(1, 'tie', link('b.example')),
            place(1, 'tie', link('a.example')),
            place(1, 'Tie B'),
            place(1, 'Z'),
          ],
          [place(3, 'halves'), place(3, 'halves'), place(2, 'low')],
          Array.from({ length: 40 }, (_, i) => place(20, `p${String(i).padStart(2, '0')}`)),
        ),
      ),
    );
    const { products, totals } = await shopping();
    expect(totals.products).to.equal(46);
    expect(products).to.have.lengthOf(30);
    const names = products.map((row) => `${row.product} ${row.merchant_domain ?? ''}`.trim());
    expect(names.slice(0, 8)).to.deep.equal([
      'halves',
      'Tie B',
      'Z',
      'tie a.example',
      'tie b.example',
      'low',
      'p00',
      'p01',
    ]);
    expect(names.at(-1)).to.equal('p23');
  });

  it('returns for every channel whether it can be observed', async () => {
    await server.collect(
      runOf('a', carousels([place(1, 'X')], [place(1, 'X')])),
      runOf('b', { engine: 'aio' }),
      runOf('c', { engine: 'copilot' }),
      runOf('d', { engine: 'grok' }),
      runOf('e', { ...at('2026-11-13'), engine: 'perplexity' }),
    );
    const { channel_coverage } = await shopping();
    expect(channel_coverage.map((row) => [row.engine, row.status, row.sampled, row.carousels])).to.deep.equal(
      [
        ['chatgpt', 'parses-today', true, 2],
        ['aio', 'parses-today', true, 0],
        ['aimode', 'parses-today', false, null],
        ['copilot', 'awaiting-payload', true, null],
        ['perplexity', 'parses-today', false, null],
        ['gemini', 'awaiting-payload', false, null],
      ],
    );
  });

  it('notes absence of data for a window without carousels', async () => {
    await server.collect(runOf('a'));
    expect(await shopping()).to.deep.include({
      totals: { carousels: 0, products: 0, own_appearances: 0, own_avg_position: null },
      products: [],
      note: 'No carousel was captured in this window: that is absence of data, not of shopping presence.',
    });
    await server.load([runOf('a', { engine: 'grok' })]);
    expect((await shopping()).note).to.match(/is unknown/);
  });
});
