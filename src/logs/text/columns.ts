/** Logs of rows: a line above them names their columns. */
import { csvColumns, csvRow } from './csv.js';
import { w3cColumns, w3cRow } from './w3c.js';

/** A row by column name; null when the line is none. */
export type RowReader = (line: string) => Record<string, string> | null;

/** How to read the rows below a comment line, null when it names no columns. */
export function rowsBelowComment(comment: string): RowReader | null {
  const columns = w3cColumns(comment);
  return columns && ((line) => w3cRow(line, columns));
}

/** The same below any other line. */
export function rowsBelow(line: string): RowReader | null {
  const columns = csvColumns(line);
  return columns && ((row) => csvRow(row, columns));
}
