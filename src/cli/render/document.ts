import { printable } from '../../contract/printable.js';
import { GrowingTable } from './table.js';
import { type Format, fitted, styled } from './terminal.js';
import { briefly, Footnotes, NO_INTERVALS, type TableView } from './view.js';

const INDENT = '  ';

/** The output of a command on a terminal: blocks with an empty line between them. */
export class Document {
  /** Terminal columns; undefined: no limit. */
  readonly width: number | undefined;
  readonly #blocks: string[] = [];
  readonly #footnotes = new Footnotes();
  readonly #tables: { readonly footnotes: readonly string[] }[] = [];

  constructor(width: number | undefined) {
    this.width = width;
  }

  /** Adds a line in bold, and lines directly below it. */
  title(text: string, ...below: readonly string[]): void {
    this.lines([...this.#bold(text), ...below.flatMap((line) => this.#fit(line))]);
  }

  /** Adds sentences, each on its own line, wrapped at the width of the terminal. */
  sentences(...sentences: readonly string[]): void {
    if (sentences.length > 0) this.lines(sentences.flatMap((sentence) => this.#fit(sentence)));
  }

  /** Adds a table under a heading; without rows, a sentence that states this. */
  table<Row>(heading: string | null, view: TableView<Row>, rows: readonly Row[]): void {
    const table = new GrowingTable(this.#fitting(view, rows), this.width, this.#footnotes);
    const nothing = () => this.#fit(`No ${view.noun}.`).map((line) => `${line}\n`);
    const wide = rows.length === 0 ? nothing().join('') : table.add(rows);
    const text = table.shouldStack ? table.stacked(rows) : wide;
    const above = heading === null ? [] : this.#bold(heading);
    this.#blocks.push(above.map((line) => `${line}\n`).join('') + text);
    this.#tables.push(table);
  }

  /** Adds a heading and labelled texts below it, wrapped at the width of the terminal. */
  item(
    heading: string,
    look: readonly Format[],
    texts: readonly (readonly [label: string, text: string])[],
  ): void {
    const labels = Math.max(...texts.map(([label]) => label.length));
    const lines = texts.flatMap(([label, text]) =>
      this.#fit(text, INDENT.length + labels).map((line, at) => {
        const margin = (at === 0 ? label : '').padEnd(labels);
        return INDENT + styled(['dim'], margin, process.stdout) + line;
      }),
    );
    this.lines([...this.#fit(heading).map((line) => styled(look, line, process.stdout)), ...lines]);
  }

  lines(lines: readonly string[]): void {
    if (lines.length > 0) this.#blocks.push(lines.map((line) => `${line}\n`).join(''));
  }

  get text(): string {
    return this.#blocks.join('\n');
  }

  /** The lines that explain the marks of all tables. */
  get footnotes(): readonly string[] {
    return [...new Set(this.#tables.flatMap(({ footnotes }) => footnotes))];
  }

  /** The view, without intervals where rows would become lines only because of them. */
  #fitting<Row>(view: TableView<Row>, rows: readonly Row[]): TableView<Row> {
    const columns = view.stacks && rows.length > 0 ? briefly(view.columns) : undefined;
    if (columns === undefined) return view;
    const brief = { ...view, columns, legend: NO_INTERVALS };
    const isTooWide = (each: TableView<Row>) => {
      const trial = new GrowingTable(each, this.width);
      trial.add(rows);
      return trial.shouldStack;
    };
    return isTooWide(view) && !isTooWide(brief) ? brief : view;
  }

  #bold(text: string): string[] {
    return this.#fit(text).map((line) => styled(['bold'], line, process.stdout));
  }

  #fit(text: string, taken = 0): string[] {
    return fitted(printable(text), this.width && Math.max(1, this.width - taken));
  }
}
