import { engineIds, enginesOfMask } from '../../../contract/engines.js';
import { CAPS, SEARCHED_ANSWERS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import type { UntrackedName } from '../../../contract/reads/names.js';
import { plannedStatement } from '../../base/statement.js';
import { ENGINE_BIT } from '../gaps/request.js';
import { type ChosenBindings, chosenRuns, EVERY_RUN } from '../sums/run-choice.js';
import { cutPage, rowsToFetch } from './list-page.js';
import { brandRefOf, type Reader } from './reader.js';
import { requireRunsSince, sliceOf } from './slice.js';
import { daysFields } from './slice-days.js';

interface NameRow {
  name: string;
  answers: number;
  prompts: number;
  engines: number;
}

interface NamesBindings extends ChosenBindings {
  /** Every engine id, in the order of the bits of a mask. */
  engineBits: readonly string[];
  after: string | null;
  rows: number;
}

/** The newest answers that are searched. */
const SEARCHED = `(
  select * from ${chosenRuns()} order by day desc, id desc limit ${SEARCHED_ANSWERS}) r`;

/** The names of no entity; those that differ in case only are one. */
const namesIn = (order: string): string => `
  select name, answers, prompts, engines from (
    select mode() within group (order by n.name) as name, count(distinct m.run) as answers,
      count(distinct m.prompt_key) as prompts, bit_or(m.engine_bit) as engines
    from (
      select row_number() over () as run, prompt_key, ${ENGINE_BIT} as engine_bit, unnest(m_name) as name_key
      from ${SEARCHED} where not tracked_names offset 0
    ) m
    join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is null
    group by lower(n.name)
  ) named
  where cast(:after as text) is null or name collate "C" > :after
  order by ${order} limit :rows`;

export const topNames = plannedStatement<NameRow, NamesBindings>(
  'top_untracked_names',
  namesIn('answers desc, name collate "C"'),
);

export const namesByName = plannedStatement<NameRow, NamesBindings>(
  'untracked_names_by_name',
  namesIn('name collate "C"'),
);

/** How many answers are searched, and which of them list every name. Always one row. */
export const listedAnswers = plannedStatement<
  { searched: number; listed: number; since: string | null },
  ChosenBindings
>(
  'answers_with_all_names',
  `select count(*) as searched, count(*) filter (where not tracked_names) as listed, min(day) as since from ${SEARCHED}`,
);

export const reader: Reader<'names'> = async (context, params) => {
  const { db, brand, page } = context;
  const slice = await sliceOf(context, params);
  const { window, engines, runs } = slice;
  await requireRunsSince(context, window.start, params);
  const chosen = { brandKey: brand.key, ...window, engines, ...(runs ?? EVERY_RUN) };
  const bindings = { ...chosen, engineBits: engineIds, after: page?.after?.[0] ?? null };
  const [found, [answers], extent] = await Promise.all([
    page
      ? namesByName(db, { ...bindings, rows: rowsToFetch(page) })
      : topNames(db, { ...bindings, rows: CAPS.names }),
    listedAnswers(db, chosen),
    daysFields(context, slice),
  ]);
  const { rows, next_cursor } = page
    ? cutPage(page, found, ({ name }) => [name])
    : { rows: found, next_cursor: null };
  const { searched, listed, since } = answers!;
  return {
    brand: brandRefOf(brand),
    names: rows.map(({ engines, ...row }): UntrackedName => ({ ...row, engines: enginesOfMask(engines) })),
    listed_answers: listed,
    ...extent,
    ...noted([
      extent.notes,
      listed < searched && fact('tracked_names_only', { total: searched - listed }),
      searched === SEARCHED_ANSWERS && fact('names_of_newest', { total: SEARCHED_ANSWERS, since: since! }),
    ]),
    ...(page && { next_cursor }),
  };
};
