/** Which stored runs a statement reads, for choices that the roll-ups do not distinguish. */
import type { WindowBindings } from './bindings.js';

/** A choice among the runs of a brand; null: of every prompt, in every region. */
export interface ChosenRuns {
  readonly promptKeys: readonly number[] | null;
  readonly regions: readonly string[] | null;
}

export const EVERY_RUN: ChosenRuns = { promptKeys: null, regions: null };

/** The chosen runs of a window on some engines. */
export interface ChosenBindings extends WindowBindings, ChosenRuns {}

/** The table and the condition of the chosen runs between two days. @param first, last Names of bindings. */
export const chosenRuns = (first = ':start', last = ':end'): string =>
  `runs where brand_key = :brandKey and day between ${first} and ${last} and engine = any(:engines)
     and (cast(:promptKeys as integer[]) is null or prompt_key = any(cast(:promptKeys as integer[])))
     and (cast(:regions as text[]) is null or region = any(cast(:regions as text[])))`;
