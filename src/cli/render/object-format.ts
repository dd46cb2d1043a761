import type { Schema } from '../../contract/schema.js';
import { Paper } from './document.js';
import { type Format, json, rowWriter } from './format.js';
import { outputWidth } from './output.js';
import type { TableView } from './view.js';

/** How an object around rows is shown: people get all of it, other formats its main rows. */
export interface SheetView<Data, Row> {
  readonly rows: (data: Data) => readonly Row[];
  /** The contract of one row. */
  readonly schema: Schema;
  /** The main rows as a table. */
  readonly table: (data: Data) => TableView<Row>;
  /** Puts everything on the paper. */
  readonly draw: (data: Data, paper: Paper) => void;
}

/** An object around rows in one of the formats, and what the marks in it mean. */
export function sheet<Data, Row>(
  format: Format,
  view: SheetView<Data, Row>,
  data: Data,
): { text: string; footnotes: readonly string[] } {
  if (format === 'json') return { text: json(data), footnotes: [] };
  if (format === 'table') {
    const paper = new Paper(outputWidth());
    view.draw(data, paper);
    return paper;
  }
  const writer = rowWriter(format, view.table(data), view.schema);
  const text = writer.add(view.rows(data));
  return { text, footnotes: writer.footnotes };
}
