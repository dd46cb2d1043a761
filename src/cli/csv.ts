import { stringify } from 'csv-stringify/sync';
import type { Schema } from '../contract/schema.js';

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
 * CSV lines (RFC 4180 with line feeds). Values are exact: null is empty, true and false are words, lists are JSON.
 * @param header Whether the line of names comes first.
 */
export function csv(schema: Schema, rows: readonly unknown[], header: boolean): string {
  const columns = columnsOf(schema);
  const records = rows.map((row) => columns.map(({ path }) => field(row, path)));
  return stringify(header ? [columns.map(({ head }) => head), ...records] : records);
}

function field(row: unknown, path: readonly string[]): string | number {
  const value = path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], row);
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
