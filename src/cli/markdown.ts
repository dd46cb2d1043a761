import { type Marks, printable } from './marks.js';
import { type Column, headOf } from './view.js';

/** The two first lines of a Markdown table. */
export function markdownHead<Row>(columns: readonly Column<Row>[]): string {
  const rule = columns.map(({ align }) => (align === 'right' ? '--:' : ':--'));
  return line(columns.map(headOf)) + line(rule);
}

export function markdownRow<Row>(
  columns: readonly Column<Row>[],
  row: Row,
  uncertain: boolean,
  marks: Marks,
): string {
  return line(
    columns.map((column) => {
      const text = escaped(marks.cell(column, row, uncertain));
      const address = column.link?.(row);
      return address && text
        ? `[${text}](<${printable(address).replace(/[<>|]/g, encodeURIComponent)}>)`
        : text;
    }),
  );
}

export const markdownLine = (cells: readonly string[]): string => line(cells.map(escaped));

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

/** Texts of others must neither end a cell nor become markup. */
const escaped = (text: string): string =>
  text
    .replace(/[\\|`*_[\]]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
