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
export function csvCells(line: string): string[] | null {
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
export function csvColumns(line: string): string[] | null {
  if (!line.includes('ClientRequest')) return null;
  const cells = csvCells(line);
  const isHeader = cells?.every((cell) => name.test(cell)) && cells.some((cell) => needed.has(cell));
  return isHeader ? cells : null;
}

/** One row by column name, without its empty cells; null when the line does not have those columns. */
export function csvRow(line: string, columns: readonly string[]): Record<string, string> | null {
  const cells = csvCells(line);
  if (cells?.length !== columns.length) return null;
  return Object.fromEntries(
    columns.map((column, i) => [column, cells[i]!]).filter(([, cell]) => cell !== ''),
  );
}
