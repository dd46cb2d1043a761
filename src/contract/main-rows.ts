/** The main rows of a read: the lines of CSV, and of the formats of the command that print a row per line. */
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
  return `.${name}${pathAt(fieldsOf(schema)[name]!, rest)}`;
}

/** The schema of a main row. */
export function mainRowSchema(read: Definition): Schema {
  const { at, with: beside = [] } = placeOf(read);
  return schemaAt(read.response as Schema, at, beside);
}

function schemaAt(schema: Schema, at: readonly string[], beside: readonly string[]): Schema {
  if (schema.kind === 'nullable') return schemaAt(schema.of, at, beside);
  const [name, ...rest] = at;
  if (schema.kind === 'list') {
    const row = schemaAt(schema.items, at, []);
    if (name === undefined) return row;
    return object({ ...picked(fieldsOf(schema.items), beside), ...fieldsOf(row) });
  }
  return name === undefined ? schema : schemaAt(fieldsOf(schema)[name]!, rest, beside);
}

const fieldsOf = (schema: Schema): { readonly [name: string]: Schema } =>
  schema.kind === 'object' ? schema.fields : {};

/** The main rows of a body; none if an object that holds them is null. */
export function mainRows(read: Definition, body: object): readonly object[] {
  const { at, with: beside = [] } = placeOf(read);
  return rowsAt(body, at, beside);
}

function rowsAt(value: unknown, at: readonly string[], beside: readonly string[]): object[] {
  if (value === null || value === undefined) return [];
  const [name, ...rest] = at;
  if (Array.isArray(value)) {
    if (name === undefined) return value;
    return value.flatMap((one) =>
      rowsAt(one, at, []).map((row) => ({ ...picked(one as { [name: string]: unknown }, beside), ...row })),
    );
  }
  return name === undefined ? [value] : rowsAt((value as { [name: string]: unknown })[name], rest, beside);
}

const picked = <V>(of: { readonly [name: string]: V }, names: readonly string[]): { [name: string]: V } =>
  Object.fromEntries(names.map((name) => [name, of[name]!]));

type PlaceOf<R> = R extends { mainRows: { at: infer At; with: infer Beside } }
  ? { at: At; beside: Beside }
  : R extends { mainRows: { at: infer At } }
    ? { at: At; beside: readonly [] }
    : R extends { rows: infer Name }
      ? { at: readonly [Name]; beside: readonly [] }
      : { at: readonly []; beside: readonly [] };

type RowAt<Value, At, Beside extends readonly unknown[]> =
  NonNullable<Value> extends readonly (infer One)[]
    ? At extends readonly []
      ? One
      : Pick<One, Beside[number] & keyof One> & RowAt<One, At, readonly []>
    : At extends readonly [infer Name extends keyof NonNullable<Value>, ...infer Rest]
      ? RowAt<NonNullable<Value>[Name], Rest, Beside>
      : Value;

/** A main row of a read. */
export type MainRow<R extends Pick<Read, 'response'>> =
  PlaceOf<R> extends { at: infer At; beside: infer Beside extends readonly unknown[] }
    ? RowAt<Infer<R['response']>, At, Beside>
    : never;
