/** Reads logs with a line of column names and rows below it. */

/**
 * Reads CSV that CDNs push: a row of column names, then rows. Only the names of Cloudflare's request fields are supported.
 */

const name = /^[A-Za-z_]\w*$/;
/** The required columns: a log without them yields no hits. */
const needed: ReadonlySet<string> = new Set([
  'ClientRequestURI',
  'ClientRequestPath',
  'ClientRequestUserAgent',
]);

/** The unquoted cells of one line; null for a line that is not CSV. */
function csvCells(line: string): string[] | null {
  const cells: string[] = [];
  const text = line.trimEnd();
  for (let at = 0; at <= text.length; ) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? closingQuote(text, at + 1) + 1 : commaFrom(text, at);
    if (end === 0 || (end < text.length && text[end] !== ',')) return null;
    cells.push(isQuoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end));
    at = end + 1;
  }
  return cells;
}

function commaFrom(text: string, from: number): number {
  const comma = text.indexOf(',', from);
  return comma === -1 ? text.length : comma;
}

/** Index of the quote that ends the cell, -1 without one; two quotes in a row are an escaped quote. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/** The column names in a line; null: it is another line. */
function csvColumns(line: string): string[] | null {
  if (!line.includes('ClientRequest')) return null;
  const cells = csvCells(line);
  const isHeader = cells?.every((cell) => name.test(cell)) && cells.some((cell) => needed.has(cell));
  return isHeader ? cells : null;
}

/** One row by column name, without its empty cells; null when the line does not have those columns. */
function csvRow(line: string, columns: readonly string[]): Record<string, string> | null {
  const cells = csvCells(line);
  if (cells?.length !== columns.length) return null;
  return Object.fromEntries(
    columns.map((column, i) => [column, cells[i]!]).filter(([, cell]) => cell !== ''),
  );
}

/** W3C extended logs (CloudFront, IIS, IIS Advanced Logging): a `#Fields:` line names the columns of the rows below it. */

const directive = '#Fields:';

/** The column names that a comment line declares, null when it declares none. */
function w3cColumns(comment: string): string[] | null {
  if (!comment.startsWith(directive)) return null;
  const columns = comment.slice(directive.length).trim().split(/\s+/);
  return columns[0] === '' ? null : columns;
}

/** One row by column name, without the columns that are `-`; null when the line does not have those columns. */
function w3cRow(line: string, columns: readonly string[]): Record<string, string> | null {
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

/** A row by column name; null for a line that is not a row. */
export type RowReader = (line: string) => Record<string, string> | null;

/** The reader of the rows below a comment line, null when the line names no columns. */
export function rowsBelowComment(comment: string): RowReader | null {
  const columns = w3cColumns(comment);
  return columns && ((line) => w3cRow(line, columns));
}

/** The reader of the rows below a line of a CSV file; null if the line names no columns. */
export function rowsBelow(line: string): RowReader | null {
  const columns = csvColumns(line);
  return columns && ((row) => csvRow(row, columns));
}
