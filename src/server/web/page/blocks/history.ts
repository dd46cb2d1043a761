/** The line of a metric over the window and the one before, of the brand and the strongest competitors. */
import { chartLines } from '../../../../contract/chart-lines.js';
import { title } from '../../../../contract/glossary.js';
import { type MeasureName, scaleOf } from '../../../../contract/measures.js';
import { type NoteCode, type Noted, noted } from '../../../../contract/notes.js';
import { compareText } from '../../../../contract/order.js';
import type { Fact } from '../../../../contract/read.js';
import type { HistorySeries } from '../../../../contract/reads/history.js';
import { daysBetween } from '../../../base/days.js';
import { html, type Markup } from '../html.js';
import { card, noteOf } from '../parts/card.js';
import { lineChart, type Point, type Stretch } from '../parts/line-chart.js';
import { formatOf, headOf, numberField, rowName } from '../parts/numbers.js';
import { day, engineName, truncated, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

/** Days of which the line is a mean. Of fewer days than this there is no mean. */
const MEAN_DAYS = 7;
/** Rivals that are drawn. */
const RIVALS = 3;

/** Days in the table at most: more would not fit in the 60 kB of a page, and the file has them. */
const MOST_DAYS = 56;

interface Days {
  readonly start: string;
  readonly end: string;
}

export interface HistoryReads {
  readonly metric: MeasureName;
  /** Of the window, and of the one before if there is one. */
  readonly drawn: Loaded<'history'>;
  readonly window: Days;
  /** The days of the window before; null: they are not drawn. */
  readonly before: Days | null;
  /** The value of each entity over the window; null: the history has them. */
  readonly values: ReadonlyMap<string, number | null> | null;
  readonly means: { readonly now: number | null; readonly before: number | null };
  /** What the sentence above says of the same days. */
  readonly said: readonly Fact[];
  /** The address of the page of a mark; null: there is none. */
  readonly toMark: ((id: string) => string) | null;
}

/** The mean of the last seven days up to each day, weighted by their answers; null where none of them was measured. */
export function sevenDayMeans(points: HistorySeries['points']): Point[] {
  return points.map(({ date }, at) => {
    const days = points.slice(Math.max(0, at - MEAN_DAYS + 1), at + 1).filter(({ value }) => value !== null);
    const weight = days.reduce((sum, { sample_size }) => sum + sample_size, 0);
    const sum = days.reduce((all, { value, sample_size }) => all + value! * sample_size, 0);
    return { date, value: points[at]!.value === null || weight === 0 ? null : sum / weight };
  });
}

/** @param rival The id of the one competitor that is drawn; if omitted, the strongest are. */
export function historyBlock(reads: HistoryReads, rival?: string): Markup {
  const { metric, drawn, window, before, values, means } = reads;
  const scale = scaleOf(metric);
  const valued = drawn.body.series.map((series) => ({
    ...series,
    window_value: values === null ? series.window_value : (values.get(series.id) ?? null),
  }));
  const strongest = chartLines(valued, rival).slice(0, 1 + RIVALS);
  const chosen = strongest.map(({ series }) => series);
  const own = chosen[0];
  const first = own?.points.findIndex(({ value }) => value !== null) ?? -1;
  const heading = { id: 'line', read: drawn, title: `${title(metric)} by day` };
  // That there is nothing, and why, is what the sentence says.
  if (own === undefined || first < 0) return null;
  // Days before the first answer have nothing to show.
  const start = Math.min(first, Math.max(0, own.points.length - 2));
  const points = ({ points: all }: HistorySeries) => all.slice(start);
  const days = points(own).length;
  const isMean = days > MEAN_DAYS;
  const scaled = (all: readonly Point[]): Point[] =>
    all.map(({ date, value }) => ({ date, value: value === null ? null : scale.shown * value }));
  const unit = scale.suffix === '' ? '' : ' %';
  const plain = (value: number): string => value.toFixed(1);
  const title_ = `${headOf(metric)}${isMean ? ', mean of seven days' : ' by day'}`;
  const chart = lineChart({
    id: 'line-chart',
    title: title_,
    description: chosen.map(({ name }) => truncated(name, 40)).join(', '),
    lines: chosen.map((series) => {
      const value = series.window_value;
      return {
        name: series.name,
        isOwn: series.is_brand,
        points: scaled(isMean ? sevenDayMeans(points(series)) : points(series)),
        end: value === null ? '' : plain(scale.shown * value),
      };
    }),
    dots: isMean ? scaled(points(own)) : [],
    stretches: stretchesOf(points(own)),
    flags: flagsOf(drawn),
    unit,
    format: (value) => `${plain(value)}${unit}`,
  });
  return card(
    {
      ...heading,
      title: title_,
      about: isMean && before ? 'this window and the one before; dots: single days' : undefined,
    },
    html`${chart}${daysOf(own)}${flagList(
      flagsOf(drawn).filter(({ date }) => date >= window.start),
      reads.toMark,
    )}${noteOf(unsaid(reads))}`,
  );

  /** The days of the window as a table: what a pointer reads from the chart, for keyboards and screen readers. */
  function daysOf({ id }: HistorySeries): Markup {
    const at = drawn.body.series.findIndex((each) => each.id === id);
    const points = drawn.body.series[at]?.points ?? [];
    const begin = points.findIndex(({ date }) => date >= window.start);
    const all = begin < 0 ? [] : points.slice(begin);
    if (all.length < 2 || all.length > MOST_DAYS) return null;
    const field = `history.${rowName(id, at)}.points`;
    return html`<details class="numbers"><summary>Single days</summary><table class="list">
      <thead><tr><th scope="col">Day</th><th scope="col">${headOf(metric)}</th></tr></thead>
      <tbody>${all.map(({ date, value }, row) => html`<tr><th>${day(date)}</th><td>${numberField(`${field}.${begin + row}.value`, value, formatOf(metric))}</td></tr>`)}</tbody>
    </table></details>`;
  }

  function stretchesOf(shown: readonly Point[]): Stretch[] {
    const from = shown[0]!.date;
    const end = shown.at(-1)!.date;
    const both_: Stretch[] = [];
    if (before && from <= before.end)
      both_.push({
        start: from > before.start ? from : before.start,
        end: before.end,
        mean: means.before === null ? null : scale.shown * means.before,
        isShaded: true,
      });
    const first_ = window.start < from ? from : window.start;
    if (daysBetween(first_, end) >= 0 && isMean)
      both_.push({
        start: first_,
        end,
        mean: means.now === null ? null : scale.shown * means.now,
        isShaded: false,
      });
    return both_;
  }
}

/** What is not said above already, and is about the window: that of both has caveats of the days before. */
function unsaid({ drawn: { body }, before, said }: HistoryReads): Noted {
  const known = new Set(said.map((each) => JSON.stringify(each)));
  return noted(
    body.notes.filter(
      (each) =>
        !known.has(JSON.stringify(each)) && (before === null || OF_NAMES.some((code) => code === each.code)),
    ),
  );
}
const OF_NAMES: readonly NoteCode[] = ['names_measured_since', 'spelled_since', 'answers_searched'];

interface Flag {
  readonly date: string;
  readonly label: string;
  /** Of a mark; undefined: a new model. */
  readonly mark?: string;
}

/** Days on which an engine answered with a model for the first time, or on which somebody did something. */
const flagsOf = ({ body }: Loaded<'history'>): Flag[] =>
  [
    ...body.model_changes.map(({ engine, model, since }) => ({
      date: since,
      label: `${day(since)}: ${engineName(engine)} answers with ${model}`,
    })),
    ...body.marks.map((mark) => ({
      date: mark.day,
      mark: mark.id,
      label: `${day(mark.day)}: ${mark.text}`,
    })),
  ].sort((a, b) => compareText(a.date, b.date));

/** Beneath the chart the newest flag is told, and the newest mark, which leads to whether it helped; in the chart each tells itself. */
function flagList(flags: readonly Flag[], toMark: HistoryReads['toMark']): Markup {
  if (flags.length === 0) return null;
  const newestMark = flags.findLast(({ mark }) => mark !== undefined);
  const told = flags.filter((flag, at) => flag === newestMark || at === flags.length - 1);
  const words = ({ label, mark }: Flag) =>
    mark === undefined || toMark === null
      ? userText(label, 90)
      : html`<a href=${toMark(mark)}>${userText(label, 90)}</a>`;
  return html`<p class="foot">Flags are new models and marks. ${told.map((flag) => html`${words(flag)}. `)}</p>`;
}
