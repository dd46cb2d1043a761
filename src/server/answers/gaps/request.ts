/** What the rows of every kind of gap are computed from. */
import { engineIds } from '../../../contract/engines.js';
import { everyDayOf, type Window } from '../../base/days.js';
import { type Db, plannedStatement } from '../../base/statement.js';
import { type ChosenRuns, EVERY_RUN } from '../sums/run-choice.js';

export interface GapRequest {
  readonly db: Db;
  readonly brandKey: number;
  readonly window: Window;
  /** The window of equal length just before. */
  readonly prior: Window;
  readonly engines: readonly string[];
  /** Which runs on these engines; null: all of them. */
  readonly runs: ChosenRuns | null;
  /** Whether the roll-ups have the sums; else the runs are read. */
  readonly rolledUp: boolean;
  /** The most rows. */
  readonly rows: number;
}

/** Bindings of a statement about the runs of the window, and of the one before. */
export const bindingsOf = ({ brandKey, window, prior, engines, runs, rows }: GapRequest) => ({
  brandKey,
  ...window,
  priorStart: prior.start,
  engines,
  engineBits: engineIds,
  rows,
  days: everyDayOf(window),
  priorDays: everyDayOf(prior),
  ...(runs ?? EVERY_RUN),
});

/** What a statement is written over: parts of it for the roll-ups, and for the runs. */
interface Sources<S> {
  readonly rollUp: S;
  readonly runs: S;
}

/** Runs a statement over the source that has the sums of a request. @param text The statement over a source. */
export function overSources<Row, S>(name: string, { rollUp, runs }: Sources<S>, text: (source: S) => string) {
  const create = (named: string, source: S) =>
    plannedStatement<Row, ReturnType<typeof bindingsOf> & { domain?: string }>(named, text(source));
  const [ofRollUp, ofRuns] = [create(name, rollUp), create(`${name}_of_runs`, runs)];
  return (request: GapRequest, more: { domain?: string } = {}): Promise<Row[]> =>
    (request.rolledUp ? ofRollUp : ofRuns)(request.db, { ...bindingsOf(request), ...more });
}

/** The bit of an engine in a mask, in SQL. */
export const ENGINE_BIT = '1 << array_position(cast(:engineBits as text[]), engine) - 1';
