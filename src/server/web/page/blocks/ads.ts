/** Ads that were shown next to answers. */
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty, noteOf } from '../parts/card.js';
import { numberField } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { day, engineName, noun, span, userText } from '../parts/text.js';

export const ADS: Card = { id: 'ads', title: 'Ads next to answers' };

const MAX_ROWS = 50;

export async function ads({ ofSlice, leads, reads }: Loading): Promise<Markup> {
  const [read, prompts] = await Promise.all([ofSlice.loadIfPossible('ads'), reads.loadIfPossible('prompts')]);
  if ('refused' in read) return card(ADS, empty(read.refused));
  const { totals, window, ads: units } = read.body;
  if (totals.units === 0 || window.start === null || window.end === null)
    return card({ ...ADS, read }, noteOf(read.body) ?? empty('No ad was captured.'));
  const promptOf = new Map(
    'refused' in prompts ? [] : prompts.body.prompts.map(({ id, text }) => [id, text]),
  );
  type Row = (typeof units)[number];
  return card(
    { ...ADS, about: span(window.start, window.end), read },
    html`<p class="lead">${numberField('ads.totals.units', totals.units)} ${noun(totals.units, 'ad')} of ${numberField('ads.totals.advertisers', totals.advertisers)} ${noun(totals.advertisers, 'advertiser')}.</p>
    ${table<Row>({
      label: ADS.title,
      rows: units.slice(0, MAX_ROWS),
      columns: [
        {
          head: 'Advertiser',
          cell: ({ advertiser, advertiser_domain, cards }) =>
            userText(advertiser ?? advertiser_domain ?? cards[0]?.title ?? 'Unknown advertiser', 60),
        },
        { head: 'Text', kind: 'minor', cell: ({ cards }) => userText(cards[0]?.title ?? '', 90) },
        {
          head: 'Prompt',
          kind: 'minor',
          cell: ({ prompt_id }) => {
            const text = promptOf.get(prompt_id);
            return text === undefined
              ? null
              : html`<a href=${leads.prompt(prompt_id)}>${userText(text, 90)}</a>`;
          },
        },
        {
          head: 'Answer',
          cell: ({ engine, date, run_id }) =>
            html`<a href=${leads.answer(run_id)}>${engineName(engine)}, <time datetime=${date}>${day(date)}</time></a>`,
        },
      ],
    })}
    ${noteOf(read.body)}`,
  );
}
