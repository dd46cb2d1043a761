import type { Window } from '../days.js';
import { dayOf, horizonStart, isWithin, windowEndingOn } from '../days.js';
import type { EngineFilter } from '../engine-filter.js';
import { engineFilter } from '../engine-filter.js';
import type { Entity } from '../entities.js';
import { entitiesOf, inSeriesOrder } from '../entities.js';
import type { HistoryParams } from '../parameters.js';
import { customWindow, daysAsked } from '../parameters.js';
import type { BrandRecord, DailyStatRecord, DatasetRecord, RunRecord } from '../records.js';
import { recordsOfBrand, unshownRuns } from '../records.js';
import { newestDay } from '../runs.js';
import { runFilter } from '../slices.js';
import type { UrlRules } from '../url-rules/url-rules.js';
import { importedStats } from './daily-stats.js';

export const HISTORY_DAYS = 28;

/** The request for a brand, with the records that count for it. */
export interface Question {
  params: HistoryParams;
  today: string;
  filter: EngineFilter;
  source: 'runs' | 'daily_stats';
  /** T, whichever of them have a series. */
  tracked: Entity[];
  /** In scope, of all days: they place the window. */
  scoped: RunRecord[];
  /** Those of the slice. */
  runs: RunRecord[];
  /** Those of the slice without an answer. */
  unshown: RunRecord[];
  /** The days on which the engines in scope were asked, if they never answered. */
  askedDays: string[];
  imported: DailyStatRecord[];
  rules: UrlRules;
}

export function questionOf(
  records: DatasetRecord[],
  brand: BrandRecord,
  today: string,
  params: HistoryParams,
  rules: UrlRules,
): Question {
  const filter = engineFilter(params.engines);
  const custom = customWindow(params);
  const scoped = recordsOfBrand(records, 'run', brand.id).filter((run) => filter.counts(run.engine));
  const unshown = unshownRuns(records, brand.id).filter((run) => filter.counts(run.engine));
  const isChosen = runFilter(records, brand.id, params);
  return {
    params,
    today,
    filter,
    source: custom !== null && custom.start < horizonStart(today) ? 'daily_stats' : 'runs',
    tracked: inSeriesOrder(entitiesOf(records, brand)),
    scoped,
    runs: scoped.filter(isChosen),
    unshown: unshown.filter(isChosen),
    askedDays: scoped.length > 0 ? [] : unshown.map((run) => dayOf(run.collected_at)),
    imported: importedStats(records, brand.id).filter((record) => filter.counts(record.engine)),
    rules,
  };
}

/** Null where nothing was collected in scope or, for a preset, nothing within the live horizon. */
export function windowOf({ params, today, scoped, askedDays, imported }: Question): Window | null {
  const newest = newestDay([
    ...scoped.map((run) => dayOf(run.collected_at)),
    ...askedDays,
    ...imported.map((record) => record.date),
  ]);
  if (newest === null) return null;
  const custom = customWindow(params);
  if (custom !== null) return custom;
  const horizon = horizonStart(today);
  if (newest < horizon) return null;
  const { start, end } = windowEndingOn(newest, daysAsked(params, HISTORY_DAYS));
  return { start: start < horizon ? horizon : start, end };
}

const within = (window: Window, runs: RunRecord[]): RunRecord[] =>
  runs.filter((run) => isWithin(window, dayOf(run.collected_at)));

export const runsOf = ({ runs }: Question, window: Window): RunRecord[] => within(window, runs);
export const unshownOf = ({ unshown }: Question, window: Window): RunRecord[] => within(window, unshown);
