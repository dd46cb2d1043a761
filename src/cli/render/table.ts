import CliTable from 'cli-table3';
import { printable } from '../../contract/printable.js';
import { type Format, hyperlink, linkable, shortened, styled, widthOf } from './terminal.js';
import { type Cell, type Column, cellOf, Footnotes, headOf, type TableView } from './view.js';

/** The widths of a column, and whether it may shrink or be dropped. */
export interface Extent {
  readonly body: number;
  /** Width of its head on one line, and of its widest word. */
  readonly head: number;
  readonly narrowHead: number;
  readonly room: 'fixed' | 'flexible' | 'spare' | 'filling';
}

interface Layout {
  /** Width of each column, undefined for those left out. */
  readonly widths: readonly (number | undefined)[];
}

/** Columns between two columns. */
export const GAP = 2;
/** The width down to which a shortened text is readable. */
const READABLE = 24;
/** The width down to which it is recognised: columns are dropped rather than shortened further. */
const LEAST = 11;

/**
 * Fits columns into `available` terminal columns. In this order: heads wrap, flexible columns shrink to a readable width,
 * spare columns are dropped from the last one on, flexible columns shrink further, the other columns are dropped from the last
 * one on. The first column always stays.
 */
export function layOut(columns: readonly Extent[], available: number | undefined): Layout {
  const isFilling = ({ room }: Extent) => room === 'filling';
  if (available === undefined || !columns.some(isFilling)) return layOutOthers(columns, available);
  const others = layOutOthers(
    columns.filter((each) => !isFilling(each)),
    available,
  ).widths.values();
  const widths = columns.map((each) => (isFilling(each) ? undefined : others.next().value));
  for (const [at, column] of columns.entries()) {
    const left = available - total(widths) - GAP;
    const wanted = Math.max(column.body, column.head);
    if (isFilling(column) && left >= Math.min(wanted, READABLE)) widths[at] = Math.min(wanted, left);
  }
  return { widths };
}

function layOutOthers(columns: readonly Extent[], available: number | undefined): Layout {
  const roomy = columns.map(({ body, head }) => Math.max(body, head));
  if (available === undefined || total(roomy) <= available) return { widths: roomy };
  const narrow = columns.map(({ body, narrowHead }) => Math.max(body, narrowHead));
  const places = columns.map((_, at) => at).reverse();
  const spare = places.filter((at) => columns[at]!.room === 'spare');
  const others = places.filter((at) => at > 0 && columns[at]!.room !== 'spare');
  const steps = [
    { least: READABLE, leaving: [undefined, ...spare] },
    { least: LEAST, leaving: [undefined, ...others] },
  ];
  let widths: readonly (number | undefined)[] = narrow;
  let fitting = widths;
  for (const { least, leaving } of steps) {
    for (const left of leaving) {
      if (left !== undefined) widths = widths.with(left, undefined);
      fitting = shrink(columns, widths, available, least);
      if (total(fitting) <= available) return { widths: widen(columns, fitting, available) };
    }
  }
  return { widths: fitting };
}

/** Narrows the widest flexible column, one terminal column at a time, until all fit or each has the width `least`. */
function shrink(
  columns: readonly Extent[],
  widths: readonly (number | undefined)[],
  available: number,
  least: number,
): (number | undefined)[] {
  const fitted = [...widths];
  for (let excess = total(fitted) - available; excess > 0; excess -= 1) {
    const widest = columns.reduce((found, { room }, at) => {
      const width = fitted[at] ?? 0;
      return room === 'flexible' && width > Math.max(least, fitted[found] ?? 0) ? at : found;
    }, -1);
    if (widest === -1) break;
    fitted[widest] = fitted[widest]! - 1;
  }
  return fitted;
}

/** Distributes the remaining width to the columns that have the heads with the most lines. */
function widen(
  columns: readonly Extent[],
  widths: readonly (number | undefined)[],
  available: number,
): (number | undefined)[] {
  const widened = [...widths];
  const lines = (at: number) => (columns[at]?.head ?? 0) / (widened[at] ?? Number.POSITIVE_INFINITY);
  for (let left = available - total(widths); left > 0; left -= 1) {
    const tallest = columns.reduce(
      (found, _, at) => (lines(at) > Math.max(1, lines(found)) ? at : found),
      -1,
    );
    if (tallest === -1) break;
    widened[tallest] = widened[tallest]! + 1;
  }
  return widened;
}

function total(widths: readonly (number | undefined)[]): number {
  const shown = widths.filter((width) => width !== undefined);
  return shown.reduce((sum, width) => sum + width, GAP * Math.max(0, shown.length - 1));
}

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
};
const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };

/** Without a width, longer texts do not widen their column, so that one text does not pad all rows. */
const PADDED = 100;

/** An empty table without lines, its columns `GAP` apart. */
export const plainTable = (options: CliTable.TableConstructorOptions = {}): CliTable.Table =>
  new CliTable({ chars: { ...noLines, middle: ' '.repeat(GAP) }, style, ...options });

/** The table as text without the spaces that cli-table3 leaves at the end of lines. */
export const textOf = (table: CliTable.Table): string => `${table.toString().replace(/ +$/gm, '')}\n`;

/** A column that is shown, and its index among all columns. */
interface Shown<Row> {
  readonly column: Column<Row>;
  readonly width: number;
  readonly place: number;
}

/** A cell with everything that is needed to draw it. */
interface Placed extends Cell {
  readonly look: Format | undefined;
  readonly width: number;
  readonly align: 'left' | 'right';
  readonly href: string | undefined;
}

/**
 * A table that is printed in parts: the first rows decide which columns are shown and how wide they are, so that they can be
 * printed before later rows arrive.
 */
export class GrowingTable<Row> {
  readonly #view: TableView<Row>;
  readonly #width: number | undefined;
  readonly #footnotes: Footnotes;
  #layout: Layout | undefined;

  /**
   * @param width Terminal columns; undefined: as wide as the texts are.
   * @param footnotes Shared by the tables of one document, so that each mark is explained once.
   */
  constructor(view: TableView<Row>, width: number | undefined, footnotes = new Footnotes()) {
    this.#footnotes = footnotes;
    this.#view = view;
    this.#width = width;
  }

  /** The lines of these rows; the head precedes the first rows. */
  add(rows: readonly Row[]): string {
    const cells = rows.map((row) => this.#cells(row));
    const first = this.#layout === undefined;
    // Without a width no text is cut: the columns grow.
    if (first || this.#width === undefined) this.#layout = this.#fit(cells);
    const head = first ? this.#head() : '';
    return head + (rows.length === 0 ? '' : this.#body(rows, cells));
  }

  /** Whether columns were left out that should become lines. */
  get shouldStack(): boolean {
    return this.#view.stacks === true && this.#layout?.widths.includes(undefined) === true;
  }

  /** The rows one below the other: the first column as a heading, and a line for each of the others. */
  stacked(rows: readonly Row[]): string {
    this.#layout = undefined;
    const [first, ...others] = this.#view.columns;
    const labels = Math.max(...others.map((column) => widthOf(headOf(column))));
    const blocks = rows.map((row) => {
      const uncertain = this.#view.uncertain?.(row) ?? false;
      const lines = others.map((column) => {
        const cell = cellOf(column, row, uncertain);
        this.#footnotes.add(column, cell);
        this.#footnotes.explain(column.explains?.(row));
        return `  ${dim(headOf(column).padEnd(labels + GAP))}${cell.text}\n`;
      });
      return `${styled(['bold'], cellOf(first!, row, uncertain).text, process.stdout)}\n${lines.join('')}`;
    });
    return blocks.join('');
  }

  get footnotes(): string[] {
    const { columns, legend } = this.#view;
    const explained = [...this.#footnotes.lines, ...(legend === undefined ? [] : [legend])];
    const hidden = columns.filter((_, at) => this.#layout && this.#layout.widths[at] === undefined);
    if (hidden.length === 0) return explained;
    const names = hidden.map((column) => printable(column.head)).join(', ');
    return [...explained, `not shown at this width: ${names}`];
  }

  #cells(row: Row): Cell[] {
    const uncertain = this.#view.uncertain?.(row) ?? false;
    return this.#view.columns.map((column) => cellOf(column, row, uncertain));
  }

  #fit(cells: readonly Cell[][]): Layout {
    const { columns } = this.#view;
    const most = this.#width === undefined ? PADDED : Number.POSITIVE_INFINITY;
    const bodies = columns.map((_, at) =>
      widest(
        cells.map((row) => row[at]!.text),
        most,
      ),
    );
    const heads = columns.map((column) => widthOf(headOf(column)));
    const words = columns.map((column) => widest(headOf(column).split(' ')));
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
      wordWrap: widthOf(headOf(column)) > width,
    }));
    table.push(heads, rule);
    return dimLines(textOf(table));
  }

  #body(rows: readonly Row[], cells: readonly Cell[][]): string {
    const shown = this.#shown();
    return rows.map((row, at) => this.#line(shown, row, cells[at]!)).join('');
  }

  #line(shown: readonly Shown<Row>[], row: Row, cells: readonly Cell[]): string {
    const look = this.#lookOf(row);
    const placed = shown.map(({ column, width: planned, place }): Placed => {
      const { text: whole, mark } = cells[place]!;
      this.#footnotes.add(column, cells[place]!);
      this.#footnotes.explain(column.explains?.(row));
      // A longer number on a later page shifts its row: a cut number would be a wrong number.
      const cuts = column.room !== undefined && this.#width !== undefined;
      const text = cuts ? shortened(whole, planned) : whole;
      const width = cuts ? planned : Math.max(planned, widthOf(text));
      return {
        text,
        look: mark === 'absent' ? 'dim' : look,
        width,
        align: column.align,
        href: linkable(column.link?.(row)),
      };
    });
    return joined(placed);
  }

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

/** The width of the widest of these texts; texts with more than `most` letters are ignored. */
const widest = (texts: readonly string[], most = Number.POSITIVE_INFINITY): number =>
  texts.reduce((found, text) => (text.length > most ? found : Math.max(found, widthOf(text))), 0);

const dim = (text: string): string => styled(['dim'], text, process.stdout);
const dimLines = (text: string): string => text.replace(/^[^─\n]+$/gm, (line) => dim(line));

function looking({ text, look, href }: Placed): string {
  const coloured = look === undefined ? text : styled([look], text, process.stdout);
  return href === undefined ? coloured : hyperlink(href, coloured);
}

/** Pads without cli-table3, which doubles the time of a command with a long list, and breaks links. */
function joined(placed: readonly Placed[]): string {
  const padded = placed.map((cell) => {
    const space = ' '.repeat(Math.max(0, cell.width - widthOf(cell.text)));
    return cell.align === 'right' ? space + looking(cell) : looking(cell) + space;
  });
  return `${padded.join(' '.repeat(GAP)).trimEnd()}\n`;
}
