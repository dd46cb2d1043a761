/**
 * The main rows of a read, which are the lines of CSV and of the command's formats by row, and their fields as cells for
 * programs.
 */

import { printable, printableJson } from './printable.js';
import type { MainRows, Read } from './read.js';
import { type Infer, object, type Schema } from './schema.js';

type Definition = Pick<Read, 'mainRows' | 'rows' | 'response'>;

/** A read that states no place has the rows of its list, or its body as the only row. */
const placeOf = ({ mainRows, rows }: Definition): MainRows =>
  mainRows ?? { at: rows === undefined ? [] : [rows] };

/** The place in words: `products`, `series[].points`; empty: the body is the row. */
export const mainRowsPath = (read: Definition): string =>
  pathAt(read.response as Schema, placeOf(read).at).slice(1);

function pathAt(schema: Schema, at: readonly string[]): string {
  const [name, ...rest] = at;
  if (name === undefined) return '';
  if (schema.kind === 'nullable') return pathAt(schema.of, at);
  if (schema.kind === 'list') return `[]${pathAt(schema.items, at)}`;
  return `.${name}${pathAt(innerOf(schema)[name]!, rest)}`;
}

/** @param about What names the kind of the rows, where they are of one of several: the body, or its parameters. */
export function mainRowSchema(read: Definition, about: object = {}): Schema {
  const { at, with: outer = [] } = placeOf(read);
  const row = schemaAt(read.response as Schema, at, outer);
  if (row.kind !== 'variant') return row;
  const kind = (about as { readonly [field: string]: unknown })[row.by];
  return row.of[String(kind)] ?? Object.values(row.of)[0]!;
}

function schemaAt(schema: Schema, at: readonly string[], outer: readonly string[]): Schema {
  if (schema.kind === 'nullable') return schemaAt(schema.of, at, outer);
  const [name, ...rest] = at;
  if (schema.kind === 'list') {
    const row = schemaAt(schema.items, at, []);
    if (name === undefined) return row;
    return object({ ...picked(innerOf(schema.items), outer), ...innerOf(row) });
  }
  return name === undefined ? schema : schemaAt(innerOf(schema)[name]!, rest, outer);
}

const innerOf = (schema: Schema): { readonly [name: string]: Schema } =>
  schema.kind === 'object' ? schema.fields : {};

/** The main rows of a body; none if an object that holds them is null. */
export function mainRows(read: Definition, body: object): readonly object[] {
  const { at, with: outer = [] } = placeOf(read);
  return rowsAt(body, at, outer);
}

function rowsAt(value: unknown, at: readonly string[], outer: readonly string[]): object[] {
  if (value === null || value === undefined) return [];
  const [name, ...rest] = at;
  if (Array.isArray(value)) {
    if (name === undefined) return value;
    return value.flatMap((one) =>
      rowsAt(one, at, []).map((row) => ({ ...picked(one as { [name: string]: unknown }, outer), ...row })),
    );
  }
  return name === undefined ? [value] : rowsAt((value as { [name: string]: unknown })[name], rest, outer);
}

const picked = <V>(of: { readonly [name: string]: V }, names: readonly string[]): { [name: string]: V } =>
  Object.fromEntries(names.map((name) => [name, of[name]!]));

type PlaceOf<R> = R extends { mainRows: { at: infer At; with: infer Outer } }
  ? { at: At; outer: Outer }
  : R extends { mainRows: { at: infer At } }
    ? { at: At; outer: readonly [] }
    : R extends { rows: infer Name }
      ? { at: readonly [Name]; outer: readonly [] }
      : { at: readonly []; outer: readonly [] };

type RowAt<Value, At, Outer extends readonly unknown[]> =
  NonNullable<Value> extends readonly (infer One)[]
    ? At extends readonly []
      ? One
      : Pick<One, Outer[number] & keyof One> & RowAt<One, At, readonly []>
    : At extends readonly [infer Name extends keyof NonNullable<Value>, ...infer Rest]
      ? RowAt<NonNullable<Value>[Name], Rest, Outer>
      : Value;

export type MainRow<R extends Pick<Read, 'response'>> =
  PlaceOf<R> extends { at: infer At; outer: infer Outer extends readonly unknown[] }
    ? RowAt<Infer<R['response']>, At, Outer>
    : never;

// The fields of a row, and their values.

export interface Field {
  /** The name in heads of CSV, in `--fields` and in `--sort`. */
  readonly name: string;
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** One field per value of a schema, in its order, with objects flattened to `brand.id`. */
export function fieldsOf(schema: Schema, path: readonly string[] = []): Field[] {
  if (schema.kind === 'nullable' && schema.spread) return fieldsOf(schema.of, path);
  if (schema.kind !== 'object' || schema.open) return [{ name: path.join('.'), path, schema }];
  return Object.entries(schema.fields).flatMap(([name, field]) => fieldsOf(field, [...path, name]));
}

/**
 * The columns of CSV: the fields, and behind all of them the two bounds of each interval, which spreadsheets can reckon with.
 * Facts are no columns: the sentences that state them are.
 */
export function columnsOf(schema: Schema): Field[] {
  const fields = fieldsOf(schema).filter((field) => !isOfFacts(field.schema));
  return [...fields, ...fields.flatMap(boundsOf)];
}

const isOfFacts = (schema: Schema): boolean => {
  const bare = withoutNull(schema);
  return bare.kind === 'list' ? isOfFacts(bare.items) : bare.kind === 'object' && bare.open === true;
};

function boundsOf({ name, path, schema }: Field): Field[] {
  const interval = withoutNull(schema);
  if (interval.kind !== 'pair') return [];
  const items = interval.items as Schema;
  return ['lower', 'upper'].map((bound, at) => ({
    name: `${name}.${bound}`,
    path: [...path, String(at)],
    schema: items,
  }));
}

/** The value of a field in a row; undefined: the row does not have it. */
export const valueAt = (row: unknown, { path }: Pick<Field, 'path'>): unknown =>
  path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], row);

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

// Rows as text for programs.

/** The media types of answers of reads; `Accept` chooses. */
export const mediaTypes = { json: 'application/json', csv: 'text/csv' } as const;

/** The lines of the CSV of a read, for documents. */
export function csvRows(read: Definition): string {
  const path = mainRowsPath(read);
  if (path === '') return 'one line below the header, with every field';
  const outer = read.mainRows?.with ?? [];
  const begin = outer.map((name) => `\`${name}\``).join(', ');
  const beginning = outer.length > 0 ? `, which begins with ${begin} of the element around it` : '';
  return `a line per element of \`${path}\`${beginning}`;
}

/**
 * CSV lines (RFC 4180 with line feeds). Numbers are exact, null is empty, booleans are `true` and `false`, lists are JSON.
 * @param header Whether the first line has the names of the fields.
 * @param textOf Converts each text: `safeText`, or the identity for the texts of the API.
 */
export function csv(
  fields: readonly Field[],
  rows: readonly unknown[],
  header: boolean,
  textOf: (text: string) => string = safeText,
): string {
  const records = rows.map((row) => fields.map((field) => exact(valueAt(row, field), textOf)));
  const lines = header ? [fields.map(({ name }) => name), ...records] : records;
  return lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}

const quoted = (cell: string | number): string =>
  typeof cell === 'string' && /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : String(cell);

/** The main rows of a body as CSV, below a line with the names of all fields. */
export const bodyCsv = (read: Definition, body: object): string =>
  csv(columnsOf(mainRowSchema(read, body)), mainRows(read, body), true);

/** Lines of values with tabs between, without a head, for `cut` and `awk`. No value contains a tab or a line feed. */
export const tsv = (fields: readonly Field[], rows: readonly unknown[]): string =>
  rows.map((row) => `${fields.map((field) => exact(valueAt(row, field), printable)).join('\t')}\n`).join('');

/** Texts that a spreadsheet reads as a formula (OWASP, CSV injection), also with full-width characters. */
const FORMULA = /^[=+\-@＝＋－＠]/u;
const NEGATIVE = /^-\d+(\.\d+)?$/;

/** A text on one line, without control characters, and with an apostrophe before a formula. */
export function safeText(text: string): string {
  const line = printable(text);
  return FORMULA.test(line) && !NEGATIVE.test(line) ? `'${line}` : line;
}
