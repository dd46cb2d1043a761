/** What `svc diff` shows: a window against the one before, or two slices side by side. */

import type { ReadParams } from '../../contract/brand-reads.js';
import { capital, label } from '../../contract/glossary.js';
import { verdict, verdictReason, windowInterval } from '../../contract/intervals.js';
import { LOW_CONFIDENCE_BELOW_RUNS } from '../../contract/limits.js';
import { differenceText, type MeasureName, scaleOf } from '../../contract/measures.js';
import { brandRef } from '../../contract/read.js';
import {
  type History,
  history,
  historyMetricNames,
  historySeries,
  historyTrend,
} from '../../contract/reads/history.js';
import { type Overview, overview } from '../../contract/reads/overview.js';
import {
  type Infer,
  list,
  nullable,
  number,
  object,
  oneOf,
  text as textSchema,
} from '../../contract/schema.js';
import { windowRange } from '../../contract/slice.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import { dayOf } from '../base/flags.js';
import { CommandError } from '../command-error.js';
import type { Document } from '../render/document.js';
import type { Drawing } from '../render/format.js';
import { shownMetric } from '../render/metric.js';
import { changeColumn, changeSentence, radiusMeans, withRadius } from '../render/uncertainty.js';
import { type Column, counted, type TableView, text } from '../render/view.js';
import { headingLines, runsWords } from '../render/wording.js';
import { suggestion } from '../suggestion.js';
import { clientReads } from './client-reads.js';

/** Parameters of a request, by their names in the contract. */
export interface SliceParams {
  readonly [name: string]: unknown;
}

const HINT = 'As in: --with engine=perplexity, or --with from=2026-10-01 --with to=2026-10-07.';

/**
 * @param slice The first slice.
 * @param changes `NAME=VALUE`; without a value the parameter is absent.
 * @param names The parameters of a slice.
 * @throws CommandError `usage` for another form, an unknown name, a name that is given twice, and for the same slice.
 */
export function otherSlice(
  slice: SliceParams,
  changes: readonly string[],
  names: readonly string[],
): SliceParams {
  const changed = new Map<string, string>();
  for (const change of changes) {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(change) ?? [];
    if (name === undefined) throw usage(`--with ${change}: it takes NAME=VALUE.`);
    if (!names.includes(name))
      throw usage(`--with: unknown name: ${name}. Known are ${names.join(', ')}.${suggestion(name, names)}`);
    if (changed.has(name)) throw usage(`--with ${name} is given twice. Separate several values by commas.`);
    changed.set(name, value!);
  }
  const { ...other }: { [name: string]: unknown } = slice;
  for (const [name, value] of changed) {
    if (value === '') delete other[name];
    else other[name] = name === 'from' || name === 'to' ? dayOf(value) : value;
  }
  if (names.every((name) => other[name] === slice[name]))
    throw usage(`--with ${changes.join(' --with ')} is the same slice: there is nothing to compare.`);
  return other;
}

const usage = (message: string): CommandError => new CommandError('usage', message, { hint: HINT });

// Two slices of a brand side by side, each with its own intervals and without a verdict on their difference.

const { metric: _, competitors: __, ...historyParams } = history.params;
const diffParams = { ...historyParams, ...windowRange } as const;

const { window, slice, measured: days, run_count, low_confidence, note, notes } = overview.response.fields;

const side = object({ window, slice, measured: days, run_count, low_confidence, note, notes });
const comparedMetric = object({
  metric: oneOf(historyMetricNames, 'The metric'),
  a: historySeries.fields.window_value,
  a_interval: windowInterval,
  b: historySeries.fields.window_value,
  b_interval: windowInterval,
  difference: nullable(number('a − b in the unit of the metric, rounded as it; null: not measured')),
});
export const comparison = {
  params: diffParams,
  rows: 'metrics',
  response: object({
    brand: brandRef,
    a: side,
    b: side,
    metrics: list(comparedMetric, 'In the order of the scorecard'),
  }),
} as const;
export type ComparedMetric = Infer<typeof comparedMetric>;
export type Comparison = Infer<typeof comparison.response>;
type Side = Infer<typeof side>;

/** Reads the scorecards of two slices: two requests. */
export async function readComparison(
  svc: SvcClient,
  slices: readonly [SliceParams, SliceParams],
  options: CallOptions,
): Promise<Comparison> {
  const [a, b] = await Promise.all(
    slices.map((each) => clientReads(svc, options).load('overview', each as ReadParams)),
  );
  return comparisonOf(a!, b!);
}

/** Two scorecards side by side; a difference is null if a side was not measured. */
const comparisonOf = (a: Overview, b: Overview): Comparison => ({
  brand: a.brand,
  a: sideOf(a),
  b: sideOf(b),
  metrics: historyMetricNames.map((metric) => ({
    metric,
    a: a[metric],
    a_interval: a.intervals[metric],
    b: b[metric],
    b_interval: b.intervals[metric],
    difference: differenceOf(metric, a[metric], b[metric]),
  })),
});

const sideOf = ({ window, slice, measured, run_count, low_confidence, note, notes }: Overview): Side => ({
  window,
  slice,
  measured,
  run_count,
  low_confidence,
  note,
  notes,
});

type Metric = ComparedMetric['metric'];

function differenceOf(metric: Metric, a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null;
  return Number((a - b).toFixed(scaleOf(metric).digits));
}

// How `svc diff --with` shows two slices side by side.

export const comparisonView: Drawing<Comparison, ComparedMetric> = {
  table: () => comparisonTable,
  draw: drawComparison,
};

const comparisonSide = (name: 'a' | 'b'): Column<ComparedMetric> => {
  const pick = (row: ComparedMetric) => [row[name], row[`${name}_interval`]] as const;
  return {
    head: name.toUpperCase(),
    text: (row) => withRadius(row.metric, ...pick(row)),
    brief: (row) => withRadius(row.metric, row[name], null),
    explains: (row) => radiusMeans(row.metric, ...pick(row)),
    align: 'right',
    measured: true,
  };
};

/** The difference of the shown values, because that of the exact values may seem 0.1 wrong next to them. */
function shownDifference({ metric, a, b }: ComparedMetric): string | null {
  const { shown } = shownMetric(metric);
  const [shownA, shownB] = [a, b].map((value) => shown(value)?.toFixed(1));
  if (shownA === undefined || shownB === undefined) return null;
  return differenceText(metric, (Number(shownA) - Number(shownB)) / scaleOf(metric).shown);
}

const comparisonTable: TableView<ComparedMetric> = {
  noun: 'metrics',
  stacks: true,
  columns: [
    text('metric', ({ metric }) => `${shownMetric(metric).name} (${shownMetric(metric).scale})`),
    comparisonSide('a'),
    comparisonSide('b'),
    {
      head: 'A − B',
      text: shownDifference,
      align: 'right',
      measured: true,
      room: 'spare',
    },
  ],
};

function drawComparison({ brand, a, b, metrics }: Comparison, document: Document): void {
  document.title(brand.name, line('A', a), line('B', b));
  document.table(null, comparisonTable, metrics);
  document.sentences(
    ...uncertain('A', a),
    ...uncertain('B', b),
    'No verdict on A − B: the two intervals do not say whether the difference is chance. Only a window against ' +
      'the one just before has a verdict: svc diff without --with.',
  );
}

const line = (name: string, each: Side): string =>
  `${name}: ${runsWords(each)} · ${counted(each.run_count, 'answer')}`;

const uncertain = (name: string, { run_count, low_confidence }: Side): string[] =>
  low_confidence && run_count > 0
    ? [`${name} has fewer than ${LOW_CONFIDENCE_BELOW_RUNS} answers: low confidence.`]
    : [];

// How `svc diff` shows a window next to the window of equal length before.

const row = object({
  metric: oneOf(historyMetricNames, 'The metric'),
  value: historySeries.fields.window_value,
  interval: windowInterval,
  previous: nullable(historyTrend.fields.previous_window_value),
  delta: historyTrend.fields.delta,
  delta_unit: nullable(historyTrend.fields.delta_unit),
  difference: historyTrend.fields.difference,
  verdict,
  reason: verdictReason.reason,
  because: nullable(textSchema('Because of what it moved, in words; null: it did not')),
});
export type DiffRow = Infer<typeof row>;

export const diff = {
  params: diffParams,
  rows: 'metrics',
  response: object({
    brand: brandRef,
    window: history.response.fields.window,
    engines: history.response.fields.engines,
    slice: history.response.fields.slice,
    measured: history.response.fields.measured,
    note,
    notes,
    metrics: list(row, 'In the order of the scorecard'),
  }),
} as const;
export type Diff = Infer<typeof diff.response>;

/** The difference of a window from the one before, by the histories of several metrics. @param reasons Why metrics moved. */
export function diffOf(
  histories: readonly History[],
  reasons: ReadonlyMap<MeasureName, string> = new Map(),
): Diff {
  const { brand, window, engines, slice, measured, note, notes } = histories[0]!;
  const metrics = histories.map((each) => ({ ...rowOf(each), because: reasons.get(each.metric) ?? null }));
  return { brand, window, engines, slice, measured, note, notes, metrics };
}

function rowOf({ metric, series, note }: History): Omit<DiffRow, 'because'> {
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

export const diffView: Drawing<Diff, DiffRow> = { table: () => table, draw };

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
      brief: ({ metric, value }) => withRadius(metric, value, null),
      explains: ({ metric, value, interval }) => radiusMeans(metric, value, interval),
    },
    changeColumn('change', ({ metric, value, ...change }) => ({ metric, value, change })),
    shownValue(label('before'), ({ metric, previous }) => withRadius(metric, previous, null)),
  ],
};

function draw({ metrics, ...about }: Diff, document: Document): void {
  const { window, measured } = about;
  document.title(...headingLines(about));
  document.table(null, table, metrics);
  const moved = metrics.filter((each) => each.verdict === 'up' || each.verdict === 'down');
  document.sentences(
    ...moved.map((each) => [sentenceOf(each), each.because].filter(Boolean).join(' ')),
    ...(moved.length > 0 ? [] : [unmoved(metrics, counted(window.days, 'day'))]),
    ...(measured === null ? ['`svc history` shows the last days that have answers.'] : []),
  );
}

const unmoved = (metrics: readonly DiffRow[], days: string): string =>
  metrics.every((each) => each.verdict === 'unknown')
    ? `Whether anything moved against the ${days} before is unknown.`
    : `Nothing moved clearly against the ${days} before.`;

/** A sentence on one metric: `Visibility moved down against the window before: from 30.1 to 26.0.` */
export function sentenceOf({ metric, value, ...rest }: Omit<DiffRow, 'because'>): string {
  const { name } = shownMetric(metric);
  return changeSentence(capital(name), metric, value, rest, 'the window before');
}
