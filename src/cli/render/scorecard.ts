import { printable, printableJson } from '../../contract/printable.js';
import { csv, exact, tsv, valueAt, valuesOf } from '../../contract/rows.js';
import { Document } from './document.js';
import { type Format, json, type Shown } from './format.js';
import { escaped, markdownLine } from './markdown.js';
import { type Picked, tableOf } from './picked.js';
import { GAP, plainTable, textOf } from './table.js';
import { outputWidth, widthOf } from './terminal.js';
import { type Column, cellOf, Footnotes, headOf, type ScorecardView } from './view.js';

export function scorecard<Data>(
  format: Format,
  view: ScorecardView<Data>,
  data: Data,
  picked: Picked,
): Shown {
  const { fields, columns, isNarrowed } = picked;
  const only = (text: string): Shown => ({ text, footnotes: [] });
  if (format === 'json') return only(json(data));
  if (format === 'ndjson') return only(`${printableJson(isNarrowed ? valuesOf(data, fields) : data)}\n`);
  if (format === 'csv') return only(csv(columns, [data], true));
  if (format === 'raw-csv') return only(csv(columns, [data], true, (text) => text));
  // Without --fields, positions in a line of all fields would say nothing: each has a line with its name.
  if (format === 'tsv') return only(isNarrowed ? tsv(fields, [data]) : namedLines(picked, data));
  const width = format === 'md' ? undefined : outputWidth();
  const whole = linesOf(view, data, picked, view.changes ?? []);
  const fits = width === undefined || widthOfLines(whole.lines) <= width;
  const { footnotes } = whole;
  const lines = fits ? whole.lines : stacked(whole.lines);
  const below = view.subtitle?.(data) ?? null;
  const parts = { title: view.title(data), below, lines, sentences: view.sentences(data) };
  return { text: format === 'md' ? markdown(parts) : plain(parts, width), footnotes };
}

/** Each change in a line below its metric. */
const stacked = (lines: readonly string[][]): string[][] =>
  lines.flatMap(([head, value, change]) => [[head!, value!], ...(change ? [[`  ${change}`, '']] : [])]);

interface Lines {
  readonly lines: readonly string[][];
  readonly footnotes: readonly string[];
}

/** A line per column: its head, its value, and the change of the column with the same head. */
function linesOf<Data>(
  view: ScorecardView<Data>,
  data: Data,
  picked: Picked,
  changes: readonly Column<Data>[],
): Lines {
  const footnotes = new Footnotes();
  const uncertain = view.uncertain?.(data) ?? false;
  const { columns } = tableOf({ noun: '', columns: view.columns }, picked);
  const lines = columns.map((column) => {
    const cell = cellOf(column, data, uncertain);
    footnotes.add(column, cell);
    const change = changes.find(({ head }) => head === column.head);
    for (const each of [column, ...(change ? [change] : [])]) footnotes.explain(each.explains?.(data));
    return [headOf(column), cell.text, ...(changes.length > 0 ? [change?.text(data) ?? ''] : [])];
  });
  return { lines, footnotes: footnotes.lines };
}

const widthOfLines = (lines: readonly string[][]): number => {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => widthOf(line[at]!))));
  return widths.reduce((sum, width) => sum + width + GAP, -GAP);
};

const namedLines = ({ fields }: Picked, data: unknown): string =>
  fields.map((field) => `${field.name}\t${exact(valueAt(data, field), printable)}\n`).join('');

interface Parts {
  readonly title: string;
  readonly below: string | null;
  readonly lines: readonly string[][];
  readonly sentences: readonly string[];
}

function plain({ title, below, lines, sentences }: Parts, width: number | undefined): string {
  const document = new Document(width);
  document.title(title, ...(below === null ? [] : [below]));
  const table = plainTable({ colAligns: ['left', 'right', 'left'] });
  table.push(...lines);
  document.lines(textOf(table).trimEnd().split('\n'));
  document.sentences(...sentences);
  return document.text;
}

function markdown({ title, below, lines, sentences }: Parts): string {
  const hasChanges = lines[0]?.length === 3;
  const head = hasChanges
    ? '| metric | value | change |\n| :-- | --: | :-- |'
    : '| metric | value |\n| :-- | --: |';
  const table = `${head}\n${lines.map(markdownLine).join('')}`;
  return [
    `**${escaped(printable(title))}**\n`,
    ...(below === null ? [] : [`${escaped(printable(below))}\n`]),
    table,
    ...sentences.map((text) => `${escaped(printable(text))}\n`),
  ].join('\n');
}
