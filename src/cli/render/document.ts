import { type Format, styled } from './colour.js';
import { Marks } from './footnotes.js';
import { printable } from './printable.js';
import { GrowingTable } from './table.js';
import type { TableView } from './view.js';
import { fitted } from './wrap.js';

const INDENT = '  ';

/** What a command puts on the terminal, block below block with an empty line between. */
export class Paper {
  /** Terminal columns; undefined: as wide as need be. */
  readonly width: number | undefined;
  readonly #blocks: string[] = [];
  readonly #marks = new Marks();
  readonly #tables: { readonly footnotes: readonly string[] }[] = [];

  constructor(width: number | undefined) {
    this.width = width;
  }

  /** A line in bold, and what belongs right below it. */
  title(text: string, ...below: readonly string[]): void {
    this.lines([...this.#bold(text), ...below.flatMap((line) => this.#fit(line))]);
  }

  /** Sentences, each on a line of its own, broken where the terminal ends. */
  words(...sentences: readonly string[]): void {
    if (sentences.length > 0) this.lines(sentences.flatMap((sentence) => this.#fit(sentence)));
  }

  /** Rows under a heading; in words where there are none. */
  table<Row>(heading: string | null, view: TableView<Row>, rows: readonly Row[]): void {
    const table = new GrowingTable(view, this.width, this.#marks);
    const nothing = () => this.#fit(`No ${view.noun}.`).map((line) => `${line}\n`);
    const text = rows.length === 0 ? nothing().join('') : table.add(rows);
    const above = heading === null ? [] : this.#bold(heading);
    this.#blocks.push(above.map((line) => `${line}\n`).join('') + text);
    this.#tables.push(table);
  }

  /** A heading and texts of others below it, each behind its label, broken where the terminal ends. */
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

  /** Lines as they are. */
  lines(lines: readonly string[]): void {
    if (lines.length > 0) this.#blocks.push(lines.map((line) => `${line}\n`).join(''));
  }

  get text(): string {
    return this.#blocks.join('\n');
  }

  /** What the marks of all tables mean. */
  get footnotes(): readonly string[] {
    return [...new Set(this.#tables.flatMap(({ footnotes }) => footnotes))];
  }

  #bold(text: string): string[] {
    return this.#fit(text).map((line) => styled(['bold'], line, process.stdout));
  }

  #fit(text: string, taken = 0): string[] {
    return fitted(printable(text), this.width && Math.max(1, this.width - taken));
  }
}
