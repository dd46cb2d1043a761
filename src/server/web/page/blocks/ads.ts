/** Ads next to answers. */
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, noteOf } from '../parts/card.js';
import { numberField } from '../parts/numbers.js';
import { day, engineName, noun, span, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export const ADS: Card = { id: 'ads', title: 'Ads next to answers' };

const MAX_ROWS = 6;

/** Null where no ad was captured in the window. */
export function ads(read: Loaded<'ads'>, leads: Leads): Markup {
  const { totals, window, ads: units } = read.body;
  if (totals.units === 0 || window.start === null || window.end === null) return null;
  return card(
    { ...ADS, about: span(window.start, window.end), read },
    html`<p class="lead">${numberField('ads.totals.units', totals.units)} ${noun(totals.units, 'ad')} of ${numberField('ads.totals.advertisers', totals.advertisers)} ${noun(totals.advertisers, 'advertiser')}.</p>
    <ul class="plain">${units
      .slice(0, MAX_ROWS)
      .map(
        ({ advertiser, advertiser_domain, engine, date, run_id, cards }) =>
          html`<li>${userText(advertiser ?? advertiser_domain ?? cards[0]?.title ?? 'Advertiser not stated', 60)} <small>${engineName(engine)}, <time datetime=${date}>${day(date)}</time>, <a href=${leads.answer(run_id)}>the answer</a></small></li>`,
      )}</ul>
    ${noteOf(read.body)}`,
  );
}
