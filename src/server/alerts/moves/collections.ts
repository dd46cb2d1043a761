/**
 * Days of which answers are missing: by what was noted of their collection, else by what the days before are like. Without
 * database and clock.
 */
import { COLLECTION_RHYTHM, type MoveFacts } from '../../../contract/moves.js';
import type { Collection } from '../../answers/collections.js';
import { addDays, everyDayOf, type Window, windowEnding } from '../../base/days.js';
import type { FoundMove } from './found.js';
import type { History } from './history.js';

const { rhythm: RHYTHM, least: LEAST, part: PART, grace: GRACE } = COLLECTION_RHYTHM;

type CollectionKind = 'collection_missed' | 'collection_incomplete' | 'collection_completed';

interface DayState<K extends CollectionKind = CollectionKind> {
  readonly kind: K;
  readonly facts: MoveFacts[K];
  readonly grace: number;
}

/** `unknown`: nothing says what was expected. `free`: a schedule planned nothing for the day. */
type State = DayState | 'unknown' | 'free';

/** The days before those that are looked at which tell about them. */
const LOOKED_BACK = 2 * RHYTHM;

export const collectionDaysFor = ({ start, end }: Window): Window => ({
  start: addDays(start, -LOOKED_BACK),
  end,
});

/**
 * What is told about some days: the first one that is missed or incomplete, and the first complete one after it.
 * @param collections Of `collectionDaysFor` these days, in any order.
 */
export function collectionMoves(
  { scopes }: Pick<History, 'scopes'>,
  collections: readonly Collection[],
  days: Window,
): FoundMove[] {
  const runs: DayRuns = new Map();
  for (const [engine, { totals }] of scopes)
    if (engine !== null)
      for (const [day, each] of totals) runs.set(day, (runs.get(day) ?? new Map()).set(engine, each.runs));
  const noted = new Map(collections.map((each) => [each.day, each]));
  let former: DayState | null = null;
  const found: FoundMove[] = [];
  for (const day of everyDayOf({ start: addDays(days.start, -RHYTHM), end: days.end })) {
    const state = stateOn(day, noted, runs);
    const isJudged = typeof state === 'string' || addDays(day, state.grace) <= days.end;
    if (state === 'free' || !isJudged) continue;
    if (state === 'unknown' || (former && isFaded(former, state, runs.get(day)))) {
      former = null;
      continue;
    }
    if (day >= days.start && isNews(state, former))
      found.push({ ...state, subject: 'collection', direction: null, day });
    former = state;
  }
  return found;
}

type DayRuns = Map<string, Map<string, number>>;

function isNews(state: DayState, former: DayState | null): boolean {
  if (state.kind === 'collection_completed') return former !== null && former.kind !== 'collection_completed';
  return JSON.stringify(wanting(state)) !== JSON.stringify(former && wanting(former));
}

/** Whether what was wrong is only not expected any more, because it has been missing for days. */
function isFaded(
  former: DayState,
  { kind }: DayState,
  runs: ReadonlyMap<string, number> = new Map(),
): boolean {
  if (kind !== 'collection_completed' || !('usual' in former.facts)) return false;
  const engines = 'engines' in former.facts ? former.facts.engines : [];
  return sum(runs) < PART * former.facts.usual || engines.some((engine) => !runs.has(engine));
}

/** What is wrong, without what differs from day to day. */
const wanting = ({ kind, facts }: DayState) => [
  kind,
  'engines' in facts ? facts.engines : [],
  'outcome' in facts ? facts.outcome : null,
];

function stateOn(day: string, noted: ReadonlyMap<string, Collection>, runs: DayRuns): State {
  const collection = noted.get(day);
  if (collection) return stateOf(collection);
  const before = everyDayOf(windowEnding(addDays(day, -1), RHYTHM));
  // A server that has a schedule notes each day of it.
  const isScheduled = before.some((each) => isOfSchedule(noted.get(each)));
  return isScheduled ? 'free' : usualState(day, before, runs);
}

const isOfSchedule = (collection: Collection | undefined): boolean =>
  collection !== undefined && (collection.dueAt !== null || collection.outcome === 'missed');

/** The state of a day that is over. Answers may still arrive if a call is waited for, or if no end is noted. */
function stateOf({ journal, outcome, reason, answered, waiting }: Collection): DayState {
  const grace = (waiting ?? 0) > 0 || (journal !== null && outcome === null) ? GRACE : 0;
  if (outcome === 'complete') return { kind: 'collection_completed', facts: { runs: answered ?? 0 }, grace };
  if (outcome === 'missed' || journal === null)
    return { kind: 'collection_missed', facts: { reason }, grace };
  return { kind: 'collection_incomplete', facts: { outcome: outcome ?? 'unended', reason }, grace };
}

/** Unknown: the days before have no rhythm, so that nothing was expected. */
function usualState(day: string, days: readonly string[], runs: DayRuns): State {
  const before = days.flatMap((each) => runs.get(each) ?? []);
  const engines = new Set(before.flatMap((each) => [...each.keys()]));
  const expected = [...engines].filter((engine) => before.filter((each) => each.has(engine)).length >= LEAST);
  if (expected.length === 0) return 'unknown';
  const usual = median(before.map(sum));
  const now = runs.get(day) ?? new Map<string, number>();
  const all = sum(now);
  if (all === 0) return { kind: 'collection_missed', facts: { usual }, grace: GRACE };
  const silent = expected.filter((engine) => !now.has(engine)).sort();
  if (silent.length > 0 || all < PART * usual)
    return { kind: 'collection_incomplete', facts: { engines: silent, runs: all, usual }, grace: GRACE };
  return { kind: 'collection_completed', facts: { runs: all }, grace: GRACE };
}

const sum = (runs: ReadonlyMap<string, number>): number => [...runs.values()].reduce((a, b) => a + b, 0);

/** The lower one of two middle values. */
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!;
