import { webAddress } from './terminal.js';
import { type Column, cellOf, type Footnotes, headOf } from './view.js';

/** The first two lines of a Markdown table: heads and alignment. */
export function markdownHead<Row>(columns: readonly Column<Row>[]): string {
  const rule = columns.map(({ align }) => (align === 'right' ? '--:' : ':--'));
  return line(columns.map((column) => escaped(headOf(column)))) + line(rule);
}

/** The line of a row. Its marks are added to the footnotes. */
export function markdownRow<Row>(
  columns: readonly Column<Row>[],
  row: Row,
  uncertain: boolean,
  footnotes: Footnotes,
): string {
  return line(
    columns.map((column) => {
      const cell = cellOf(column, row, uncertain);
      footnotes.add(column, cell);
      footnotes.explain(column.explains?.(row));
      const text = escaped(cell.text);
      const address = webAddress(column.link?.(row));
      return address && text ? `[${text}](<${address.replace(/[<>|[\]`]/g, encodeURIComponent)}>)` : text;
    }),
  );
}

export const markdownLine = (cells: readonly string[]): string => line(cells.map(escaped));

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

/** Escapes a text, so that it neither ends a cell nor becomes markup. */
export const escaped = (text: string): string =>
  text
    .replace(/[\\|`*_[\]]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
