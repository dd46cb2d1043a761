/** How `svc diff` shows a window beside the window of equal length before. */
import { capital, label } from '../../../contract/glossary.js';
import { verdict, verdictReason, windowInterval } from '../../../contract/intervals.js';
import type { BrandRef } from '../../../contract/read.js';
import {
  type History,
  historyMetricNames,
  historySeries,
  historyTrend,
} from '../../../contract/reads/history.js';
import { type Infer, nullable, object, oneOf } from '../../../contract/schema.js';
import type { Document } from '../../render/document.js';
import { shownMetric } from '../../render/metric.js';
import type { ObjectView } from '../../render/object-format.js';
import { choicesOf } from '../../render/slice.js';
import { changeColumn, changeSentence, radiusMeans, withRadius } from '../../render/uncertainty.js';
import { type Column, counted, type TableView, text } from '../../render/view.js';
import { enginesText, measuredPart, period } from '../../render/wording.js';

const row = object({
  metric: oneOf(historyMetricNames, 'The metric'),
  value: historySeries.fields.window_value,
  interval: windowInterval,
  previous: nullable(historyTrend.fields.previous_window_value),
  delta: historyTrend.fields.delta,
  delta_unit: nullable(historyTrend.fields.delta_unit),
  difference: historyTrend.fields.difference,
  verdict,
  reason: verdictReason,
});
export type DiffRow = Infer<typeof row>;

export interface Diff {
  readonly brand: BrandRef;
  readonly window: History['window'];
  readonly engines: History['engines'];
  readonly slice: History['slice'];
  readonly measured: History['measured'];
  readonly note: History['note'];
  readonly metrics: readonly DiffRow[];
}

/** Of the histories of several metrics over one window. */
export function diffOf(histories: readonly History[]): Diff {
  const { brand, window, engines, slice, measured, note } = histories[0]!;
  return { brand, window, engines, slice, measured, note, metrics: histories.map(rowOf) };
}

function rowOf({ metric, series, note }: History): DiffRow {
  const { window_value: value, interval, trend } = series[0]!;
  const {
    previous_window_value: previous = null,
    delta = null,
    delta_unit = null,
    difference = null,
  } = trend ?? {};
  const judged = trend ?? { verdict: 'unknown' as const, reason: note };
  return {
    metric,
    value,
    interval,
    previous,
    delta,
    delta_unit,
    difference,
    verdict: judged.verdict,
    reason: judged.reason,
  };
}

export const diffView: ObjectView<Diff, DiffRow> = {
  schema: row,
  rows: ({ metrics }) => metrics,
  table: () => table,
  draw: (data, document) => draw(data, document),
};

const shownValue = (head: string, textOf: (row: DiffRow) => string | null): Column<DiffRow> => ({
  head,
  text: textOf,
  align: 'right',
  measured: true,
});

const table: TableView<DiffRow> = {
  noun: 'metrics',
  stacks: true,
  columns: [
    text('metric', ({ metric }) => `${shownMetric(metric).name} (${shownMetric(metric).scale})`),
    {
      ...shownValue('value', ({ metric, value, interval }) => withRadius(metric, value, interval)),
      explains: ({ value, interval }) => radiusMeans(value, interval),
    },
    changeColumn('change', ({ metric, value, ...change }) => ({ metric, value, change })),
    shownValue(label('before'), ({ metric, previous }) => withRadius(metric, previous, null)),
  ],
};

function draw({ brand, window, engines, slice, measured, metrics }: Diff, document: Document): void {
  document.title(
    `${brand.name} · ${[period(window), ...measuredPart(window, measured)].join(', ')}`,
    [enginesText(engines), ...choicesOf({ slice })].join(', '),
  );
  document.table(null, table, metrics);
  const moved = metrics.filter((each) => each.verdict === 'up' || each.verdict === 'down');
  document.sentences(
    ...moved.map(sentenceOf),
    ...(moved.length > 0 ? [] : [unmoved(metrics, counted(window.days, 'day'))]),
    ...(measured === null ? ['`svc history` shows the last days that have answers.'] : []),
  );
}

const unmoved = (metrics: readonly DiffRow[], days: string): string =>
  metrics.every((each) => each.verdict === 'unknown')
    ? `Whether anything moved against the ${days} before is unknown.`
    : `Nothing moved clearly against the ${days} before.`;

/** A sentence on one metric: `Visibility moved down against the window before: from 30.1 to 26.0.` */
export function sentenceOf({ metric, value, ...rest }: DiffRow): string {
  const { name } = shownMetric(metric);
  return changeSentence(capital(name), metric, value, rest, 'the window before');
}
