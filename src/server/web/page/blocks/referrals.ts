/** Visits of people whom answers sent: products, and pages beside their citations. */
import { title } from '../../../../contract/glossary.js';
import { findProduct } from '../../../../logs/referrals/products.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty, noteOf } from '../parts/card.js';
import { numberField } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { externalLink, noun, span, userText } from '../parts/text.js';

const REFERRALS: Card = { id: 'referrals', title: 'Visits that answers send' };

const MAX_ROWS = 12;

export async function referrals({ ofSlice }: Loading): Promise<Markup> {
  const read = await ofSlice.loadIfPossible('referrals');
  if ('refused' in read) return card(REFERRALS, empty(read.refused));
  const { body } = read;
  const { totals, products, window } = body;
  const rows = body.referrals.map((row, at) => ({ row, at }));
  type Row = (typeof rows)[number];
  const about = span(window.start, window.end);
  if (totals === null || rows.length === 0)
    return card({ ...REFERRALS, about, read }, noteOf(body) ?? empty('Nobody came from an answer.'));
  return card(
    { ...REFERRALS, about, read },
    html`<p class="lead">${numberField('referrals.totals.visits', totals.visits)} ${noun(totals.visits ?? 2, 'visit')}: ${products
      .slice(0, MAX_ROWS)
      .map(
        ({ label, visits }, at) =>
          html`${at === 0 ? '' : ', '}${userText(label, 40)} ${numberField(`referrals.products.${at}.visits`, visits)}`,
      )}.</p>
    ${table<Row>({
      label: REFERRALS.title,
      rows: rows.slice(0, MAX_ROWS),
      columns: [
        { head: title('page'), cell: ({ row }) => externalLink(row.url, row.url, 90) },
        {
          head: title('product'),
          kind: 'words',
          cell: ({ row }) => userText(findProduct(row.product)?.label ?? row.product, 40),
        },
        {
          head: title('visits'),
          kind: 'number',
          cell: ({ row, at }) => numberField(`referrals.${at}.visits`, row.visits),
        },
        {
          head: title('pageviews'),
          kind: 'number minor',
          cell: ({ row, at }) => numberField(`referrals.${at}.pageviews`, row.pageviews),
        },
        {
          head: title('citations'),
          kind: 'number',
          cell: ({ row, at }) => numberField(`referrals.${at}.citations`, row.citations),
        },
      ],
    })}${noteOf(body)}`,
  );
}
