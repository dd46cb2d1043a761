/** The brand and its competitors. */
import { title } from '../../../../contract/glossary.js';
import { type EntityMeasure, entityMeasureNames } from '../../../../contract/measures.js';
import type { Competitor } from '../../../../contract/reads/competitors.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, empty } from '../parts/card.js';
import { changeMark } from '../parts/change.js';
import { bar, decimal, formatOf, numberField, rowName } from '../parts/numbers.js';
import { aboutOf, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export const COMPETITORS: Card = { id: 'competitors', title: 'Against whom?', wide: true };

/** Rows that are shown at once, and with those that are folded; the row of the brand is always there. */
const MAX_ROWS = 12;
const MAX_FOLDED = 30;

/** The measures that come first, with the mark of a move. */
const MOVING: readonly EntityMeasure[] = ['share_of_voice_fraction', 'visibility'];
const others = entityMeasureNames.filter((name) => !MOVING.includes(name));

/** @param leads Where the rows lead: a competitor to its comparison with the brand; if omitted, nowhere. */
export function competitors(read: Loaded<'competitors'>, leads?: Leads): Markup {
  const { body } = read;
  const rows = body.competitors;
  const most = Math.max(...rows.map((row) => row.share_of_voice_fraction ?? 0), 0.001);
  const isFirst = (row: Competitor, at: number) => at < MAX_ROWS || row.is_brand;
  const lines = rows.map((row, at) => line(row, at, most, leads));
  const first = lines.filter((_, at) => isFirst(rows[at]!, at));
  const others = lines.filter((_, at) => !isFirst(rows[at]!, at) && at < MAX_FOLDED);
  const left = rows.length - first.length - others.length;
  return card(
    {
      ...COMPETITORS,
      about: `${aboutOf(body)}, by share of voice`,
      read,
    },
    rows.length < 2
      ? empty(
          'No competitor is tracked. Ask whoever operates this server to add those that your customers compare you with.',
        )
      : html`${table('Competitors', first)}
          ${
            others.length === 0
              ? null
              : html`<details class="numbers"><summary>${others.length} more</summary>${table('More competitors', others)}</details>`
          }
          ${left === 0 ? null : html`<p class="foot">${left} ${left === 1 ? 'other is' : 'others are'} in the API.</p>`}`,
  );
}

const table = (label: string, lines: readonly Markup[]): Markup => html`
  <div class="scroll" tabindex="0" role="group" aria-label=${label}>
    <table class="barred figures">
      <thead>
        <tr>
          <th scope="col">${title('name')}</th>
          ${[...MOVING, ...others, 'avg_position' as const].map((name) => html`<th scope="col">${title(name)}</th>`)}
        </tr>
      </thead>
      <tbody>${lines}</tbody>
    </table>
  </div>`;

function line(row: Competitor, at: number, most: number, leads: Leads | undefined): Markup {
  const name = `competitors.${rowName(row.id, at)}`;
  const value = (measure: EntityMeasure) =>
    numberField(`${name}.${measure}`, row[measure], formatOf(measure));
  return html`<tr class=${row.is_brand ? 'own' : undefined}>
    <th scope="row">${leads && !row.is_brand ? html`<a href=${leads.competitor(row.id)}>${userText(row.name, 60)}</a>` : userText(row.name, 60)}${bar(row.share_of_voice_fraction === null ? null : row.share_of_voice_fraction / most, row.is_brand ? 'own' : '')}</th>
    ${MOVING.map(
      (measure) => html`<td>${value(measure)}
      ${changeMark(`${name}.change`, measure, row.change[measure])}</td>`,
    )}
    ${others.map((measure) => html`<td>${value(measure)}</td>`)}
    <td>${numberField(`${name}.avg_position`, row.avg_position, decimal)}</td>
  </tr>`;
}
