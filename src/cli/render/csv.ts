import { stringify } from 'csv-stringify/sync';
import type { Schema } from '../../contract/schema.js';
import { printable, printableJson } from './printable.js';

interface CsvColumn {
  readonly head: string;
  readonly path: readonly string[];
}

/** The contract's fields as columns: objects spread as `brand.id`, everything else is one column. */
function columnsOf(schema: Schema, path: readonly string[] = []): CsvColumn[] {
  if (schema.kind !== 'object') return [{ head: path.join('.'), path }];
  return Object.entries(schema.fields).flatMap(([name, field]) => columnsOf(field, [...path, name]));
}

/**
 * CSV lines (RFC 4180 with line feeds). Numbers are exact, null is empty, true and false are words, lists are JSON.
 * @param header Whether the line of names comes first.
 * @param textOf What becomes of texts: `safeText`, or nothing for the bytes of the API.
 */
export function csv(
  schema: Schema,
  rows: readonly unknown[],
  header: boolean,
  textOf: (text: string) => string = safeText,
): string {
  const columns = columnsOf(schema);
  const records = rows.map((row) => columns.map(({ path }) => field(valueAt(row, path), textOf)));
  return stringify(header ? [columns.map(({ head }) => head), ...records] : records);
}

const valueAt = (row: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], row);

function field(value: unknown, textOf: (text: string) => string): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return textOf(value);
  if (typeof value === 'number') return value;
  return typeof value === 'boolean' ? String(value) : printableJson(value);
}

/** What a spreadsheet takes for a formula (OWASP, CSV injection), in full width as well; a negative number is none. */
const FORMULA = /^[=+\-@＝＋－＠]/u;
const NEGATIVE = /^-\d+(\.\d+)?$/;

/** A text on one line that no terminal obeys and no spreadsheet computes: a formula gets an apostrophe in front. */
export function safeText(text: string): string {
  const line = printable(text);
  return FORMULA.test(line) && !NEGATIVE.test(line) ? `'${line}` : line;
}
