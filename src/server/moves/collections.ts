/** Days of which too few answers were collected, by what the days before are like. Without database and clock. */
import { COLLECTION_RHYTHM, type MoveFacts } from '../../contract/moves.js';
import { addDays, everyDayOf, type Window, windowEnding } from '../days.js';
import type { FoundMove } from './found.js';
import type { History } from './history.js';

const { rhythm: RHYTHM, least: LEAST, part: PART } = COLLECTION_RHYTHM;

type CollectionKind = 'collection_missed' | 'collection_incomplete' | 'collection_completed';

interface DayState {
  readonly kind: CollectionKind;
  readonly facts: MoveFacts[CollectionKind];
}

/** What is told about some days: the first one that is missed or incomplete, and the first complete one after it. */
export function collectionMoves({ scopes }: History, days: Window): FoundMove[] {
  const runs = new Map<string, Map<string, number>>();
  for (const [engine, { totals }] of scopes)
    if (engine !== null)
      for (const [day, each] of totals) runs.set(day, (runs.get(day) ?? new Map()).set(engine, each.runs));
  return everyDayOf(days).flatMap((day) => {
    const state = stateOn(day, runs);
    const before = stateOn(addDays(day, -1), runs);
    if (!state || !isNews(state, before)) return [];
    return [{ ...state, subject: 'collection', direction: null, day }];
  });
}

function isNews(state: DayState, before: DayState | null): boolean {
  if (state.kind === 'collection_completed') return before !== null && before.kind !== 'collection_completed';
  return JSON.stringify(missing(state)) !== JSON.stringify(before && missing(before));
}

const missing = ({ kind, facts }: DayState) => [kind, 'engines' in facts ? facts.engines : []];

/** Null: the days before have no rhythm, so that nothing was expected. */
function stateOn(day: string, runs: ReadonlyMap<string, ReadonlyMap<string, number>>): DayState | null {
  const before = everyDayOf(windowEnding(addDays(day, -1), RHYTHM)).flatMap((each) => runs.get(each) ?? []);
  const engines = new Set(before.flatMap((each) => [...each.keys()]));
  const expected = [...engines].filter((engine) => before.filter((each) => each.has(engine)).length >= LEAST);
  if (expected.length === 0) return null;
  const usual = median(before.map(sum));
  const now = runs.get(day) ?? new Map<string, number>();
  const all = sum(now);
  if (all === 0) return { kind: 'collection_missed', facts: { usual } };
  const silent = expected.filter((engine) => !now.has(engine)).sort();
  if (silent.length > 0 || all < PART * usual)
    return { kind: 'collection_incomplete', facts: { engines: silent, runs: all, usual } };
  return { kind: 'collection_completed', facts: { runs: all } };
}

const sum = (runs: ReadonlyMap<string, number>): number => [...runs.values()].reduce((a, b) => a + b, 0);

/** The lower one of two middle values. */
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!;
