import { type BodyOf, type ReadName, reads } from '../../contract/registry.js';
import { type MainRowOf, mainRowSchema, mainRows } from '../../contract/rows.js';
import type { Schema } from '../../contract/schema.js';
import { Document } from './document.js';
import { type Format, json, rowWriter } from './format.js';
import { outputWidth } from './output.js';
import { firstRows, type Picked } from './picked.js';
import type { TableView } from './view.js';

/** How an object around rows is shown: the table format shows all of it, the other formats only its main rows. */
export interface ObjectView<Data, Row> extends Drawing<Data, Row> {
  readonly rows: (data: Data) => readonly Row[];
  /** The schema of one row. */
  readonly schema: Schema;
}

/** The parts of the view that the contract does not define. */
export interface Drawing<Data, Row> {
  /** The main rows as a table. */
  readonly table: (data: Data) => TableView<Row>;
  /** Whether `draw` itself keeps to `--limit`; absent: a limited table has the main rows only. */
  readonly isLimited?: boolean;
  /** Adds all blocks to the document. */
  readonly draw: (data: Data, document: Document) => void;
}

/** The view of a read, whose main rows the contract defines. */
export const viewOfRead = <N extends ReadName>(
  name: N,
  drawing: Drawing<BodyOf<N>, MainRowOf<N>>,
): ObjectView<BodyOf<N>, MainRowOf<N>> => ({
  ...drawing,
  schema: mainRowSchema(reads[name]),
  rows: (data) => mainRows(reads[name], data) as readonly MainRowOf<N>[],
});

/** Formatted data, and the lines that explain the marks in it. */
export interface Shown {
  readonly text: string;
  readonly footnotes: readonly string[];
}

/** Formats an object around rows. With `--fields`, `--sort` or `--limit`, a table too has the main rows only. */
export function formatObject<Data, Row>(
  format: Format,
  view: ObjectView<Data, Row>,
  data: Data,
  picked: Picked,
): Shown {
  if (format === 'json') return { text: json(data), footnotes: [] };
  const isWhole = picked.limit === undefined || view.isLimited;
  if (format === 'table' && !picked.isNarrowed && !picked.compare && isWhole) {
    const document = new Document(outputWidth());
    view.draw(data, document);
    return document;
  }
  const writer = rowWriter(format, view.table(data), picked);
  const text = writer.add(firstRows(view.rows(data), picked));
  return { text, footnotes: writer.footnotes };
}
