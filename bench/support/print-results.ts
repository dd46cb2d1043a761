import { type Result, verdictOf } from './bench.js';

/** Prints the lines of a bench as a table on standard output. */
export function printResults(results: readonly Result[]): void {
  const rows = results.map((each) => [
    each.name,
    each.measured,
    each.opponent,
    each.ratio?.toFixed(2) ?? '',
    each.target,
    verdictOf(each),
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
