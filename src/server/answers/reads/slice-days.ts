/** The days of a window that have answers, and what the other days have. */

import { fact, noted } from '../../../contract/notes.js';
import type { Fact } from '../../../contract/read.js';
import type { MeasuredDays } from '../../../contract/slice.js';
import type { Window } from '../../base/days.js';
import { plannedStatement, statement, type WindowBindings } from '../../base/statement.js';
import { enginesWithRuns, windowHasRuns } from '../sums/collected-days.js';
import type { NameGap } from '../sums/name-gaps.js';
import { type ChosenBindings, chosenRuns } from '../sums/run-choice.js';
import { gapFacts } from './name-notes.js';
import type { BrandSource, ReadContext } from './reader.js';
import { type Slice, slicedFields } from './slice.js';

interface CollectedDays {
  /** The first day of the window with runs; null: no day has runs. */
  first: string | null;
  last: string | null;
  /** Whether a day before the window has runs. */
  isOlder: boolean;
  /** Whether a day of the window before `first` has stored statistics; without `first`, any day of the window. */
  hasStatistics: boolean;
}

/** The days with runs on some engines, from the roll-ups. Always one row. */
const collectedDays = statement<CollectedDays, WindowBindings>(
  'collected_days',
  `select w.first, w.last,
     exists (
       select 1 from day_scope where brand_key = :brandKey and day < :start and engine = any(:engines)
     ) as "isOlder",
     exists (
       select 1 from daily_stats
       where brand_key = :brandKey and day between :start and :end and day < coalesce(w.first, date 'infinity')
         and engine = any(:engines) and run_count > 0
     ) as "hasStatistics"
   from (
     select min(day) as first, max(day) as last from day_scope
     where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   ) w`,
);

/** A day with chosen runs at one end of the window: days of the engines are tried in order, until one has a run. */
const chosenDay = (order: 'asc' | 'desc', days = ''): string => `(
  select d.day from (select day from collected ${days} order by day ${order} offset 0) d
  cross join lateral (select 1 from ${chosenRuns('d.day', 'd.day')} limit 1) r
  order by d.day ${order} limit 1)`;

/** The first and the last day of a window with chosen runs. Always one row. No day is tried twice. */
export const chosenDays = plannedStatement<Pick<CollectedDays, 'first' | 'last'>, ChosenBindings>(
  'chosen_days',
  `with collected as materialized (
     select distinct day from day_scope
     where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   ),
   earliest as materialized (select ${chosenDay('asc')} as day)
   select earliest.day as first, ${chosenDay('desc', 'where day >= earliest.day')} as last from earliest`,
);

interface Measured {
  readonly measured: MeasuredDays;
  /** Whether days without answers have imported statistics. */
  readonly hasStatistics: boolean;
  /** Why the window is measured in part or not at all; null: its first day has answers, or days before it have. */
  readonly caveat: readonly Fact[] | null;
}

/**
 * The measured days of a window, from the roll-ups.
 * @param known The days with answers, if the reader has them: then a window that begins with one of them costs nothing more.
 */
export async function measuredDays(
  context: BrandSource,
  { window, engines, runs }: Pick<Slice, 'window' | 'engines' | 'runs'>,
  known?: readonly string[],
): Promise<Measured> {
  const { db, brand } = context;
  const days = known?.filter((day) => day >= window.start && day <= window.end).sort();
  if (days?.[0] === window.start) return { measured: fromTo(days), hasStatistics: false, caveat: null };
  const bindings = { brandKey: brand.key, engines, ...window };
  const [[collected], [chosen]] = await Promise.all([
    collectedDays(db, bindings),
    days === undefined && runs !== null ? chosenDays(db, { ...bindings, ...runs }) : [],
  ]);
  const { first, last } = chosen ?? collected!;
  const measured = days ? fromTo(days) : between(first, last);
  // Where the engines have answers and the slice has none, the window is not what is missing.
  const isOther = measured === null && collected!.first !== null;
  const caveat = isOther ? null : caveatOf(collected!, window, measured);
  return { measured, hasStatistics: collected!.hasStatistics, caveat };
}

const between = (first: string | null, last: string | null): MeasuredDays =>
  first === null || last === null ? null : { first_day: first, last_day: last };

/** @param days Days with answers, oldest first. */
export const fromTo = (days: readonly string[]): MeasuredDays =>
  between(days[0] ?? null, days.at(-1) ?? null);

/**
 * Imported statistics are older than the live days, so a history of a window that holds some is served from them.
 * @param measured Chosen runs may begin later than those of the engines.
 */
function caveatOf(
  { first, isOlder, hasStatistics }: CollectedDays,
  { start, end }: Slice['window'],
  measured: MeasuredDays,
): Fact[] | null {
  if (first === null) return hasStatistics ? [fact('only_statistics', { start, end })] : null;
  if (first === start || isOlder) return null;
  const since = measured?.first_day ?? first;
  return [
    fact(since === first ? 'measured_since' : 'slice_measured_since', { since }),
    ...(hasStatistics ? [fact('statistics_before')] : []),
  ];
}

/**
 * The fields of a sliced read about its days.
 * @param options hasZeros: whether the JSON of the plain read has zeros that stand for “not measured”; days: the days with
 * answers, if the reader has them; gaps: of the entities that it measures.
 */
export async function daysFields(
  context: Pick<ReadContext, 'db' | 'brand'>,
  slice: Slice,
  {
    hasZeros = false,
    days,
    gaps = [],
  }: {
    readonly hasZeros?: boolean;
    readonly days?: readonly string[];
    readonly gaps?: readonly NameGap[];
  } = {},
) {
  const found = await measuredDays(context, slice, days);
  return {
    ...slicedFields(slice),
    measured: found.measured,
    ...noted([
      found.caveat ?? (found.measured ? null : await emptyNote(context, slice, found, hasZeros)),
      !found.caveat && !found.measured && context.brand.archived && context.brand.hasRuns && fact('archived'),
      gapFacts(context, gaps),
    ]),
  };
}

async function emptyNote(
  { db, brand }: Pick<ReadContext, 'db' | 'brand'>,
  { window: { start, end }, selection }: Slice,
  { hasStatistics }: Measured,
  hasZeros: boolean,
): Promise<Fact> {
  if (!brand.hasRuns) return fact('never_collected');
  if (selection !== null)
    return fact(hasStatistics ? 'empty_slice_with_statistics' : 'empty_slice', { start, end });
  const others = (await enginesWithRuns(db, { brandKey: brand.key, start, end })).map(({ engine }) => engine);
  if (others.length > 0) return fact('only_other_engines', { start, end, ids: others.sort() });
  return fact(hasZeros ? 'zeros_in_last_days' : 'not_in_window');
}

/** States that no run was collected on these engines in a window, or ever; null: there are runs. */
export async function noRunsNote(
  { db, brand }: ReadContext,
  engines: readonly string[],
  window: Window,
): Promise<Fact | null> {
  if (!brand.hasRuns) return fact('never_collected');
  const [found] = await windowHasRuns(db, { brandKey: brand.key, engines, ...window });
  return found!.hasRuns ? null : fact('not_in_window');
}
