/** A line of a bench: what was measured, next to its opponent from the same run. */
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

/** Whether the target was met; empty: nothing was promised, or not measured. */
export const verdictOf = ({ met }: Result): string => (met === null ? '' : met ? 'met' : 'missed');

/** The heads of a table of results. */
export const RESULT_HEADS = ['what', 'measured', 'opponent', 'ratio', 'target', ''];

/** The row of a result. @param verdict As the table shows it. */
export const cellsOf = (result: Result, verdict = verdictOf(result)): string[] => {
  const { name, measured, opponent, ratio, target } = result;
  return [name, measured, opponent, ratio?.toFixed(2) ?? '', target, verdict];
};

/** A figure and the most that it should be. */
export const atMost = (name: string, value: number, target: number, unit: string): Result => ({
  name,
  measured: `${value.toFixed(2)} ${unit}`,
  opponent: '',
  ratio: null,
  target: `≤ ${target} ${unit}`,
  met: value <= target,
});

/** A cost next to that of an opponent, and the most that it may be of it; no target: nothing is promised. */
export function costOf(
  name: string,
  own: number,
  opponent: string,
  other: number,
  { unit, target, digits = 1 }: { unit: string; target?: number | undefined; digits?: number },
): Result {
  const ratio = own / other;
  return {
    name,
    measured: `${own.toFixed(digits)} ${unit}`,
    opponent: `${opponent}: ${other.toFixed(digits)} ${unit}`,
    ratio,
    target: target === undefined ? '' : `≤ ${target} ×`,
    met: target === undefined ? null : ratio <= target,
  };
}
