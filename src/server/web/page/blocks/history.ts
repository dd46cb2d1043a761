/** Visibility day by day, of the brand and the strongest competitors. */
import { type ChartLine, chartLines } from '../../../../contract/chart-lines.js';
import { title } from '../../../../contract/glossary.js';
import type { HistorySeries } from '../../../../contract/reads/history.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, empty, noteOf } from '../parts/card.js';
import { type ChartKind, type LineChart, lineChartWithValues } from '../parts/line-chart.js';
import { bounds, decimal, numberField, rowName } from '../parts/numbers.js';
import { aboutOf, day, engineName, truncated, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export const VISIBILITY: Card = { id: 'visibility', title: 'Did it move?', wide: true };

/** The newest days, of which the table has the numbers: the page stays small. */
const TABLE_DAYS = 28;
/** Marks that are explained below the chart. */
const MAX_MARKS = 6;
/** A wide and a narrow drawing: the stylesheet shows one, so that labels can be read on a telephone. */
const SIZES = {
  broad: { width: 1040, height: 300 },
  slim: { width: 350, height: 230 },
} as const satisfies Record<ChartKind, LineChart['size']>;

/** @param rival The id of the one competitor that is drawn; if omitted, the strongest are. */
export function visibility(read: Loaded<'history'>, leads: Leads, rival?: string): Markup {
  const { body } = read;
  const about = aboutOf({ ...body, slice: body });
  const lines = chartLines(body.series, rival);
  const series = lines.map((line) => line.series);
  const isMeasured = series.some(({ points }) => points.some(({ value }) => value !== null));
  const content = isMeasured
    ? drawing(lines, about!, marksOf(body), leads)
    : empty('Nothing was collected in this window.');
  return card(
    { ...VISIBILITY, about: `${about}, visibility by day`, read },
    html`${content} ${noteOf(body)} ${isMeasured ? table(series) : null}`,
  );
}

type Mark = NonNullable<LineChart['marks']>[number];

/** Days on which an engine answered with a model for the first time. */
function marksOf({ model_changes }: Loaded<'history'>['body']): Mark[] {
  return model_changes.map(({ engine, model, since }) => ({
    date: since,
    label: `${engineName(engine)}: ${model} since ${day(since)}`,
  }));
}

function drawing(
  lines: readonly ChartLine<HistorySeries>[],
  about: string,
  marks: readonly Mark[],
  leads: Leads,
): Markup {
  const chart = (kind: ChartKind): LineChart => ({
    id: `visibility-${kind}`,
    title: `Visibility by day, ${about}`,
    description: lines.map(({ series }) => truncated(series.name, 40)).join(', '),
    lines: lines.map(({ series, look }) => ({ ...series, look })),
    band: lines[0]?.series.interval ?? null,
    marks,
    size: SIZES[kind],
  });
  return html`
    ${lineChartWithValues({ broad: chart('broad'), slim: chart('slim') }, decimal)}
    <ul class="legend">
      ${lines.map(
        ({ series: { id, name, window_value, interval }, look }, at) => html`<li>
          <svg class="key" viewBox="0 0 22 6" aria-hidden="true"><g class=${`line line-${look}`}><path d="M0,3L22,3" /></g></svg>
          ${at === 0 ? userText(name, 40) : html`<a href=${leads.competitor(id)}>${userText(name, 40)}</a>`} ${numberField(`history.${rowName(id, at)}.window_value`, window_value, decimal)}
          ${at === 0 && interval ? html` <small>(${bounds(`history.${rowName(id, at)}.interval`, interval, decimal)}, shaded)</small>` : null}
        </li>`,
      )}
    </ul>
    ${marks.length === 0 ? null : markList(marks)}`;
}

const markList = (marks: readonly Mark[]): Markup => html`
  <p class="foot">Dotted: the first answer of a model.</p>
  <ul class="foot marks">
    ${marks.slice(0, MAX_MARKS).map(({ label }) => html`<li>${userText(label, 90)}</li>`)}
    ${marks.length > MAX_MARKS ? html`<li>and ${marks.length - MAX_MARKS} more</li>` : null}
  </ul>`;

function table(series: readonly HistorySeries[]): Markup {
  const days = series[0]?.points.map(({ date }) => date) ?? [];
  const first = Math.max(0, days.length - TABLE_DAYS);
  return html`
    <details class="numbers">
      <summary>The numbers of this chart</summary>
      <div class="scroll" tabindex="0" role="group" aria-label="Visibility by day, as a table">
        <table class="figures">
          <thead>
            <tr><th scope="col">Day (UTC)</th>${series.map(({ name }) => html`<th scope="col">${userText(name, 40)}</th>`)}<th scope="col">${title('answers')}</th></tr>
          </thead>
          <tbody>
            ${days.slice(first).map(
              (date, row) => html`<tr>
                <th scope="row">${day(date)}</th>
                ${series.map(
                  ({ id, points }, at) =>
                    html`<td>${numberField(`history.${rowName(id, at)}.points.${date}.value`, points[first + row]!.value, decimal)}</td>`,
                )}
                <td>${numberField(`history.${rowName(series[0]!.id, 0)}.points.${date}.sample_size`, series[0]!.points[first + row]!.sample_size)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${first === 0 ? null : html`<p class="foot">The newest ${TABLE_DAYS} days; the files below have all.</p>`}
    </details>`;
}
