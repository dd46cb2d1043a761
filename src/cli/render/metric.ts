import { label } from '../../contract/glossary.js';
import { type MeasureName, measureNames, measureOf, scaleOf } from '../../contract/measures.js';
import { type HistoryMetric, historyMetricNames } from '../../contract/reads/history.js';
import { CommandError } from '../command-error.js';
import { suggestion } from '../suggestion.js';
import type { Bounds } from './chart.js';

/** How a metric of the history is shown in tables and charts: fractions as percentages. */
export interface ShownMetric {
  readonly name: string;
  readonly scale: string;
  readonly bounds: Bounds;
  /** Converts a value of the API to the shown number. */
  readonly shown: (value: number | null) => number | null;
}

const bounds: Bounds = { floor: 0, ceiling: 100, leastSpan: 10 };

const folded = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();

/** The metrics that `svc history` accepts, by their names in tables. */
export const metricNames: readonly string[] = historyMetricNames.map(label);

/** The metric with this name: the name in tables, the name in the contract, or a synonym. */
export const metricNamed = (word: string): HistoryMetric | undefined => named(word, historyMetricNames);

function named<M extends MeasureName>(word: string, among: readonly M[]): M | undefined {
  const name = folded(word);
  return among.find((id) => [folded(id), label(id), ...(measureOf(id).synonyms ?? [])].includes(name));
}

/**
 * The metric with a history that a word names.
 * @param place Where the word was typed; empty if the message names it already.
 * @throws CommandError `usage` for another word.
 */
export const knownMetric = (word: string, place = ''): HistoryMetric =>
  known(word, historyMetricNames, place);

/** The metric that a word names, whether or not it has a history. Parameters and errors as of `knownMetric`. */
export const knownMeasure = (word: string, place = ''): MeasureName => known(word, measureNames, place);

function known<M extends MeasureName>(word: string, among: readonly M[], place: string): M {
  const metric = named(word, among);
  if (metric !== undefined) return metric;
  const names = among.map(label);
  throw new CommandError(
    'usage',
    `${place && `${place}: `}Unknown metric: ${word}. Known are ${names.join(', ')}.${suggestion(word.toLowerCase(), names)}`,
  );
}

export function shownMetric(metric: HistoryMetric): ShownMetric {
  const { shown, range } = scaleOf(metric);
  return {
    name: label(metric),
    scale: range,
    bounds,
    shown: (value) => (value === null ? null : value * shown),
  };
}
