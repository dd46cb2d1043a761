import { label } from '../../contract/glossary.js';
import { type Referrals, type ReferredPage, referrals } from '../../contract/reads/referrals.js';
import { findProduct } from '../../logs/referrals/products.js';
import { readCommand } from '../base/read-command.js';
import type { Document } from '../render/document.js';
import { type Column, count, counted, grouped, page, type TableView, text } from '../render/view.js';
import { datesText } from '../render/wording.js';

type Product = Referrals['products'][number];
type Change = Product['change'];

export default readCommand(referrals, {
  inHelp: { group: 'YOUR SITE', place: 2.5 },
  description:
    'People whom answers sent to your site, from the same logs as crawlers: by the referrer of a request, or its utm_source. ' +
    '`svc visitors` has what a snippet on the pages counts. Formats other than the table print one product and page per row. ' +
    'Needs the Growth plan or above.',
  examples: ['', '--days 28', '--format csv'],
  request: (svc) => svc.referrals,
  table: () => pagesView,
  draw,
});

function draw(
  { brand, totals, products, days, total, referrals: rows, window }: Referrals,
  document: Document,
): void {
  const title = `Referrals · ${brand.name} · ${datesText({ window })}`;
  if (totals === null) {
    document.title(title, 'Not measured: no log of these days states where people came from.');
    return;
  }
  const { visits, pageviews, citations, interval, change } = totals;
  const range = interval && ` (${bounds(interval)})`;
  const cited = citations === null ? '' : ` · ${counted(citations, 'citation')} of own pages`;
  document.title(
    title,
    `${visits === null ? '—' : grouped(visits)} visits${range ?? ''} in ${counted(pageviews, 'page view')}${cited}`,
    changeText(change),
  );
  document.table('Products', productsView, products);
  document.table(
    rows.length < total ? `Pages, the first ${rows.length} of ${total}` : 'Pages',
    pagesView,
    rows,
  );
  document.table('Days', daysView, days);
}

const bounds = ([low, high]: readonly [number, number]): string => `${low.toFixed(1)} to ${high.toFixed(1)}`;

const rate = (value: number | null): string => (value === null ? '—' : value.toFixed(1));

const verdictWords = {
  up: 'up',
  down: 'down',
  no_clear_change: 'no clear change',
  unknown: 'too few days to compare',
} as const;

const changeText = ({ per_day, previous_per_day, verdict }: Change): string =>
  `${rate(per_day)} visits a day, ${rate(previous_per_day)} before: ${verdictWords[verdict]}`;

const visitsColumn: Column<{ readonly visits: number | null }> = count(
  label('visits'),
  ({ visits }) => visits,
);
const viewsColumn: Column<{ readonly pageviews: number | null }> = count(
  label('pageviews'),
  ({ pageviews }) => pageviews,
);

const productsView: TableView<Product> = {
  noun: 'products that sent people',
  columns: [
    text(label('product'), (row) => row.label, { room: 'flexible' }),
    visitsColumn,
    text('95 % interval', ({ interval }) => interval && bounds(interval), { absence: 'too few days' }),
    viewsColumn,
    text('a day', ({ change }) => rate(change.per_day)),
    text(label('before'), ({ change }) => rate(change.previous_per_day)),
    text('change', ({ change }) => verdictWords[change.verdict]),
  ],
};

const pagesView: TableView<ReferredPage> = {
  noun: 'pages to which answers sent people',
  columns: [
    page,
    text(label('product'), ({ product }) => findProduct(product)?.label ?? product),
    visitsColumn,
    viewsColumn,
    count(label('citations'), ({ citations }) => citations),
  ],
};

const daysView: TableView<Referrals['days'][number]> = {
  noun: 'days',
  columns: [text('day', ({ day }) => day), visitsColumn, viewsColumn],
};
