import type { Schema } from '../../contract/schema.js';
import { csv } from './csv.js';
import { Marks } from './footnotes.js';
import { markdownHead, markdownRow } from './markdown.js';
import { outputWidth } from './output.js';
import { printableJson } from './printable.js';
import { GrowingTable } from './table.js';
import type { TableView } from './view.js';

/** What `--format` takes. */
export const formats = ['table', 'json', 'ndjson', 'csv', 'md'] as const;
/** How a read is printed; `raw-csv` is csv with the texts of the API untouched. */
export type Format = (typeof formats)[number] | 'raw-csv';

/** Turns rows that come in batches into text, so that the first can be printed before the last is known. */
export interface RowWriter<Row> {
  /** The text of a batch; the first one, even when empty, brings the head. */
  add(rows: readonly Row[]): string;
  /** What the marks in the text mean. */
  readonly footnotes: readonly string[];
}

/** The writer of a format other than `json`, which prints the payload as a whole. */
export function rowWriter<Row>(
  format: Exclude<Format, 'json'>,
  view: TableView<Row>,
  schema: Schema,
): RowWriter<Row> {
  switch (format) {
    case 'table':
      return tableWriter(view);
    case 'md':
      return markdownWriter(view);
    case 'csv':
      return withHead((rows, first) => csv(schema, rows, first));
    case 'raw-csv':
      return withHead((rows, first) => csv(schema, rows, first, (text) => text));
    case 'ndjson':
      return withHead((rows) => rows.map((row) => `${printableJson(row)}\n`).join(''));
  }
}

/** JSON as the API sent it: on one line for programs, indented for people at a terminal. */
export const json = (payload: unknown): string =>
  `${printableJson(payload, process.stdout.isTTY ? 2 : undefined)}\n`;

function tableWriter<Row>(view: TableView<Row>): RowWriter<Row> {
  const table = new GrowingTable(view, outputWidth());
  let empty = true;
  return {
    add(rows) {
      // A head above nothing looks like a failure; the footnote says that there is nothing.
      if (empty && rows.length === 0) return '';
      empty = false;
      return table.add(rows);
    },
    get footnotes() {
      return empty ? [`No ${view.noun}.`] : table.footnotes;
    },
  };
}

function markdownWriter<Row>(view: TableView<Row>): RowWriter<Row> {
  const { columns, uncertain, legend } = view;
  const marks = new Marks();
  const text = (row: Row) => markdownRow(columns, row, uncertain?.(row) ?? false, marks);
  const writer = withHead<Row>(
    (rows, first) => (first ? markdownHead(columns) : '') + rows.map(text).join(''),
  );
  return {
    add: writer.add,
    get footnotes() {
      return [...marks.footnotes, ...(legend === undefined ? [] : [legend])];
    },
  };
}

function withHead<Row>(text: (rows: readonly Row[], first: boolean) => string): RowWriter<Row> {
  let first = true;
  return {
    footnotes: [],
    add(rows) {
      const lines = text(rows, first);
      first = false;
      return lines;
    },
  };
}
