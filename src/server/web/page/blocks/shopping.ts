/** Products in shopping carousels. */
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, noteOf } from '../parts/card.js';
import { decimal, numberField, rowName } from '../parts/numbers.js';
import { engineName, externalLink, noun, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export const SHOPPING: Card = { id: 'shopping', title: 'Shopping' };

const MAX_ROWS = 6;

/** Null where no carousel was captured. */
export function shopping(read: Loaded<'shopping'>, leads: Leads): Markup {
  const { totals, products, window_days, channel_coverage } = read.body;
  if (totals.carousels === 0) return null;
  return card(
    { ...SHOPPING, about: `last ${window_days} days, all engines`, read },
    html`<p class="lead">${numberField('shopping.totals.own_appearances', totals.own_appearances)} ${noun(totals.own_appearances, 'placement')} of your products in ${numberField('shopping.totals.carousels', totals.carousels)} ${noun(totals.carousels, 'carousel')}${totals.own_avg_position === null ? '.' : html`, at place ${numberField('shopping.totals.own_avg_position', totals.own_avg_position, decimal)} on average.`}</p>
    <ol class="plain">${products
      .slice(0, MAX_ROWS)
      .map(
        ({ product, url, merchant, is_own, appearances }, at) =>
          html`<li class=${is_own ? 'own' : ''}>${url === null ? userText(product, 80) : externalLink(url, product, 80)} <small>${merchant === null ? null : html`${userText(merchant, 40)}, `}${numberField(`shopping.products.${at}.appearances`, appearances)} ${noun(appearances, 'placement')}${is_own ? ', yours' : ''}</small></li>`,
      )}</ol>
    <p class="foot">Carousels on ${channel_coverage
      .map((channel, at) => ({ ...channel, at }))
      .filter(({ carousels }) => (carousels ?? 0) > 0)
      .map(
        ({ engine, carousels, at }, place) =>
          html`${place === 0 ? '' : ', '}<a href=${leads.engine(engine)}>${engineName(engine)}</a> ${numberField(`shopping.channel_coverage.${rowName(engine, at)}.carousels`, carousels)}`,
      )}.</p>
    ${noteOf(read.body)}`,
  );
}
