import type { Direction, MoveFacts, MoveKind } from '../../../contract/moves.js';

/** A move as it is found in the data, before it is known whether it was told. */
export interface FoundMove<K extends MoveKind = MoveKind> {
  readonly kind: K;
  /** What it is about, within its kind: the same subject is not told twice. */
  readonly subject: string;
  /** Where there is an opposite that reverts it. */
  readonly direction: Direction | null;
  /** The last day that it describes. */
  readonly day: string;
  readonly facts: MoveFacts[K];
  /** The days after the end of `day` until it can be found; if omitted, 0. */
  readonly grace?: number;
  /** What was told about the same up to this day is another move; if omitted, none is known to be. */
  readonly after?: string;
}
