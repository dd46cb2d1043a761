import { printableJson } from '../../contract/printable.js';
import type { Read } from '../../contract/read.js';
import { csv, mainRowSchema, mainRows, tsv, valuesOf } from '../../contract/rows.js';
import type { Schema } from '../../contract/schema.js';
import { Document } from './document.js';
import { markdownHead, markdownRow } from './markdown.js';
import { firstRows, type Picked, tableOf } from './picked.js';
import { GrowingTable } from './table.js';
import { outputWidth } from './terminal.js';
import { Footnotes, type TableView } from './view.js';

export const formats = ['table', 'tsv', 'json', 'ndjson', 'csv', 'md'] as const;
/** The output format of a read; `raw-csv` is csv with the texts of the API unchanged. */
export type Format = (typeof formats)[number] | 'raw-csv';

/** Formats rows in batches, so that the first batch can be printed before the last one is known. */
interface RowWriter<Row> {
  /** The text of a batch; the text of the first batch, even of an empty one, begins with the head. */
  add(rows: readonly Row[]): string;
  /** The lines that explain the marks in the text. */
  readonly footnotes: readonly string[];
}

/** The format where none is asked for: a table on a terminal, else rows that programs read. */
export const defaultFormat = (): Format => (process.stdout.isTTY ? 'table' : 'tsv');

/** The writer of a format. `json` has none: it prints the payload as a whole. */
export function rowWriter<Row>(
  format: Exclude<Format, 'json'>,
  view: TableView<Row>,
  picked: Picked,
): RowWriter<Row> {
  const { fields, columns, isNarrowed } = picked;
  switch (format) {
    case 'table':
      return view.items && !isNarrowed ? itemWriter(view, view.items) : tableWriter(tableOf(view, picked));
    case 'md':
      return markdownWriter(tableOf(view, picked));
    case 'tsv':
      return withHead((rows) => tsv(fields, rows));
    case 'csv':
      return withHead((rows, first) => csv(columns, rows, first));
    case 'raw-csv':
      return withHead((rows, first) => csv(columns, rows, first, (text) => text));
    case 'ndjson':
      return withHead((rows) =>
        rows.map((row) => `${printableJson(isNarrowed ? valuesOf(row, fields) : row)}\n`).join(''),
      );
  }
}

/** JSON as the API sent it: indented on a terminal, else on one line. */
export const json = (payload: unknown): string =>
  `${printableJson(payload, process.stdout.isTTY ? 2 : undefined)}\n`;

function tableWriter<Row>(view: TableView<Row>): RowWriter<Row> {
  const table = new GrowingTable(view, outputWidth());
  let empty = true;
  return {
    add(rows) {
      // A head without rows looks like a failure; a footnote states that there are no rows.
      if (empty && rows.length === 0) return '';
      empty = false;
      return table.add(rows);
    },
    get footnotes() {
      return empty ? [`No ${view.noun}.`] : table.footnotes;
    },
  };
}

function itemWriter<Row>(
  { noun }: TableView<Row>,
  items: NonNullable<TableView<Row>['items']>,
): RowWriter<Row> {
  let empty = true;
  return {
    add(rows) {
      if (rows.length === 0) return '';
      const document = new Document(outputWidth());
      for (const { heading, lines } of items(rows))
        document.item(
          heading,
          ['bold'],
          lines.map((line) => ['', line]),
        );
      const text = empty ? document.text : `\n${document.text}`;
      empty = false;
      return text;
    },
    get footnotes() {
      return empty ? [`No ${noun}.`] : [];
    },
  };
}

function markdownWriter<Row>(view: TableView<Row>): RowWriter<Row> {
  const { columns, uncertain, legend } = view;
  const footnotes = new Footnotes();
  const text = (row: Row) => markdownRow(columns, row, uncertain?.(row) ?? false, footnotes);
  const writer = withHead<Row>(
    (rows, first) => (first ? markdownHead(columns) : '') + rows.map(text).join(''),
  );
  return {
    add: writer.add,
    get footnotes() {
      return [...footnotes.lines, ...(legend === undefined ? [] : [legend])];
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

/** How an object around rows is shown: the table format shows all of it, the other formats only its main rows. */
export interface ObjectView<Data, Row> extends Drawing<Data, Row> {
  readonly rows: (data: Data) => readonly Row[];
  readonly schema: Schema;
}

/** The parts of the view that the contract does not define. */
export interface Drawing<Data, Row> {
  /** The table of the main rows. */
  readonly table: TableView<Row> | ((data: Data) => TableView<Row>);
  /** The lines above that table, where it is all that a terminal shows; the first is the heading. */
  readonly title?: (data: Data) => readonly string[];
  /** Whether `draw` itself keeps to `--limit`; if omitted, a limited table has the main rows only. */
  readonly isLimited?: boolean;
  /** What a terminal shows instead of title and table. */
  readonly draw?: ((data: Data, document: Document) => void) | undefined;
}

/** The view of a read, whose main rows the contract defines. */
export const viewOfRead = <Data extends object, Row>(
  read: Pick<Read, 'response' | 'rows' | 'mainRows'>,
  drawing: Drawing<Data, Row>,
): ObjectView<Data, Row> => ({
  ...drawing,
  schema: mainRowSchema(read),
  rows: (data) => mainRows(read, data) as readonly Row[],
});

export interface Shown {
  readonly text: string;
  readonly footnotes: readonly string[];
}

export const tableFor = <Data, Row>({ table }: Drawing<Data, Row>, data: Data): TableView<Row> =>
  typeof table === 'function' ? table(data) : table;

/** Formats an object around rows. With `--fields`, `--sort` or `--limit`, a table too has the main rows only. */
export function formatObject<Data, Row>(
  format: Format,
  view: ObjectView<Data, Row>,
  data: Data,
  picked: Picked,
): Shown {
  if (format === 'json') return { text: json(data), footnotes: [] };
  const table = tableFor(view, data);
  const isWhole = picked.limit === undefined || view.isLimited;
  if (format === 'table' && !picked.isNarrowed && !picked.compare && isWhole) {
    const document = new Document(outputWidth());
    if (view.draw) view.draw(data, document);
    else {
      const [heading = '', ...below] = view.title?.(data) ?? [];
      document.title(heading, ...below);
      document.table(null, table, view.rows(data));
    }
    return document;
  }
  const writer = rowWriter(format, table, picked);
  const text = writer.add(firstRows(view.rows(data), picked));
  return { text, footnotes: writer.footnotes };
}
