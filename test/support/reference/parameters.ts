import type { Window } from './days.js';
import { lengthOf } from './days.js';

export type Metric =
  | 'visibility'
  | 'presence_rate'
  | 'share_of_voice_fraction'
  | 'citation_share'
  | 'sentiment_index';
export type PresetDays = 7 | 14 | 28 | 56;

/**
 * Parameters as requested, without defaults: either `days`, or `from` and `to`, or none of them; `engines` may repeat ids and
 * have any order.
 */
export interface AdsParams {
  days?: PresetDays;
  from?: string;
  to?: string;
  engines?: string[];
}
export type SentimentParams = AdsParams;

/** What chooses runs: a run counts when it has one of the values of each list. Lists may repeat values. */
export interface SliceParams {
  from?: string;
  to?: string;
  engines?: string[];
  prompts?: string[];
  topics?: string[];
  tags?: string[];
  regions?: string[];
  surfaces?: string[];
}

/** What chooses answers besides a slice; ids with commas between. */
export interface AnswersParams extends SliceParams {
  cites?: string;
  names?: string;
  without?: string;
  tone?: 'negative' | 'neutral' | 'positive';
}

export interface HistoryParams extends AdsParams, SliceParams {
  metric: Metric;
  competitors?: boolean;
}

/** The requested custom range; null for a preset or the default. */
export function customWindow(params: SliceParams): Window | null {
  return params.from !== undefined && params.to !== undefined ? { start: params.from, end: params.to } : null;
}

export function daysAsked(params: AdsParams, defaultDays: PresetDays): number {
  const custom = customWindow(params);
  return custom === null ? (params.days ?? defaultDays) : lengthOf(custom);
}

/** The parameters by their names in the contract. A list, as `engines`, is one text and has the name of an element. */
export function argumentsOf(
  params: SentimentParams | AdsParams | HistoryParams | SliceParams,
): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) =>
      Array.isArray(value) ? [name.slice(0, -1), value.join(',')] : [name, value],
    ),
  );
}

/** The same as a query string, without a leading `?`. */
export function queryOf(params: Parameters<typeof argumentsOf>[0]): string {
  return new URLSearchParams(
    Object.entries(argumentsOf(params)).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}
