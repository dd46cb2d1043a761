import { stringify } from 'csv-stringify/sync';
import type { Schema } from '../../contract/schema.js';
import { printable, printableJson } from './printable.js';

interface CsvColumn {
  readonly head: string;
  readonly path: readonly string[];
}

/** The columns of a schema: one per field, with objects flattened to `brand.id`. */
function columnsOf(schema: Schema, path: readonly string[] = []): CsvColumn[] {
  if (schema.kind !== 'object') return [{ head: path.join('.'), path }];
  return Object.entries(schema.fields).flatMap(([name, field]) => columnsOf(field, [...path, name]));
}

/**
 * CSV lines (RFC 4180 with line feeds). Numbers are exact, null is empty, booleans are `true` and `false`, lists are JSON.
 * @param header Whether the first line has the names of the columns.
 * @param textOf Converts each text: `safeText`, or the identity for the texts of the API.
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

/** Texts that a spreadsheet reads as a formula (OWASP, CSV injection), also with full-width characters. */
const FORMULA = /^[=+\-@＝＋－＠]/u;
const NEGATIVE = /^-\d+(\.\d+)?$/;

/** A text on one line, without control characters, and with an apostrophe before a formula. */
export function safeText(text: string): string {
  const line = printable(text);
  return FORMULA.test(line) && !NEGATIVE.test(line) ? `'${line}` : line;
}
