import { CHART_COMPETITORS, chartLines } from '../../contract/chart-lines.js';
import { capital, label } from '../../contract/glossary.js';
import { printable } from '../../contract/printable.js';
import {
  type History,
  type HistoryMetric,
  type HistorySeries,
  history,
  historySeries,
} from '../../contract/reads/history.js';
import type { MainRow } from '../../contract/rows.js';
import { metricArgument } from '../base/metric-argument.js';
import { readCommand } from '../base/read-command.js';
import { type Line, legend, lineChart, sparkline } from '../render/chart.js';
import type { Document } from '../render/document.js';
import { knownMetric, metricNames, type ShownMetric, shownMetric } from '../render/metric.js';
import { trendText, verdictMeans, withInterval } from '../render/uncertainty.js';
import { type Column, columnsOf, count, counted, entity, type TableView, text } from '../render/view.js';
import {
  headingLines,
  markedDay,
  newModels,
  shellWord,
  shownSentences,
  today,
  UNFINISHED,
  UNFINISHED_MEANS,
} from '../render/wording.js';

export default readCommand(history, {
  inHelp: { group: 'VISIBILITY', place: 4 },
  description:
    'On a terminal a chart, with gaps where nothing was measured, and a row per entity with the change ' +
    'from the window of equal length before. Days are days of UTC; today is marked, because it is not over. ' +
    'Formats other than the table print one day of one entity per row.',
  examples: ['', 'share of voice --days 56 --competitors', 'sentiment --from 2026-09-01 --engine chatgpt'],
  ...metricArgument(metricNames, knownMetric, 'visibility'),
  isWatched: true,
  request:
    (svc, { days, from }) =>
    async (params, options) => {
      const data = await svc.history(params, options);
      // Without a window that was asked for, a brand that is collected no more shows its last days.
      if (data.measured !== null || days !== undefined || from !== undefined) return data;
      const { from: _, to: __, ...rest } = params;
      return svc.history(rest, options);
    },
  table: pointsView,
  draw,
});

const CHART_WIDTH = 80;
/** The number of newest days in a sparkline: fewer on a terminal of less than 100 columns. */
const sparkDays = (width: number | undefined): number => (width !== undefined && width < 100 ? 14 : 28);

/** A point of one entity. */
type HistoryRow = MainRow<typeof history>;

function draw(data: History, document: Document): void {
  const metric = shownMetric(data.metric);
  const { name, scale } = metric;
  const from = data.source === 'runs' ? 'from answers' : 'from nightly statistics';
  const [title, filters] = headingLines(data, `${capital(name)} (${scale})`);
  document.title(title, [filters, from, `metrics version ${data.metrics_version}`].join(' · '));
  const dates = data.series[0]?.points.map(({ date }) => date) ?? [];
  const lines = chartLines(data.series).map(
    ({ series, look }): Line => ({ name: printable(nameOf(series)), values: valuesOf(series, metric), look }),
  );
  const width = document.width ?? CHART_WIDTH;
  const isUnfinished = dates.at(-1) === today();
  const band = bandOf(data, metric);
  const { model_changes: models, marks } = data;
  const chart = lineChart(dates, lines, metric.bounds, width, {
    mark: isUnfinished ? UNFINISHED : '',
    band,
    days: [...models.map(({ since }) => since), ...marks.map(({ day }) => day)].map((day) =>
      dates.indexOf(day),
    ),
  });
  if (chart.length > 0) {
    document.lines([...chart, ...legend(lines, width)]);
    document.sentences(
      ...(isUnfinished ? [UNFINISHED_MEANS] : []),
      ...(band ? [`⠒ the 95 % interval of ${data.series[0]!.name} over the whole window`] : []),
      ...(models.length > 0 ? [`⠅ ${newModels(models)}`] : []),
      ...marks.map(({ id, day, text }) => `⠅ ${day}: ${text} (\`svc effect ${shellWord(id)}\`)`),
      ...withoutValue(data),
      ...shownSentences(data.shown),
      ...leftOut(data.series.length - lines.length),
    );
  } else document.sentences('Nothing to draw: no day has a measured value.');
  const newest = Math.min(dates.length || Number.POSITIVE_INFINITY, sparkDays(document.width));
  document.table(null, seriesView(data.metric, metric, newest), data.series);
}

/** A sentence on the competitors that the chart does not show. */
const leftOut = (count: number): string[] =>
  count === 0
    ? []
    : [`The chart has the ${CHART_COMPETITORS} strongest competitors; the table has ${count} more.`];

/** The interval of the brand as it is shown. */
function bandOf({ series }: History, { shown }: ShownMetric): readonly [number, number] | null {
  const interval = series[0]?.interval;
  return interval ? [shown(interval[0])!, shown(interval[1])!] : null;
}

/** A sentence that explains where the line of the brand has no value. */
function withoutValue({ series }: History): string[] {
  const points = series[0]?.points ?? [];
  const missing = points.filter(({ value }) => value === null);
  if (missing.length === 0) return [];
  const empty = missing.filter(({ sample_size }) => sample_size === 0).length;
  const reasons = [
    ...(empty > 0 ? [`${counted(empty, 'day')} without any answer`] : []),
    ...(missing.length > empty
      ? [`${counted(missing.length - empty, 'day')} with answers but nothing to measure`]
      : []),
  ];
  return [`No value of ${series[0]!.name} on ${reasons.join(' and ')}.`];
}

const nameOf = ({ name, is_brand }: { name: string; is_brand: boolean }) =>
  name + (is_brand ? ' (brand)' : '');
const valuesOf = ({ points }: HistorySeries, { shown }: ShownMetric) =>
  points.map(({ value }) => shown(value));

const value = <R>({ name, scale, shown }: ShownMetric, pick: (row: R) => number | null): Column<R> => ({
  head: name,
  scale,
  text: (one) => shown(pick(one))?.toFixed(1) ?? null,
  align: 'right',
  measured: true,
});

function pointsView({ metric: name, series }: History): TableView<HistoryRow> {
  const metric = shownMetric(name);
  const day = today();
  const hasToday = series.some(({ points }) => points.at(-1)?.date === day);
  return {
    noun: 'points',
    own: ({ is_brand }) => is_brand,
    ...(hasToday && { legend: UNFINISHED_MEANS }),
    columns: [
      text('date', ({ date }) => markedDay(date), { scale: 'UTC' }),
      entity,
      value(metric, (one) => one.value),
      count(label('answers'), ({ sample_size }) => sample_size),
    ],
  };
}

const ofSeries = columnsOf(historySeries);

const seriesView = (id: HistoryMetric, metric: ShownMetric, sparkDays: number): TableView<HistorySeries> => ({
  noun: 'series',
  own: ({ is_brand }) => is_brand,
  uncertain: ({ low_confidence }) => low_confidence,
  columns: [
    entity,
    withInterval(
      value(metric, ({ window_value }) => window_value),
      id,
      ({ window_value, interval }) => [window_value, interval],
    ),
    {
      head: 'change',
      text: (one) => trendText(id, one),
      explains: ({ trend }) => (trend ? verdictMeans(trend) : []),
      align: 'left',
    },
    text(
      `last ${counted(sparkDays, 'day')}`,
      (one) => sparkline(valuesOf(one, metric).slice(-sparkDays), metric.bounds),
      { room: 'spare' },
    ),
    ofSeries('window_run_count', { room: 'spare' }),
    {
      ...value<HistorySeries>(metric, ({ trend }) => trend?.previous_window_value ?? null),
      head: label('before'),
      room: 'spare',
    },
  ],
});
