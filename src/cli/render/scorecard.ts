import type { Schema } from '../../contract/schema.js';
import { csv } from './csv.js';
import { Document } from './document.js';
import { cellOf, Footnotes } from './footnotes.js';
import { type Format, json } from './format.js';
import { escaped, markdownLine } from './markdown.js';
import type { Shown } from './object-format.js';
import { outputWidth } from './output.js';
import { printable, printableJson } from './printable.js';
import { plainTable, textOf } from './table.js';
import { headOf, type ScorecardView } from './view.js';

/** Formats one object as a scorecard. */
export function scorecard<Data>(
  format: Format,
  view: ScorecardView<Data>,
  schema: Schema,
  data: Data,
): Shown {
  if (format === 'json') return { text: json(data), footnotes: [] };
  if (format === 'ndjson') return { text: `${printableJson(data)}\n`, footnotes: [] };
  const shown = view.shown(data);
  if (format === 'csv') return { text: csv(schema, [shown], true), footnotes: [] };
  if (format === 'raw-csv') return { text: csv(schema, [shown], true, (text) => text), footnotes: [] };
  const footnotes = new Footnotes();
  const uncertain = view.uncertain?.(data) ?? false;
  const lines = view.columns.map((column) => {
    const cell = cellOf(column, shown, uncertain);
    footnotes.add(column, cell);
    return [headOf(column), cell.text];
  });
  const parts = { title: view.title(data), lines, sentences: view.sentences(data) };
  return { text: format === 'md' ? markdown(parts) : plain(parts), footnotes: footnotes.lines };
}

interface Parts {
  readonly title: string;
  readonly lines: readonly string[][];
  readonly sentences: readonly string[];
}

function plain({ title, lines, sentences }: Parts): string {
  const document = new Document(outputWidth());
  document.title(title);
  const table = plainTable({ colAligns: ['left', 'right'] });
  table.push(...lines);
  document.lines(textOf(table).trimEnd().split('\n'));
  document.sentences(...sentences);
  return document.text;
}

function markdown({ title, lines, sentences }: Parts): string {
  const table = `| metric | value |\n| :-- | --: |\n${lines.map(markdownLine).join('')}`;
  return [`**${escaped(printable(title))}**\n`, table, ...sentences.map((text) => `${text}\n`)].join('\n');
}
