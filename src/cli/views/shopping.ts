import { type Product, product, type Shopping } from '../../contract/reads/shopping.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { count, counted, percent, position, type TableView, words, yesNo } from '../render/view.js';

export const shoppingView: SheetView<Shopping, Product> = {
  schema: product,
  rows: ({ products }) => products,
  table: () => productsView,
  draw,
};

function draw(data: Shopping, paper: Paper): void {
  const { brand, window_days, totals, products, channel_coverage } = data;
  paper.title(`Shopping · ${brand.name} · last ${window_days} days`, extent(data));
  const heading = totals.products > products.length ? `Products, the first ${products.length}` : 'Products';
  paper.table(heading, productsView, products);
  paper.table('Channels', channelsView, channel_coverage);
}

/** How much was captured; where no engine that shows products ran, that is not known. */
function extent({ totals, channel_coverage }: Shopping): string {
  const observed = channel_coverage.some(({ carousels }) => carousels !== null);
  if (!observed && totals.carousels === 0) return 'whether there were carousels is not known';
  const own =
    totals.own_avg_position === null
      ? 'no own product'
      : `own products in ${counted(totals.own_appearances, 'place')}, at position ${totals.own_avg_position.toFixed(1)} on average`;
  return `${counted(totals.carousels, 'carousel')} · ${counted(totals.products, 'product')} · ${own}`;
}

const productsView: TableView<Product> = {
  noun: 'products: no carousel was captured in this window',
  own: ({ is_own }) => is_own,
  columns: [
    words('product', (row) => row.product + (row.is_own ? ' (own)' : ''), {
      room: 'flexible',
      link: ({ url }) => url,
    }),
    words('merchant', ({ merchant, merchant_domain }) => merchant ?? merchant_domain, {
      room: 'flexible',
      absence: 'not stated',
    }),
    { head: 'price', text: priceOf, align: 'right', absence: 'not stated' },
    count('places', ({ appearances }) => appearances),
    percent('win rate, slot 1', ({ win_rate }) => win_rate),
    { ...percent<Product>('of carousels', ({ visibility_share }) => visibility_share), room: 'spare' },
    position('avg position', ({ avg_position }) => avg_position),
  ],
};

/** As the engine wrote it, else from the exact amount. */
function priceOf({ price, price_amount, currency }: Product): string | null {
  if (price !== null || price_amount === null) return price;
  return currency === null ? String(price_amount) : `${price_amount} ${currency}`;
}

const channelsView: TableView<Shopping['channel_coverage'][number]> = {
  noun: 'channels',
  columns: [
    words('engine', ({ engine }) => engine),
    words('product data', ({ status }) =>
      status === 'parses-today' ? 'parsed today' : 'awaited from the vendor',
    ),
    yesNo('sampled', ({ sampled }) => sampled),
    count('carousels', ({ carousels }) => carousels),
  ],
};
