/** A line of a bench: what was measured, beside its opponent from the same run. */
export interface Result {
  name: string;
  measured: string;
  opponent: string;
  /** How many times as good as the opponent, or how many times its cost, as `target` says; null: not measured. */
  ratio: number | null;
  target: string;
  /** Null: nothing was promised, or not measured. */
  met: boolean | null;
}
