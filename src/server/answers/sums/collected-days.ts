import type { EntitySums } from '../../../contract/measures.js';
import { daysIn, liveSince } from '../../base/days.js';
import {
  type BrandWindow,
  type Db,
  type EngineBindings,
  plannedStatement,
  statement,
  type WindowBindings,
} from '../../base/statement.js';
import { IN_SCOPE, ofEntity } from './entity-sums.js';
import { type ChosenBindings, type ChosenRuns, chosenRuns, IN_PROMPTS } from './run-choice.js';

/** The first day with runs on some engines; null: they never ran. */
const firstRunDay = statement<{ day: string | null }, EngineBindings>(
  'first_run_day',
  'select min(day) as day from day_scope where brand_key = :brandKey and engine = any(:engines)',
);

/** The newest day with runs on some engines; null: they never ran. */
export const newestRunDay = statement<{ day: string | null }, EngineBindings>(
  'newest_run_day',
  'select max(day) as day from day_scope where brand_key = :brandKey and engine = any(:engines)',
);

/** The newest day with runs on some engines; of engines that never showed an answer, the newest day on which they were asked. */
export const newestAskedDay = statement<{ day: string | null }, EngineBindings>(
  'newest_asked_day',
  `select coalesce(
     (select max(day) from day_scope where brand_key = :brandKey and engine = any(:engines)),
     (select max(day) from day_outcomes where brand_key = :brandKey and engine = any(:engines))
   ) as day`,
);

/** The newest day of some engines that has stored statistics; null: no day has. */
const newestStatDay = statement<{ day: string | null }, EngineBindings>(
  'newest_stat_day',
  `select max(day) as day from daily_stats
   where brand_key = :brandKey and engine = any(:engines) and run_count > 0`,
);

/** The newest day on which some engines were asked, or that has their statistics; null: there is none. */
export async function newestDayOf(db: Db, bindings: EngineBindings): Promise<string | null> {
  const [[run], [stat]] = await Promise.all([newestAskedDay(db, bindings), newestStatDay(db, bindings)]);
  return [run!.day, stat!.day].reduce((a, b) => (a === null || (b !== null && b > a) ? b : a));
}

/** The same if it is one of the live days: older answers are of another time. */
export async function newestLiveDay(db: Db, bindings: EngineBindings, today: string): Promise<string | null> {
  const newest = await newestDayOf(db, bindings);
  return newest !== null && newest >= liveSince(today) ? newest : null;
}

/** The days since the first answer of some engines, with its own and today; 0: they have none. */
export async function daysCollected(db: Db, bindings: EngineBindings, today: string): Promise<number> {
  const [first] = await firstRunDay(db, bindings);
  return first!.day === null ? 0 : daysIn({ start: first!.day, end: today });
}

export const enginesWithRuns = statement<{ engine: string }, BrandWindow>(
  'engines_with_runs',
  'select distinct engine from day_scope where brand_key = :brandKey and day between :start and :end',
);

/** @param rows Rows of `day_scope`, or runs. */
const hasRows = (rows: string): string => `select exists (select 1 from ${rows}) as "hasRuns"`;

/** Whether a window has any run on some engines. */
export const windowHasRuns = statement<{ hasRuns: boolean }, WindowBindings>(
  'window_has_runs',
  hasRows(`day_scope where ${IN_SCOPE}`),
);

/** The days with runs of the chosen prompts on the blended engines. */
export const daysOfPrompts = plannedStatement<{ day: string }, BrandWindow & Pick<ChosenRuns, 'promptKeys'>>(
  'days_of_prompts',
  `select distinct day from day_prompt where brand_key = :brandKey and day between :start and :end and ${IN_PROMPTS}`,
);

/** Whether any run is chosen. Always one row. */
export const anyChosen = plannedStatement<{ hasRuns: boolean }, ChosenBindings>(
  'any_chosen',
  hasRows(chosenRuns()),
);

/** The day from which all runs of a brand are stored; null: none was ever pruned. */
export const runsSince = statement<{ day: string | null }, { brandKey: number }>(
  'runs_since',
  'select runs_since as day from brands where brand_key = :brandKey',
);

/** Whether runs of some engines were pruned from a window: days keep their number of runs. */
export const hasPrunedRuns = statement<{ pruned: boolean }, WindowBindings & { since: string }>(
  'has_pruned_runs',
  `select exists (
     select 1 from day_scope d
     where d.brand_key = :brandKey and d.day between :start and :end and d.day < cast(:since as date)
       and d.engine = any(:engines)
       and d.run_count > (
         select count(*) from runs r where r.brand_key = :brandKey and r.day = d.day and r.engine = d.engine)
   ) as pruned`,
);

export interface EngineDay {
  day: string;
  engine: string;
  runs: number;
  citations: number;
}

export type EngineDayEntity = EntitySums & { day: string; engine: string; entity: number };

interface DaysBindings extends Record<string, unknown> {
  brandKey: number;
  days: readonly string[];
}

export const engineDays = statement<EngineDay, DaysBindings>(
  'engine_days',
  `select day, engine, run_count as runs, citations from day_scope
   where brand_key = :brandKey and day = any(:days) order by day, engine`,
);

/** Sums of some days per engine and entity; entities that were not seen have no row. */
export const engineDayEntities = statement<EngineDayEntity, DaysBindings>(
  'engine_day_entities',
  `select day, engine, entity, ${ofEntity((column, sum) => `${column} as ${sum}`)}
   from day_entity where brand_key = :brandKey and day = any(:days)`,
);

/** Days of a window with runs on some engines whose statistics are not written yet, for some engine at least. */
export const unwrittenDays = statement<{ day: string }, WindowBindings>(
  'unwritten_days',
  `select distinct day from day_scope s
   where s.brand_key = :brandKey and s.day between :start and :end and s.engine = any(:engines)
     and not exists (
       select 1 from daily_stats d
       where d.brand_key = :brandKey and d.day = s.day and d.engine = s.engine and d.entity = 0 and not d.imported)
   order by day`,
);
