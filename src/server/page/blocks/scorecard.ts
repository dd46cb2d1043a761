/** Block 2: the scorecard. */
import { type RatioMetric, ratioMetricNames } from '../../../contract/metrics.js';
import { overview } from '../../../contract/reads/overview.js';
import { STATISTICS_READ } from '../../../contract/slice.js';
import { html, type Markup } from '../html.js';
import { type Card, card, define, noteOf } from '../parts/card.js';
import { change, reasons } from '../parts/change.js';
import { longDay } from '../parts/dates.js';
import { bounds, datum, decimal, deltaFormats, metricFormats, metricLabels } from '../parts/datum.js';
import { aboutOf } from '../parts/window.js';
import type { Loaded } from '../reads.js';

export const SCORECARD: Card = { id: 'scorecard', title: 'Scorecard', wide: true };

const { fields } = overview.response;

/** @param newest The newest collected day in scope; null: there is none. */
export function scorecard({ body, source }: Loaded<'overview'>, newest: string | null): Markup {
  const measured = body.run_count > 0;
  return card(
    {
      ...SCORECARD,
      about: `${aboutOf(body)}${body.slice?.engines ? '' : ', all engines that search the web'}`,
      source,
    },
    html`
    <dl class="tiles">
      ${ratioMetricNames.map((name) => tile(body, name, measured))}
      <div class="tile">
        <dt>${metricLabels.avg_position} ${define(metricLabels.avg_position, fields.avg_position.description)}</dt>
        <dd><strong>${datum('overview.avg_position', body.avg_position, decimal)}</strong></dd>
        <dd class="aside">1 is best</dd>
      </div>
    </dl>
    <p class="foot">
      From ${datum('overview.run_count', body.run_count)} answers.
      ${body.low_confidence && measured ? ' Too few to rely on.' : ''}
      ${newest === null ? '' : html` Newest answer: <time datetime=${newest}>${longDay(newest)}</time>.`}
      ${measured ? ` The ranges are ${100 * body.intervals.level} % intervals.` : ''}
    </p>
    ${measured ? reasons(ratioMetricNames.map((name) => [metricLabels[name], body.change[name]])) : null}
    ${noteOf(body.note?.replace(STATISTICS_READ, 'the chart by day') ?? null)}`,
  );
}

function tile(body: Loaded<'overview'>['body'], name: RatioMetric, measured: boolean): Markup {
  const format = metricFormats[name];
  const label = metricLabels[name];
  return html`<div class="tile">
    <dt>${label} ${define(label, fields[name].description)}</dt>
    <dd><strong>${datum(`overview.${name}`, body[name], format)}</strong></dd>
    <dd class="aside">${bounds(`overview.intervals.${name}`, body.intervals[name], format)}</dd>
    <dd class="aside">${measured ? change(`overview.change.${name}`, body.change[name], deltaFormats[name]) : null}</dd>
  </div>`;
}
