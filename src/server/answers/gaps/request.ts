/** What the rows of every kind of gap are computed from. */

import { engineIds } from '../../../contract/engines.js';
import type { Window } from '../../base/days.js';
import type { Db } from '../../base/statement.js';
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

/** Bindings of a statement about the runs of the window. */
export const chosenIn = ({ brandKey, window, engines, runs, rows }: GapRequest) => ({
  ...{ brandKey, ...window, engines, engineBits: engineIds, rows },
  ...(runs ?? EVERY_RUN),
});

/** The bit of an engine in a mask, in SQL. */
export const ENGINE_BIT = '1 << array_position(cast(:engineBits as text[]), engine) - 1';
