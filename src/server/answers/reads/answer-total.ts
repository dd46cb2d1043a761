/** How many answers a list of answers has, on all of its pages. */
import { SEARCHED_ANSWERS } from '../../../contract/limits.js';
import { type Db, plannedStatement, statement, type WindowBindings } from '../../base/statement.js';
import {
  type ChosenBindings,
  chosenRuns,
  EVERY_RUN,
  IN_REGIONS,
  ON_ENGINES,
  ON_SURFACES,
} from '../sums/run-choice.js';
import { type ChosenAnswers, FILTERED, type FilterBindings } from './answer-filters.js';
import type { Slice } from './slice.js';

type Total = { total: number };

const everyRun = statement<Total, WindowBindings>(
  'total_of_answers',
  `select coalesce(sum(run_count), 0)::bigint as total from day_scope
   where brand_key = :brandKey and day between :start and :end and ${ON_ENGINES}`,
);

const ofRegions = plannedStatement<Total, Omit<ChosenBindings, 'promptKeys'>>(
  'total_of_answers_in_regions',
  `select coalesce(sum(run_count), 0)::bigint as total from day_engine_region_entities
   where brand_key = :brandKey and day between :start and :end and ${ON_ENGINES} and ${IN_REGIONS} and ${ON_SURFACES}`,
);

/** The newest runs, one more than are searched. */
const SOME = `(select * from ${chosenRuns()} order by day desc, id desc limit ${SEARCHED_ANSWERS + 1}) r`;

const ofChosen = plannedStatement<Total, ChosenBindings>(
  'total_of_chosen_answers',
  `select count(*) as total from ${SOME}`,
);

export const totalOfFiltered = plannedStatement<
  Total & { searched: number },
  ChosenBindings & FilterBindings
>(
  'total_of_filtered_answers',
  `select count(*) filter (where ${FILTERED}) as total, count(*) as searched from ${SOME}`,
);

/** Null: more answers would have to be searched than a request searches. */
export async function totalOf(
  db: Db,
  brandKey: number,
  { window, engines, runs }: Pick<Slice, 'window' | 'engines' | 'runs'>,
  chosen: ChosenAnswers | null,
): Promise<number | null> {
  const bindings = { brandKey, engines, ...window };
  if (chosen !== null) {
    if (chosen.bindings === null) return 0;
    const [row] = await totalOfFiltered(db, { ...bindings, ...(runs ?? EVERY_RUN), ...chosen.bindings });
    return row!.searched > SEARCHED_ANSWERS ? null : row!.total;
  }
  if (runs === null) return (await everyRun(db, bindings))[0]!.total;
  const { promptKeys, ...regions } = runs;
  if (promptKeys === null) return (await ofRegions(db, { ...bindings, ...regions }))[0]!.total;
  const { total } = (await ofChosen(db, { ...bindings, ...runs }))[0]!;
  return total > SEARCHED_ANSWERS ? null : total;
}
