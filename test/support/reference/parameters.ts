import type { Window } from './days.js';
import { lengthOf } from './days.js';

export type Metric = 'visibility' | 'share_of_voice_fraction' | 'citation_share' | 'sentiment_index';
export type PresetDays = 7 | 14 | 28 | 56;

/** Parameters as requested, without defaults; `engines` may repeat ids and have any order. */
export interface SentimentParams {
  days?: PresetDays;
  engines?: string[];
}

/** Either `days`, or `from` and `to`, or none of them. */
export interface AdsParams extends SentimentParams {
  from?: string;
  to?: string;
}

export interface HistoryParams extends AdsParams {
  metric: Metric;
  competitors?: boolean;
}

/** The requested custom range; null for a preset or the default. */
export function customWindow(params: AdsParams): Window | null {
  return params.from !== undefined && params.to !== undefined ? { start: params.from, end: params.to } : null;
}

export function daysAsked(params: AdsParams, defaultDays: PresetDays): number {
  const custom = customWindow(params);
  return custom === null ? (params.days ?? defaultDays) : lengthOf(custom);
}

/** The parameters as a query string, without a leading `?`. */
export function queryOf(params: SentimentParams | AdsParams | HistoryParams): string {
  const { engines, ...others } = params;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(others)) query.set(name, String(value));
  if (engines !== undefined) query.set('engine', engines.join(','));
  return query.toString();
}
