import type { Schema } from '../contract/schema.js';
import { styled } from './colour.js';
import { csv } from './csv.js';
import { type Format, json } from './format.js';
import { markdownLine } from './markdown.js';
import { Marks, printable } from './marks.js';
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
  if (format === 'ndjson') return { text: `${JSON.stringify(data)}\n`, footnotes: [] };
  if (format === 'csv') return { text: csv(schema, [data], true), footnotes: [] };
  const marks = new Marks();
  const uncertain = view.uncertain?.(data) ?? false;
  const lines = view.columns.map((column) => [headOf(column), marks.cell(column, data, uncertain)]);
  const parts = { title: printable(view.title(data)), lines, words: view.words(data) };
  return { text: format === 'md' ? markdown(parts) : plain(parts), footnotes: marks.footnotes };
}

interface Parts {
  readonly title: string;
  readonly lines: readonly string[][];
  readonly words: readonly string[];
}

function plain({ title, lines, words }: Parts): string {
  const table = plainTable({ colAligns: ['left', 'right'] });
  table.push(...lines);
  const blocks = [
    `${styled(['bold'], title, process.stdout)}\n`,
    textOf(table),
    ...words.map((text) => `${text}\n`),
  ];
  return blocks.join('\n');
}

function markdown({ title, lines, words }: Parts): string {
  const table = `| metric | value |\n| :-- | --: |\n${lines.map(markdownLine).join('')}`;
  return [`**${title}**\n`, table, ...words.map((text) => `${text}\n`)].join('\n');
}
