import CliTable from 'cli-table3';
import { type Format, styled } from './colour.js';
import { type Extent, GAP, type Layout, layOut } from './layout.js';
import { linkable } from './links.js';
import { Marks, NOT_MEASURED } from './marks.js';
import { type Column, headOf, type TableView } from './view.js';

const noLines = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
};
const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };

/** An empty table without lines, its columns `GAP` apart. */
export const plainTable = (options: CliTable.TableConstructorOptions = {}): CliTable.Table =>
  new CliTable({ chars: { ...noLines, middle: ' '.repeat(GAP) }, style, ...options });

/** The table as text without the spaces that cli-table3 leaves at the end of lines. */
export const textOf = (table: CliTable.Table): string => `${table.toString().replace(/ +$/gm, '')}\n`;

/** A column as it is shown, and its place among all. */
interface Shown<Row> {
  readonly column: Column<Row>;
  readonly width: number;
  readonly place: number;
}

/** A cell, ready to be drawn. */
interface Placed {
  readonly text: string;
  readonly look: Format | undefined;
  readonly width: number;
  readonly align: 'left' | 'right';
  readonly href: string | undefined;
}

/**
 * A table that grows: the first rows decide how wide its columns are and which are shown, so that it can be printed while
 * later rows are still to come.
 */
export class GrowingTable<Row> {
  readonly #view: TableView<Row>;
  readonly #width: number | undefined;
  readonly #marks: Marks;
  #layout: Layout | undefined;

  /**
   * @param width Terminal columns; undefined: as wide as the texts are.
   * @param marks Those of other tables on the same sheet, so that a mark is explained once.
   */
  constructor(view: TableView<Row>, width: number | undefined, marks = new Marks()) {
    this.#marks = marks;
    this.#view = view;
    this.#width = width;
  }

  /** The lines of these rows, below the head where they are the first. */
  add(rows: readonly Row[]): string {
    const cells = rows.map((row) => this.#cells(row));
    const first = this.#layout === undefined;
    // Without a limit later texts are never cut; their columns just grow.
    if (first || this.#width === undefined) this.#layout = this.#fit(cells);
    const head = first ? this.#head() : '';
    return head + (rows.length === 0 ? '' : this.#body(rows, cells));
  }

  get footnotes(): string[] {
    const hidden = this.#view.columns.filter(
      (_, at) => this.#layout && this.#layout.widths[at] === undefined,
    );
    if (hidden.length === 0) return this.#marks.footnotes;
    const names = hidden.map((column) => column.head).join(', ');
    return [...this.#marks.footnotes, `not shown at this width: ${names}`];
  }

  #cells(row: Row): string[] {
    const uncertain = this.#view.uncertain?.(row) ?? false;
    return this.#view.columns.map((column) => this.#marks.cell(column, row, uncertain));
  }

  #fit(cells: readonly string[][]): Layout {
    const { columns } = this.#view;
    const bodies = widthsOf(columns, cells);
    const heads = widthsOf(columns, [columns.map(headOf)]);
    const words = widthsOf(columns, [columns.map((column) => headOf(column).replaceAll(' ', '\n'))]);
    const extents = columns.map(
      (column, at): Extent => ({
        body: Math.max(bodies[at]!, this.#layout?.widths[at] ?? 0),
        head: heads[at]!,
        narrowHead: words[at]!,
        room: column.room ?? 'fixed',
      }),
    );
    return layOut(extents, this.#width);
  }

  #head(): string {
    const shown = this.#shown();
    const table = plainTable({ colWidths: shown.map(({ width }) => width), rowAligns: ['bottom', 'bottom'] });
    const rule = shown.map(({ width }) => dim('─'.repeat(width)));
    const heads = shown.map(({ column, width }) => ({
      content: headOf(column),
      hAlign: column.align,
      vAlign: 'bottom' as const,
      wordWrap: headOf(column).length > width,
    }));
    table.push(heads, rule);
    return dimLines(textOf(table));
  }

  #body(rows: readonly Row[], cells: readonly string[][]): string {
    const shown = this.#shown();
    return rows.map((row, at) => this.#line(shown, row, cells[at]!)).join('');
  }

  #line(shown: readonly Shown<Row>[], row: Row, cells: readonly string[]): string {
    const look = this.#lookOf(row);
    const placed = shown.map(({ column, width: planned, place }) => {
      // A longer number on a later page pushes its row aside; cut, it would be another number.
      const text = column.room === undefined ? cells[place]! : short(cells[place]!, planned);
      const width = column.room === undefined ? Math.max(planned, widthOf(text)) : planned;
      return {
        text,
        look: text === NOT_MEASURED ? 'dim' : look,
        width,
        align: column.align,
        href: linkable(column.link?.(row)),
      };
    });
    return placed.every(({ text, href }) => href === undefined && latin.test(text))
      ? joined(placed)
      : drawn(placed);
  }

  /** How the row stands out. */
  #lookOf(row: Row): Format | undefined {
    if (this.#view.alarming?.(row)) return 'red';
    return this.#view.own?.(row) ? 'bold' : undefined;
  }

  #shown(): Shown<Row>[] {
    return this.#view.columns.flatMap((column, place) => {
      const width = this.#layout?.widths[place];
      return width === undefined ? [] : [{ column, width, place }];
    });
  }
}

/** The widest cell of each column; a head's lines are separate. */
function widthsOf(columns: readonly unknown[], rows: readonly string[][]): number[] {
  return columns.map((_, at) =>
    rows.reduce((widest, row) => Math.max(widest, ...row[at]!.split('\n').map(widthOf)), 0),
  );
}

/** Letters and punctuation of Latin scripts and the blocks of sparklines, all one column wide. */
const latin = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2581-\u2588]*$/;

/** Terminal columns of a text. Other scripts are measured by cli-table3, which is slow and knows them. */
function widthOf(text: string): number {
  if (latin.test(text)) return text.length;
  const table = plainTable();
  table.push([text]);
  table.toString();
  return table.options.colWidths[0] ?? 0;
}

/** The text cut to its column; of other scripts only what surely does not fit is cut, cli-table3 does the rest. */
function short(text: string, width: number): string {
  if (text.length <= width) return text;
  return latin.test(text) ? `${text.slice(0, width - 1)}…` : text.slice(0, 4 * width);
}

const dim = (text: string): string => styled(['dim'], text, process.stdout);
const dimLines = (text: string): string => text.replace(/^[^─\n]+$/gm, (line) => dim(line));

const looking = ({ text, look }: Placed): string =>
  look === undefined ? text : styled([look], text, process.stdout);

/** Plain padding does for most rows, where cli-table3 would make a long list take twice the time of the whole command. */
function joined(placed: readonly Placed[]): string {
  const padded = placed.map((cell) => {
    const space = ' '.repeat(Math.max(0, cell.width - cell.text.length));
    return cell.align === 'right' ? space + looking(cell) : looking(cell) + space;
  });
  return `${padded.join(' '.repeat(GAP)).trimEnd()}\n`;
}

/** Links and scripts that are not one column a letter. */
function drawn(placed: readonly Placed[]): string {
  const table = plainTable({ colWidths: placed.map(({ width }) => width) });
  table.push(
    placed.map((cell) => ({
      content: looking(cell),
      hAlign: cell.align,
      ...(cell.href !== undefined && { href: cell.href }),
    })),
  );
  return textOf(table);
}
