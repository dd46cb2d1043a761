/** The scorecard. */
import { SEARCH_ENGINES, title } from '../../../../contract/glossary.js';
import { type MeasureName, measureNames, scaleOf } from '../../../../contract/measures.js';
import { html, type Markup } from '../html.js';
import { type Card, card, define, noteOf } from '../parts/card.js';
import { change, reasons } from '../parts/change.js';
import { bounds, decimal, formatOf, numberField } from '../parts/numbers.js';
import { shownRate } from '../parts/shown.js';
import { aboutOf, longDay, noun } from '../parts/text.js';
import type { Loaded } from '../reads.js';
import { type CollectionLine, collectionSentences } from './collection.js';

export const SCORECARD: Card = { id: 'scorecard', title: 'Scorecard', wide: true };

/**
 * @param newest The newest collected day in scope; null: there is none.
 * @param collection If omitted, the block does not say how collections stand.
 */
export function scorecard(
  read: Loaded<'overview'>,
  newest: string | null,
  collection?: CollectionLine | undefined,
): Markup {
  const { body } = read;
  const measured = body.run_count > 0;
  return card(
    {
      ...SCORECARD,
      about: `${aboutOf(body)}${body.slice?.engines ? '' : `, ${SEARCH_ENGINES}`}`,
      read,
    },
    html`
    <dl class="tiles">
      ${measureNames.map((name) => tile(body, name, measured))}
      <div class="tile">
        <dt>${title('avg_position')} ${define(title('avg_position'), 'avg_position')}</dt>
        <dd><strong>${numberField('overview.avg_position', body.avg_position, decimal)}</strong></dd>
        <dd class="aside">1 is best</dd>
      </div>
    </dl>
    <p class="foot">
      From ${numberField('overview.run_count', body.run_count)} ${noun(body.run_count, 'answer')}.
      ${body.low_confidence && measured ? ' Too few to rely on.' : ''}
      ${newest === null ? '' : html` Newest answer: <time datetime=${newest}>${longDay(newest)}</time>.`}
      ${collection ? collectionSentences(collection) : null}
      ${measured ? ` The ranges are ${100 * body.intervals.level} % intervals.` : ''}
      ${shownRate('overview.shown', body.shown)}
    </p>
    ${measured ? reasons(measureNames.map((name) => [title(name), body.change[name]])) : null}
    ${noteOf(body)}`,
  );
}

function tile(body: Loaded<'overview'>['body'], name: MeasureName, measured: boolean): Markup {
  const format = formatOf(name);
  const label = title(name);
  return html`<div class="tile">
    <dt>${label} ${define(label, name)}</dt>
    <dd><strong>${numberField(`overview.${name}`, body[name], format)}</strong>${body[name] === null || scaleOf(name).suffix !== '' ? null : html` <small>of 100</small>`}</dd>
    <dd class="aside">${bounds(`overview.intervals.${name}`, body.intervals[name], format)}</dd>
    <dd class="aside">${measured ? change(body, name) : null}</dd>
  </div>`;
}
