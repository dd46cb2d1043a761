/** The fields of a row as the formats for programs name them: `citations`, `brand.id`. */

import { printableJson } from '../contract/printable.js';
import type { Schema } from '../contract/schema.js';

export interface Field {
  /** The name in heads of CSV, in `--fields` and in `--sort`. */
  readonly name: string;
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** One field per value of a schema, in its order, with objects flattened to `brand.id`. */
export function fieldsOf(schema: Schema, path: readonly string[] = []): Field[] {
  if (schema.kind !== 'object') return [{ name: path.join('.'), path, schema }];
  return Object.entries(schema.fields).flatMap(([name, field]) => fieldsOf(field, [...path, name]));
}

/** The value of a field in a row; undefined: the row does not have it. */
export const valueAt = (row: unknown, { path }: Pick<Field, 'path'>): unknown =>
  path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], row);

/** The values of some fields of a row, by their names. */
export const valuesOf = (row: unknown, fields: readonly Field[]): object =>
  Object.fromEntries(fields.map((field) => [field.name, valueAt(row, field)]));

/**
 * A value as a cell for programs: numbers exact, null empty, booleans `true` and `false`, lists as JSON.
 * @param textOf Converts each text.
 */
export function exact(value: unknown, textOf: (text: string) => string): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return textOf(value);
  if (typeof value === 'number') return value;
  return typeof value === 'boolean' ? String(value) : printableJson(value);
}

/** Whether null is a value of the schema, and the schema without null. */
export const withoutNull = (schema: Schema): Schema =>
  schema.kind === 'nullable' ? withoutNull(schema.of) : schema;

export const isNumeric = ({ schema }: Field): boolean =>
  ['integer', 'number'].includes(withoutNull(schema).kind);

/** Whether the values of a field are numbers, texts or booleans. */
export const isScalar = ({ schema }: Field): boolean =>
  !['list', 'pair', 'object'].includes(withoutNull(schema).kind);
