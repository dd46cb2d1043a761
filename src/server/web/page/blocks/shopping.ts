/** Products in shopping carousels: those of the brand first. */
import { title } from '../../../../contract/glossary.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty, noteOf } from '../parts/card.js';
import { decimal, numberField, rowName } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { engineName, externalLink, noun, userText } from '../parts/text.js';

export const SHOPPING: Card = { id: 'shopping', title: 'Shopping' };

const MAX_ROWS = 50;

export async function shopping({ ofSlice }: Loading): Promise<Markup> {
  const read = await ofSlice.loadIfPossible('shopping');
  if ('refused' in read) return card(SHOPPING, empty(read.refused));
  const { totals, products, window_days, channel_coverage } = read.body;
  if (totals.carousels === 0)
    return card({ ...SHOPPING, read }, noteOf(read.body) ?? empty('No carousel was captured.'));
  const rows = products
    .map((row, at) => ({ row, at }))
    .sort((a, b) => Number(b.row.is_own) - Number(a.row.is_own) || b.row.appearances - a.row.appearances);
  type Row = (typeof rows)[number];
  return card(
    { ...SHOPPING, about: `last ${window_days} days, all engines`, read },
    html`<p class="lead">${numberField('shopping.totals.own_appearances', totals.own_appearances)} ${noun(totals.own_appearances, 'placement')} of your products in ${numberField('shopping.totals.carousels', totals.carousels)} ${noun(totals.carousels, 'carousel')}${totals.own_avg_position === null ? '.' : html`, at place ${numberField('shopping.totals.own_avg_position', totals.own_avg_position, decimal)} on average.`}</p>
    ${table<Row>({
      label: SHOPPING.title,
      rows: rows.slice(0, MAX_ROWS),
      isOwn: ({ row }) => row.is_own,
      columns: [
        {
          head: 'Product',
          cell: ({ row }) =>
            html`${row.url === null ? userText(row.product, 80) : externalLink(row.url, row.product, 80)}${row.is_own ? html` <span class="label">yours</span>` : null}`,
        },
        {
          head: 'Shop',
          kind: 'minor',
          cell: ({ row }) => userText(row.merchant ?? row.merchant_domain ?? '', 40),
        },
        { head: 'Price', kind: 'minor', cell: ({ row }) => userText(row.price ?? '', 24) },
        {
          head: 'Placements',
          kind: 'number',
          cell: ({ row, at }) => numberField(`shopping.products.${at}.appearances`, row.appearances),
        },
        {
          head: 'Place',
          kind: 'number',
          cell: ({ row, at }) =>
            numberField(`shopping.products.${at}.avg_position`, row.avg_position, decimal),
        },
      ],
    })}
    <p class="foot">${title('engine')}s with carousels: ${channel_coverage
      .map((channel, at) => ({ ...channel, at }))
      .filter(({ carousels }) => (carousels ?? 0) > 0)
      .map(
        ({ engine, carousels, at }, place) =>
          html`${place === 0 ? '' : ', '}${engineName(engine)} ${numberField(`shopping.channel_coverage.${rowName(engine, at)}.carousels`, carousels)}`,
      )}.</p>
    ${noteOf(read.body)}`,
  );
}
