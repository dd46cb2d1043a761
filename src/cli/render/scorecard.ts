import { csv, tsv } from './csv.js';
import { Document } from './document.js';
import { exact, valueAt, valuesOf } from './fields.js';
import { cellOf, Footnotes } from './footnotes.js';
import { type Format, json } from './format.js';
import { escaped, markdownLine } from './markdown.js';
import type { Shown } from './object-format.js';
import { outputWidth } from './output.js';
import { type Picked, tableOf } from './picked.js';
import { printable, printableJson } from './printable.js';
import { plainTable, textOf } from './table.js';
import { headOf, type ScorecardView } from './view.js';

/** Formats one object as a scorecard. */
export function scorecard<Data>(
  format: Format,
  view: ScorecardView<Data>,
  data: Data,
  picked: Picked,
): Shown {
  const { fields, isNarrowed } = picked;
  const only = (text: string): Shown => ({ text, footnotes: [] });
  if (format === 'json') return only(json(data));
  if (format === 'ndjson') return only(`${printableJson(isNarrowed ? valuesOf(data, fields) : data)}\n`);
  const shown = view.shown(data);
  if (format === 'csv') return only(csv(fields, [shown], true));
  if (format === 'raw-csv') return only(csv(fields, [shown], true, (text) => text));
  // Without --fields, positions in a line of all fields would say nothing: each has a line with its name.
  if (format === 'tsv') return only(isNarrowed ? tsv(fields, [shown]) : namedLines(picked, shown));
  const footnotes = new Footnotes();
  const uncertain = view.uncertain?.(data) ?? false;
  const { columns } = tableOf({ noun: '', columns: view.columns }, picked);
  const lines = columns.map((column) => {
    const cell = cellOf(column, shown, uncertain);
    footnotes.add(column, cell);
    return [headOf(column), cell.text];
  });
  const parts = { title: view.title(data), lines, sentences: view.sentences(data) };
  return { text: format === 'md' ? markdown(parts) : plain(parts), footnotes: footnotes.lines };
}

const namedLines = ({ fields }: Picked, data: unknown): string =>
  fields.map((field) => `${field.name}\t${exact(valueAt(data, field), printable)}\n`).join('');

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
