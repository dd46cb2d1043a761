/**
 * The chart of a report: a metric over the days and those before, with a bar for each stretch of them. Bars are text, and cells
 * of tables in HTML: mail programs remove SVG, and show pictures only to who allows them.
 */
import type { BrandReads } from '../../contract/brand-reads.js';
import { day } from '../../contract/day-words.js';
import { addDays } from '../../contract/days.js';
import { capital, label } from '../../contract/glossary.js';
import { RANGE_DAYS_MAX } from '../../contract/limits.js';
import { type MeasureName, scaleOf } from '../../contract/measures.js';
import type { HistorySeries } from '../../contract/reads/history.js';
import type { Overview } from '../../contract/reads/overview.js';
import { LEAD_METRIC, movedMetrics } from '../../contract/summary.js';
import { withUnit } from '../render/uncertainty.js';
import { type Column, text } from '../render/view.js';
import type { Days } from '../render/wording.js';

interface Stretch {
  readonly start: string;
  readonly end: string;
  /** The mean of its days, weighted by their answers; null: not measured. */
  readonly value: number | null;
  /** Of the days before those of the report. */
  readonly isBefore: boolean;
}

export interface Course {
  readonly metric: MeasureName;
  readonly stretches: readonly Stretch[];
}

/** A bar from 0: `part` of the longest possible. */
export interface Bar {
  readonly part: number;
  readonly isBefore: boolean;
}

const WEEK = 7;
/** Stretches of a window at most. */
const MOST = 4;

/** Whole weeks, so that weekends weigh the same in each; days where there is no whole week. */
const stretchDays = (days: number): number => (days < WEEK ? 1 : WEEK * Math.ceil(days / (WEEK * MOST)));

function meanOf(points: HistorySeries['points']): number | null {
  const days = points.filter(({ value }) => value !== null);
  const weight = days.reduce((all, { sample_size }) => all + sample_size, 0);
  const sum = days.reduce((all, { value, sample_size }) => all + value! * sample_size, 0);
  return weight === 0 ? null : sum / weight;
}

/** Stretches of equal length up to the last day; the first one is what is left. */
function stretchesOf(points: HistorySeries['points'], { from, to }: Days, length: number, isBefore: boolean) {
  const found: Stretch[] = [];
  for (let end = to; end >= from; end = addDays(end, -length)) {
    const start = [addDays(end, 1 - length), from].sort()[1]!;
    const value = meanOf(points.filter(({ date }) => date >= start && date <= end));
    found.unshift({ start, end, value, isBefore });
  }
  return found;
}

/** The course of the metric that moved first, else of the one that the sentence is about. One request. */
export async function readCourse(reads: BrandReads, overview: Overview): Promise<Course> {
  const { days, start: from, end: to } = overview.window;
  const now = { from, to };
  const metric = movedMetrics(overview)[0] ?? LEAD_METRIC;
  const isCompared = overview.has_prior_window && 2 * days <= RANGE_DAYS_MAX;
  const before = { from: addDays(from, -days), to: addDays(from, -1) };
  const { series } = await reads.load('history', {
    metric,
    from: isCompared ? before.from : from,
    to,
  });
  const points = series.find(({ is_brand }) => is_brand)?.points ?? [];
  const length = stretchDays(days);
  const all = [
    ...(isCompared ? stretchesOf(points, before, length, true) : []),
    ...stretchesOf(points, now, length, false),
  ];
  const first = all.findIndex(({ value }) => value !== null);
  return { metric, stretches: first < 0 ? [] : all.slice(first) };
}

const CELLS = 20;

/** `████████▌`, and `▒▒▒▒▒▒▒` of the days before. */
const barText = ({ part, isBefore }: Bar): string => {
  const cells = CELLS * part;
  return (isBefore ? '▒' : '█').repeat(Math.floor(cells)) + (!isBefore && cells % 1 >= 0.5 ? '▌' : '');
};

/** The highest value, rounded up to a number that can be read. */
function topOf(highest: number): number {
  const step = highest > 20 ? 10 : highest > 5 ? 5 : 1;
  return step * Math.max(1, Math.ceil(highest / step));
}

/** The year is that of the report. */
const shortSpan = (start: string, end: string): string =>
  start === end ? day(end) : `${day(start)} – ${day(end)}`;

export function barsOf({ metric, stretches }: Course) {
  const { shown, suffix } = scaleOf(metric);
  const top = topOf(Math.max(...stretches.map(({ value }) => shown * (value ?? 0))));
  const bar = ({ value, isBefore }: Stretch): Bar | null =>
    value === null ? null : { part: (shown * value) / top, isBefore };
  const columns: (Column<Stretch> & { readonly bar?: typeof bar; readonly isWhole?: boolean })[] = [
    { ...text<Stretch>('days', ({ start, end }) => shortSpan(start, end)), isWhole: true },
    {
      ...text<Stretch>(`from 0 to ${top}${suffix}`, (row) =>
        barText(bar(row) ?? { part: 0, isBefore: true }),
      ),
      bar,
    },
    { ...text<Stretch>('mean', ({ value }) => withUnit(metric, value)), align: 'right' },
  ];
  const isCompared = stretches.some(({ isBefore }) => isBefore);
  return {
    title: `${capital(label(metric))} over time`,
    sentences: isCompared ? ['Light bars: the days before, against which the changes are.'] : [],
    columns,
    rows: stretches,
  };
}
