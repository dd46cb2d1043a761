import { cellOf, type Marks } from './footnotes.js';
import { webAddress } from './links.js';
import { type Column, headOf } from './view.js';

/** The two first lines of a Markdown table. */
export function markdownHead<Row>(columns: readonly Column<Row>[]): string {
  const rule = columns.map(({ align }) => (align === 'right' ? '--:' : ':--'));
  return line(columns.map((column) => escaped(headOf(column)))) + line(rule);
}

export function markdownRow<Row>(
  columns: readonly Column<Row>[],
  row: Row,
  uncertain: boolean,
  marks: Marks,
): string {
  return line(
    columns.map((column) => {
      const cell = cellOf(column, row, uncertain);
      marks.show(column, cell);
      const text = escaped(cell.text);
      const address = webAddress(column.link?.(row));
      return address && text ? `[${text}](<${address.replace(/[<>|[\]`]/g, encodeURIComponent)}>)` : text;
    }),
  );
}

export const markdownLine = (cells: readonly string[]): string => line(cells.map(escaped));

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

/** Texts of others must neither end a cell nor become markup. */
export const escaped = (text: string): string =>
  text
    .replace(/[\\|`*_[\]]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
