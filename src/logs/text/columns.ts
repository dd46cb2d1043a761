/** Reads logs with a line of column names and rows below it. */
import { csvColumns, csvRow } from './csv.js';
import { w3cColumns, w3cRow } from './w3c.js';

/** A row by column name; null for a line that is not a row. */
export type RowReader = (line: string) => Record<string, string> | null;

/** The reader of the rows below a comment line, null when the line names no columns. */
export function rowsBelowComment(comment: string): RowReader | null {
  const columns = w3cColumns(comment);
  return columns && ((line) => w3cRow(line, columns));
}

/** The same for rows below any other line. */
export function rowsBelow(line: string): RowReader | null {
  const columns = csvColumns(line);
  return columns && ((row) => csvRow(row, columns));
}
