/** W3C extended logs (CloudFront, IIS, IIS Advanced Logging): a `#Fields:` line names the columns of the rows below it. */

const directive = '#Fields:';

/** The column names that a comment line declares, null when it declares none. */
export function w3cColumns(comment: string): string[] | null {
  if (!comment.startsWith(directive)) return null;
  const columns = comment.slice(directive.length).trim().split(/\s+/);
  return columns[0] === '' ? null : columns;
}

/** One row by column name, without the columns that are `-`; null when the line does not have those columns. */
export function w3cRow(line: string, columns: readonly string[]): Record<string, string> | null {
  const text = line.trimEnd();
  let cells = text.split(line.includes('\t') ? '\t' : ' ');
  if (cells.length !== columns.length) cells = quotedCells(text);
  if (cells.length !== columns.length) return null;
  const row: Record<string, string> = {};
  columns.forEach((column, i) => {
    const cell = cells[i] as string;
    if (cell !== '-') row[column] = cell;
  });
  return row;
}

/**
 * IIS Advanced Logging separates cells by spaces, quotes values that may contain a space, and doubles quotes in them.
 */
const quotedCells = (text: string): string[] =>
  Array.from(text.matchAll(/"((?:[^"]|"")*)"(?!\S)|\S+/g), ([word, quoted]) =>
    quoted === undefined ? word : quoted.replaceAll('""', '"'),
  );
