import { cellsOf, RESULT_HEADS, type Result } from './bench.js';

/** Prints the lines of a bench as a table on standard output. */
export function printResults(results: readonly Result[]): void {
  const table = [RESULT_HEADS, ...results.map((each) => cellsOf(each))];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}
