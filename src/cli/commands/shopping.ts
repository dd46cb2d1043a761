import { channel, type Product, product, shopping } from '../../contract/reads/shopping.js';
import type { Infer } from '../../contract/schema.js';
import { readCommand } from '../base/read-command.js';
import type { Document } from '../render/document.js';
import { columnsOf, counted, engine, type TableView } from '../render/view.js';

type Data = Infer<typeof shopping.response>;

export default readCommand(shopping, {
  inHelp: { group: 'SHOPPING AND ADS', place: 1 },
  description:
    'win rate is the share of a product’s own appearances that were in slot 1. It is not a head-to-head ' +
    'rate: two products that never met can both have 100 %. Formats other than the table print one ' +
    'product per row.',
  request: (svc) => svc.shopping,
  table: () => productsView,
  draw,
});

function draw(data: Data, document: Document): void {
  const { brand, window_days, totals, products, channel_coverage } = data;
  document.title(`Shopping · ${brand.name} · last ${window_days} days`, extent(data));
  const heading = totals.products > products.length ? `Products, the first ${products.length}` : 'Products';
  document.table(heading, productsView, products);
  document.table('Channels', channelsView, channel_coverage);
}

/** States the number of captured carousels, or that it is unknown because no engine that shows products ran. */
function extent({ totals, channel_coverage }: Data): string {
  const observed = channel_coverage.some(({ carousels }) => carousels !== null);
  if (!observed && totals.carousels === 0) return 'whether there were carousels is not known';
  const own =
    totals.own_avg_position === null
      ? 'no own product'
      : `own products in ${counted(totals.own_appearances, 'place')}, at position ${totals.own_avg_position.toFixed(1)} on average`;
  return `${counted(totals.carousels, 'carousel')} · ${counted(totals.products, 'product')} · ${own}`;
}

const column = columnsOf(product);

const productsView: TableView<Product> = {
  noun: 'products: no carousel was captured in this window',
  own: ({ is_own }) => is_own,
  columns: [
    column('product', {
      text: (row) => row.product + (row.is_own ? ' (own)' : ''),
      room: 'flexible',
      link: ({ url }) => url,
    }),
    column('merchant', {
      text: ({ merchant, merchant_domain }) => merchant ?? merchant_domain,
      room: 'flexible',
      absence: 'not stated',
    }),
    column('price', { text: priceOf, align: 'right', absence: 'not stated' }),
    column('appearances'),
    column('win_rate'),
    column('visibility_share', { room: 'spare' }),
    column('avg_position'),
  ],
};

/** The price as the engine wrote it, else from the exact amount. */
function priceOf({ price, price_amount, currency }: Product): string | null {
  if (price !== null || price_amount === null) return price;
  return currency === null ? String(price_amount) : `${price_amount} ${currency}`;
}

const ofChannel = columnsOf(channel);

const channelsView: TableView<Data['channel_coverage'][number]> = {
  noun: 'channels',
  columns: [
    engine(),
    ofChannel('status', {
      text: ({ status }) => (status === 'parses-today' ? 'parsed today' : 'awaited from the vendor'),
    }),
    ofChannel('sampled'),
    ofChannel('carousels'),
  ],
};
