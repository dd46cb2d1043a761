/** Lines over the days of a window and of the one before, as SVG: a gap where nothing was measured, names at the ends. */
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { html, type Markup } from '../html.js';
import { day, truncated } from './text.js';

export interface Point {
  readonly date: string;
  /** Null: not measured. */
  readonly value: number | null;
}

export interface Line {
  readonly name: string;
  /** Of the brand of the page; false: a rival. */
  readonly isOwn: boolean;
  readonly points: readonly Point[];
  /** What stands after the name at the end of the line. */
  readonly end: string;
}

/** A part of the days with a mean of its own. */
export interface Stretch {
  readonly start: string;
  readonly end: string;
  /** Of the brand; null: not measured. */
  readonly mean: number | null;
  readonly isShaded: boolean;
}

export interface LineChart {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly lines: readonly Line[];
  /** The days themselves, where the lines are means of several. */
  readonly dots: readonly Point[];
  readonly stretches: readonly Stretch[];
  readonly flags: readonly { readonly date: string; readonly label: string }[];
  /** After the highest value of the axis. */
  readonly unit: string;
  readonly format: (value: number) => string;
}

/** A drawing for broad screens and one for telephones, of which the stylesheet shows one. */
const KINDS = {
  broad: { width: 760, height: 176, right: 128, name: 13, dates: 90 },
  slim: { width: 350, height: 210, right: 88, name: 9, dates: 110 },
} as const;
type Kind = keyof typeof KINDS;

const MARGIN = { left: 40, top: 14, bottom: 26 };
/** The least distance of two names. */
const LINE_HEIGHT = 15;

export const lineChart = (chart: LineChart): Markup =>
  html`<div class="chart">${drawing(chart, 'broad')}${drawing(chart, 'slim')}</div>`;

interface Place {
  readonly kind: Kind;
  readonly days: readonly string[];
  readonly x: (at: number) => number;
  readonly y: ((value: number) => number) & { ticks(count: number): number[] };
  readonly right: number;
  readonly bottom: number;
}

function drawing(chart: LineChart, kind: Kind): Markup {
  const { id, title, description, lines, dots } = chart;
  const { width, height, right } = KINDS[kind];
  const days = lines[0]?.points.map(({ date }) => date) ?? [];
  const shown = lines.flatMap(({ points }) => points.map(({ value }) => value ?? 0));
  const highest = Math.max(1, ...shown, ...dots.map(({ value }) => value ?? 0));
  const x = scaleLinear([0, Math.max(1, days.length - 1)], [MARGIN.left, width - right]);
  const y = scaleLinear([0, highest], [height - MARGIN.bottom, MARGIN.top]).nice(4);
  const place: Place = { kind, days, x, y, right: width - right, bottom: height - MARGIN.bottom };
  return html`<svg class=${`lines ${kind}`} viewBox=${`0 0 ${width} ${height}`} role="img" aria-labelledby=${`${id}-${kind}-t ${id}-${kind}-d`}>
    <title id=${`${id}-${kind}-t`}>${title}</title>
    <desc id=${`${id}-${kind}-d`}>${description}</desc>
    ${stretches(chart, place)}${axis(chart, place)}${flags(chart, place)}
    ${dots.map(({ value }, at) => (value === null ? null : html`<circle class="day" cx=${text(x(at))} cy=${text(y(value))} r="1.6" />`))}
    ${lines.map((each) => drawn(each, place)).reverse()}
    ${names(lines, place)}
    ${kind === 'broad' ? values(chart, place) : null}
  </svg>`;
}

const text = (value: number): string => value.toFixed(1).replace(/\.0$/, '');

function stretches({ stretches: all, format }: LineChart, { kind, days, x, y, bottom }: Place): Markup {
  return all.map(({ start, end, mean, isShaded }) => {
    const [first, last] = [days.indexOf(start), days.indexOf(end)];
    if (first < 0 || last < 0) return null;
    const half = (x(1) - x(0)) / 2;
    const [from, to] = [Math.max(MARGIN.left, x(first) - half), x(last) + (isShaded ? half : 0)];
    const words = `${day(start)} – ${day(end)}${mean === null ? '' : `: mean ${format(mean)}`}`;
    return html`${isShaded ? html`<rect class="before-window" x=${text(from)} width=${text(to - from)} y=${MARGIN.top} height=${bottom - MARGIN.top} />` : null}
      ${mean === null ? null : html`<line class="mean" x1=${text(from)} x2=${text(to)} y1=${text(y(mean))} y2=${text(y(mean))} />`}
      ${kind === 'slim' ? null : html`<text class="tick" x=${text((from + to) / 2)} y=${bottom + 19} text-anchor="middle">${words}</text>`}`;
  });
}

function axis({ unit, stretches: all }: LineChart, { kind, days, x, y, right, bottom }: Place): Markup {
  const ticks = y.ticks(4);
  const values = ticks.map(
    (
      value,
    ) => html`<line class="grid" x1=${MARGIN.left} x2=${right} y1=${text(y(value))} y2=${text(y(value))} />
      <text class="tick" x=${MARGIN.left - 6} y=${text(y(value) + 4)} text-anchor="end">${value}${value === ticks.at(-1) ? unit : ''}</text>`,
  );
  const isNamed = kind === 'broad' && all.length > 0;
  const dates = isNamed
    ? null
    : [0, days.length - 1].map(
        (at) =>
          html`<text class="tick" x=${text(x(at))} y=${bottom + 18} text-anchor=${at === 0 ? 'start' : 'end'}>${days[at] === undefined ? '' : day(days[at]!)}</text>`,
      );
  return html`<g aria-hidden="true">${values}${dates}</g>`;
}

function flags({ flags: all }: LineChart, { days, x, bottom }: Place): Markup {
  return all
    .filter(({ date }) => days.includes(date))
    .map(({ date, label }) => {
      const at = text(x(days.indexOf(date)));
      return html`<g class="flag"><title>${truncated(label)}</title><line x1=${at} x2=${at} y1=${MARGIN.top - 8} y2=${bottom} /><path d=${`M${at},${MARGIN.top - 8}l8,3l-8,3z`} /></g>`;
    });
}

/** The line, and a dot for each measured day between two that were not. */
function drawn({ points, isOwn }: Line, { x, y }: Place): Markup {
  const path = line<Point>()
    .digits(1)
    .defined(({ value }) => value !== null)
    .x((_, index) => x(index))
    .y(({ value }) => y(value!))(points as Point[]);
  const isAlone = (index: number) =>
    points[index]!.value !== null && points[index - 1]?.value == null && points[index + 1]?.value == null;
  const dots = points.map((point, index) =>
    isAlone(index) ? html`<circle cx=${text(x(index))} cy=${text(y(point.value!))} r="2.5" />` : null,
  );
  return html`<g class=${isOwn ? 'line own' : 'line'}>${path ? html`<path d=${path} />` : null}${dots}</g>`;
}

/** The names next to the ends of their lines, moved apart where these are close. */
function names(lines: readonly Line[], { kind, y, right, bottom }: Place): Markup {
  const { name: longest } = KINDS[kind];
  const ends = lines
    .flatMap((each) => {
      const last = each.points.findLast(({ value }) => value !== null)?.value;
      return last == null ? [] : [{ each, at: y(last) }];
    })
    .sort((a, b) => a.at - b.at);
  const placed: number[] = [];
  for (const [index, { at }] of ends.entries())
    placed.push(Math.max(at, index === 0 ? MARGIN.top : placed[index - 1]! + LINE_HEIGHT));
  const beyond = Math.max(0, (placed.at(-1) ?? 0) - bottom);
  return ends.map(({ each }, index) => {
    const words = `${truncated(each.name, longest)} ${each.end}`;
    return html`<text class=${each.isOwn ? 'name own' : 'name'} x=${right + 7} y=${text(placed[index]! - beyond + 4)}>${words}</text>`;
  });
}

/** Where a pointer rests, the values of the day. */
function values({ lines, dots, format }: LineChart, { days, x, bottom }: Place): Markup {
  const half = (x(1) - x(0)) / 2;
  return days.map((date, at) => {
    const shown = lines.map(
      ({ name, points }) =>
        `${truncated(name, 24)} ${points[at]?.value == null ? '—' : format(points[at]!.value!)}`,
    );
    const single = dots[at]?.value == null ? [] : [`on the day itself ${format(dots[at]!.value!)}`];
    return html`<rect class="hit" x=${text(x(at) - half)} width=${text(2 * half)} height=${bottom}><title>${[day(date), ...shown, ...single].join('\n')}</title></rect>`;
  });
}
