/** The engines and the window of a history request. */
import { blendedEngineIds, type EngineId } from '../../../../contract/engines.js';
import { errors } from '../../../../contract/errors.js';
import { type HistoryMetric, history } from '../../../../contract/reads/history.js';
import type { ParsedParamsOf } from '../../../../contract/registry.js';
import { daysIn, liveSince, type Window, windowEnding } from '../../../days.js';
import { refuse } from '../../../errors.js';
import { newestRunDay, newestStatDay } from '../../../queries/collected-days.js';
import type { ChosenRuns } from '../../../queries/run-choice.js';
import type { TrackedEntity } from '../../../queries/tracked-entities.js';
import { filtersIn } from '../../chosen-runs.js';
import type { ReadContext } from '../../reader.js';

export interface HistoryRequest {
  readonly metric: HistoryMetric;
  readonly engines: readonly EngineId[];
  readonly filter: readonly EngineId[] | null;
  /** The custom range; null: a preset. */
  readonly range: Window | null;
  /** Days asked for. */
  readonly days: number;
  readonly source: 'runs' | 'daily_stats';
}

/** A request with the entities it is about and the window it came to. */
export interface HistoryWindow {
  readonly request: HistoryRequest;
  /** Which runs on the engines; null: all of them. */
  readonly runs: ChosenRuns | null;
  /** Every tracked entity, the brand first: shares need them all. */
  readonly tracked: readonly TrackedEntity[];
  /** Those that get a series. */
  readonly shown: readonly TrackedEntity[];
  readonly window: Window;
}

/** @throws 400 for a metric, or for a choice of runs, that daily statistics do not allow. */
export function requestOf(params: ParsedParamsOf<'history'>, today: string): HistoryRequest {
  const { metric, engine: filter = null, from, to } = params;
  const engines = filter ?? blendedEngineIds;
  const range = from === undefined || to === undefined ? null : { start: from, end: to };
  const source = range && range.start < liveSince(today) ? 'daily_stats' : 'runs';
  if (range && source === 'daily_stats' && engines.length > 1 && metric !== 'visibility')
    throw refuse(errors.metricNotDerivable(metric, range.start, liveSince(today)));
  const [filterOfRuns] = filtersIn(params);
  if (range && source === 'daily_stats' && filterOfRuns !== undefined)
    throw refuse(errors.filterNeedsLiveDays(filterOfRuns, range.start, liveSince(today)));
  const days = range ? daysIn(range) : (params.days ?? history.params.days.default);
  return { metric, engines, filter, range, days, source };
}

/** The window, or the reason why it is empty. */
export type Placed =
  | { readonly window: Window; readonly clamped: boolean }
  | { readonly window: null; readonly newest: string | null };

/** A preset ends on the newest collected day, and begins no earlier than the live horizon. */
export async function placeWindow(
  { db, brand, today }: Pick<ReadContext, 'db' | 'brand' | 'today'>,
  { engines, range, days }: HistoryRequest,
): Promise<Placed> {
  const bindings = { brandKey: brand.key, engines };
  const [[run], [stat]] = await Promise.all([newestRunDay(db, bindings), newestStatDay(db, bindings)]);
  const newest = [run!.day, stat!.day].reduce((a, b) => (a === null || (b !== null && b > a) ? b : a));
  if (newest === null) return { window: null, newest };
  if (range) return { window: range, clamped: false };
  const live = liveSince(today);
  if (newest < live) return { window: null, newest };
  const { start, end } = windowEnding(newest, days);
  return start < live
    ? { window: { start: live, end }, clamped: true }
    : { window: { start, end }, clamped: false };
}
