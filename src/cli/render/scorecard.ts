import type { Schema } from '../../contract/schema.js';
import { csv } from './csv.js';
import { Paper } from './document.js';
import { cellOf, Marks } from './footnotes.js';
import { type Format, json } from './format.js';
import { escaped, markdownLine } from './markdown.js';
import { outputWidth } from './output.js';
import { printable, printableJson } from './printable.js';
import { plainTable, textOf } from './table.js';
import { headOf, type ScorecardView } from './view.js';

/** An object in one of the formats, and what the marks in it mean. */
export function scorecard<Data>(
  format: Format,
  view: ScorecardView<Data>,
  schema: Schema,
  data: Data,
): { text: string; footnotes: readonly string[] } {
  if (format === 'json') return { text: json(data), footnotes: [] };
  if (format === 'ndjson') return { text: `${printableJson(data)}\n`, footnotes: [] };
  const shown = view.shown(data);
  if (format === 'csv') return { text: csv(schema, [shown], true), footnotes: [] };
  if (format === 'raw-csv') return { text: csv(schema, [shown], true, (text) => text), footnotes: [] };
  const marks = new Marks();
  const uncertain = view.uncertain?.(data) ?? false;
  const lines = view.columns.map((column) => {
    const cell = cellOf(column, shown, uncertain);
    marks.show(column, cell);
    return [headOf(column), cell.text];
  });
  const parts = { title: view.title(data), lines, words: view.words(data) };
  return { text: format === 'md' ? markdown(parts) : plain(parts), footnotes: marks.footnotes };
}

interface Parts {
  readonly title: string;
  readonly lines: readonly string[][];
  readonly words: readonly string[];
}

function plain({ title, lines, words }: Parts): string {
  const paper = new Paper(outputWidth());
  paper.title(title);
  const table = plainTable({ colAligns: ['left', 'right'] });
  table.push(...lines);
  paper.lines(textOf(table).trimEnd().split('\n'));
  paper.words(...words);
  return paper.text;
}

function markdown({ title, lines, words }: Parts): string {
  const table = `| metric | value |\n| :-- | --: |\n${lines.map(markdownLine).join('')}`;
  return [`**${escaped(printable(title))}**\n`, table, ...words.map((text) => `${text}\n`)].join('\n');
}
