/** How often engines were asked, and how often they showed an answer: of the engines whose runs state their outcome. */
import { type Db, plannedStatement, type WindowBindings } from '../../base/statement.js';
import type { AskedDay } from '../metrics/shown.js';
import { runSumsByDay, windowSumsByDay } from './entity-sums.js';
import {
  type ChosenBindings,
  type ChosenRuns,
  EVERY_RUN,
  IN_PROMPTS,
  IN_REGIONS,
  ON_ENGINES,
  ON_SURFACES,
} from './run-choice.js';
import type { SliceSource } from './slice-sums.js';

/** The runs without an answer. An engine has a row for each day with a run that states its outcome. */
const unshownByDay = plannedStatement<{ day: string; engine: string; unshown: number }, ChosenBindings>(
  'unshown_by_day',
  `select day, engine, sum(unshown)::bigint as unshown
   from (
     select day, engine, unnest(prompt_keys) as prompt_key, unnest(unshown_runs) as unshown from day_outcomes
     where brand_key = :brandKey and day between :start and :end and ${ON_ENGINES} and ${IN_REGIONS} and ${ON_SURFACES}
     offset 0
   ) stated
   where ${IN_PROMPTS}
   group by day, engine`,
);

type RunsOfDay = { day: string; runs: number };

/** The runs with an answer, of some prompts, regions and surfaces. */
const listedByDay = plannedStatement<RunsOfDay, ChosenBindings>(
  'listed_runs_by_day',
  `select day, sum(runs)::bigint as runs
   from (
     select day, unnest(prompt_keys) as prompt_key, unnest(prompt_runs) as runs from day_engine_region_entities
     where brand_key = :brandKey and day between :start and :end and ${ON_ENGINES} and ${IN_REGIONS}
       and ${ON_SURFACES} offset 0
   ) asked
   where ${IN_PROMPTS}
   group by day`,
);

/**
 * The days of a window on which engines that state it were asked, in any order; null: no run states its outcome.
 * @param runs Null: all of them.
 * @param from What has the sums of the window.
 */
export async function askedByDay(
  db: Db,
  window: WindowBindings,
  runs: ChosenRuns | null,
  from: 'every run' | SliceSource,
): Promise<AskedDay[] | null> {
  const chosen = { ...window, ...(runs ?? EVERY_RUN) };
  const stated = await unshownByDay(db, chosen);
  if (stated.length === 0) return null;
  const engines = [...new Set(stated.map(({ engine }) => engine))];
  const runsByDay = from === 'every run' ? windowSumsByDay : from === 'runs' ? runSumsByDay : listedByDay;
  const days = new Map<string, { shown: number; unshown: number }>();
  for (const { day, runs: shown } of await runsByDay(db, { ...chosen, engines }))
    days.set(day, { shown, unshown: 0 });
  for (const { day, unshown } of stated) {
    const { shown, unshown: before } = days.get(day) ?? { shown: 0, unshown: 0 };
    days.set(day, { shown, unshown: before + unshown });
  }
  return [...days].map(([day, { shown, unshown }]) => ({ day, shown, asked: shown + unshown }));
}
