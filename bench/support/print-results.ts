import type { Result } from './bench.js';

const verdict = { true: 'met', false: 'missed', null: '' } as const;

/** Prints the lines of a bench as a table on standard output. */
export function printResults(results: readonly Result[]): void {
  const rows = results.map(({ name, measured, opponent, ratio, target, met }) => [
    name,
    measured,
    opponent,
    ratio === null ? '' : ratio.toFixed(2),
    target,
    verdict[`${met}`],
  ]);
  const table = [['what', 'measured', 'opponent', 'ratio', 'target', ''], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}
