/** Lines over days as SVG: a gap where nothing was measured, a band for the interval, a mark where something changed. */
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { html, type Markup } from '../html.js';
import { day, truncated, userText } from './text.js';

export interface Point {
  readonly date: string;
  /** Null: not measured. */
  readonly value: number | null;
}

export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
  /** The number of its colour, as `chartLines` assigns it; if omitted, that of the brand, 0. */
  readonly look?: number;
}

export interface LineChart {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The first is the brand's own. */
  readonly lines: readonly Line[];
  readonly band?: readonly [number, number] | null;
  /** Days with a dotted line, and why. */
  readonly marks?: readonly { readonly date: string; readonly label: string }[];
  readonly size: { readonly width: number; readonly height: number };
  /** The highest value of the axis; if omitted, that of the lines. */
  readonly top?: number;
  readonly bare?: boolean;
}

const MARGIN = { left: 34, right: 10, top: 10, bottom: 24 };
const BARE = { left: 3, right: 3, top: 4, bottom: 4 };
const PIXELS_PER_DAY_LABEL = 90;
/** The narrowest column that shows the values of a day. */
const PIXELS_PER_COLUMN = 17;
/** Of a name next to a value. */
const NAME_LENGTH = 18;
/** Lines of more days are drawn to whole pixels, which keeps the page small. */
const MANY_DAYS = 28;

/** A drawing for broad screens and one for telephones. How the stylesheet places columns over them: each has its margins. */
export type ChartKind = 'broad' | 'slim';

/**
 * Two drawings of the same lines, of which the stylesheet shows one, and over them a column for each day. A pointer on it, a
 * tap, or the keyboard shows the values of the day: the columns are one group of radio buttons, so that one Tab leads to them
 * and arrows lead from day to day.
 */
export const lineChartWithValues = (
  charts: Readonly<Record<ChartKind, LineChart>>,
  format: (value: number) => string,
): Markup => html`
  <div class="chart">${lineChart(charts.broad, 'broad')}${lineChart(charts.slim, 'slim')}${columns(charts.broad, format)}</div>`;

function columns(
  { id, title, lines, marks = [], size }: LineChart,
  format: (value: number) => string,
): Markup {
  const days = lines[0]?.points.map(({ date }) => date) ?? [];
  const most = Math.floor(size.width / PIXELS_PER_COLUMN);
  const count = Math.min(days.length, most);
  // Evenly from the first to the last, so that each column is around its day.
  const shown = Array.from({ length: count }, (_, at) =>
    Math.round((at * (days.length - 1)) / Math.max(1, count - 1)),
  );
  const values = (at: number) =>
    lines.every(({ points }) => points[at]?.value == null)
      ? html`<br />not measured`
      : lines.map(({ name, points }) => {
          const value = points[at]?.value ?? null;
          return html`<br />${userText(name, NAME_LENGTH)} ${value === null ? '—' : format(value)}`;
        });
  const changes = (date: string) =>
    marks.filter((mark) => mark.date === date).map(({ label }) => html`<br />${userText(label, 60)}`);
  return html`<fieldset class="days"><legend class="aural">${title}: the values of a day</legend>${shown.map(
    (at, place) =>
      html`<label class=${2 * place < count ? undefined : 'late'}><input type="radio" name=${id} /><span>${day(days[at]!)}${values(at)}${changes(days[at]!)}</span></label>`,
  )}</fieldset>`;
}

export function lineChart(chart: LineChart, kind?: ChartKind): Markup {
  const { id, title, description, lines, size, bare = false } = chart;
  const { width, height } = size;
  const days = lines[0]?.points.map(({ date }) => date) ?? [];
  const margin = bare ? BARE : MARGIN;
  const x = scaleLinear([0, Math.max(1, days.length - 1)], [margin.left, width - margin.right]);
  const y = scaleLinear([0, chart.top ?? highest(lines)], [height - margin.bottom, margin.top]);
  if (chart.top === undefined) y.nice(4);
  const place = { x, y, days, margin };
  return html`<svg class=${kind === undefined ? 'lines' : `lines ${kind}`} viewBox=${`0 0 ${width} ${height}`} role="img" aria-labelledby=${`${id}-t ${id}-d`}>
    <title id=${`${id}-t`}>${title}</title>
    <desc id=${`${id}-d`}>${description}</desc>
    ${bare ? null : axes(place, width, height)} ${band(chart, place, width)} ${marks(chart, place, height)}
    ${lines.map((each) => drawn(each, place)).reverse()}
  </svg>`;
}

interface Place {
  readonly margin: typeof MARGIN;
  readonly x: (at: number) => number;
  readonly y: ((value: number) => number) & { ticks(count: number): number[] };
  readonly days: readonly string[];
}

/** The highest measured value of some lines; 1 if there is none. */
export const highest = (lines: readonly Line[]): number =>
  Math.max(1, ...lines.flatMap(({ points }) => points.map(({ value }) => value ?? 0)));

const text = (value: number): string => value.toFixed(1).replace(/\.0$/, '');

function axes({ x, y, days }: Place, width: number, height: number): Markup {
  const labels = Math.max(2, Math.floor(width / PIXELS_PER_DAY_LABEL));
  const every = Math.max(1, Math.ceil((days.length - 1) / (labels - 1)));
  const values = y.ticks(4).map(
    (
      value,
    ) => html`<line class="grid" x1=${MARGIN.left} x2=${width - MARGIN.right} y1=${text(y(value))} y2=${text(y(value))} />
      <text class="tick" x=${MARGIN.left - 8} y=${text(y(value) + 4)} text-anchor="end">${String(value)}</text>`,
  );
  const dates = days.map((date, at) =>
    at % every === 0
      ? html`<text class="tick" x=${text(x(at))} y=${height - 6} text-anchor=${at === 0 ? 'start' : at + every >= days.length ? 'end' : 'middle'}>${day(date)}</text>`
      : null,
  );
  return html`<g aria-hidden="true">${values}${dates}</g>`;
}

function band({ band: interval }: LineChart, { y, margin }: Place, width: number): Markup {
  if (!interval) return null;
  const [low, high] = interval;
  return html`<rect class="band" x=${margin.left} width=${width - margin.left - margin.right}
    y=${text(y(high))} height=${text(Math.max(1, y(low) - y(high)))} />`;
}

function marks({ marks: changes = [] }: LineChart, { x, days }: Place, height: number): Markup {
  return changes
    .filter(({ date }) => days.includes(date))
    .map(({ date, label }) => {
      const at = text(x(days.indexOf(date)));
      return html`<line class="mark" x1=${at} x2=${at} y1=${MARGIN.top} y2=${height - MARGIN.bottom}><title>${truncated(label)}</title></line>`;
    });
}

/** The line, and a dot for each measured day between two that were not. */
function drawn({ points, look = 0 }: Line, { x, y }: Place): Markup {
  const path = line<Point>()
    .digits(points.length > MANY_DAYS ? 0 : 1)
    .defined(({ value }) => value !== null)
    .x((_, index) => x(index))
    .y(({ value }) => y(value!))(points as Point[]);
  const isAlone = (index: number) =>
    points[index]!.value !== null && points[index - 1]?.value == null && points[index + 1]?.value == null;
  const dots = points.map((point, index) =>
    isAlone(index) ? html`<circle cx=${text(x(index))} cy=${text(y(point.value!))} r="2.5" />` : null,
  );
  return html`<g class=${`line line-${look}`}>${path ? html`<path d=${path} />` : null}${dots}</g>`;
}
