/** The fields, the order and the number of rows that `--fields`, `--sort` and `--limit` ask for. */

import { compareText } from '../../contract/order.js';
import { columnsOf, exact, type Field, fieldsOf, isNumeric, isScalar, valueAt } from '../../contract/rows.js';
import type { Schema } from '../../contract/schema.js';
import { CommandError } from '../command-error.js';
import { nearest } from '../suggestion.js';
import { changeFieldText } from './uncertainty.js';
import type { Column, TableView } from './view.js';

export interface PickFlags {
  readonly fields?: string | undefined;
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
}

export interface Picked {
  /** The fields that the formats for programs print: those of `--fields` in its order, else all. */
  readonly fields: readonly Field[];
  /** The fields of CSV, a column each. */
  readonly columns: readonly Field[];
  /** Whether `--fields` is given, so that the table too has these fields instead of its own columns. */
  readonly isNarrowed: boolean;
  /** The order of the rows; if omitted, that of the API. */
  readonly compare?: Comparison | undefined;
  /** The maximum number of rows; if omitted, all. Lists cut while they read, see `listing`. */
  readonly limit?: number | undefined;
}

export type Comparison = (a: unknown, b: unknown) => number;

/**
 * @param schema The schema of a row.
 * @throws CommandError `usage` for a field that the rows do not have, and for an order by a list.
 */
export function picked(schema: Schema, { fields, sort, limit }: PickFlags = {}): Picked {
  const all = columnsOf(schema);
  const named = fields?.split(',').map((name) => fieldNamed('--fields', name.trim(), all));
  return {
    fields: named ?? fieldsOf(schema),
    columns: named ?? all,
    isNarrowed: named !== undefined,
    compare: sort === undefined ? undefined : comparisonBy(sort, all.filter(isScalar)),
    limit,
  };
}

/** @throws CommandError `usage` with the names of all fields. */
export function fieldNamed(flag: string, name: string, among: readonly Field[]): Field {
  const found = among.find((field) => field.name === name);
  if (found) return found;
  const names = among.map((field) => field.name);
  const near = nearest(name, names);
  const wanted = name === '' ? 'an empty name' : name;
  throw new CommandError(
    'usage',
    `${flag}: unknown field: ${wanted}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    { hint: `Known fields: ${names.join(', ')}.` },
  );
}

/** `visibility:desc`; ascending when no direction is given. */
function comparisonBy(sort: string, fields: readonly Field[]): Comparison {
  const [, name = '', direction] = /^(.*?)(?::([^:]*))?$/.exec(sort)!;
  if (direction !== undefined && direction !== 'asc' && direction !== 'desc') {
    throw new CommandError('usage', `--sort ${sort}: the direction ${direction} is not asc or desc.`, {
      hint: `As in: --sort ${name}:desc`,
    });
  }
  const field = fieldNamed('--sort', name.trim(), fields);
  const sign = direction === 'desc' ? -1 : 1;
  return (a, b) => compare(valueAt(a, field) ?? null, valueAt(b, field) ?? null, sign);
}

/** Null is not measured, so it is last in both directions. */
function compare(a: unknown, b: unknown, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'string' && typeof b === 'string') return sign * compareText(a, b);
  return sign * (Number(a) - Number(b));
}

/** The first rows in the order of `--sort`, else in their own. */
export const firstRows = <Row>(rows: readonly Row[], { compare: by, limit }: Picked): readonly Row[] =>
  (by ? [...rows].sort(by) : rows).slice(0, limit);

/** The table with the fields of `--fields` as its columns, else unchanged. */
export function tableOf<Row>(view: TableView<Row>, { fields, isNarrowed }: Picked): TableView<Row> {
  return isNarrowed ? { noun: view.noun, columns: fields.map(columnOf<Row>) } : view;
}

const columnOf = <Row>(field: Field): Column<Row> => ({
  head: field.name,
  text: (row) => {
    const value = valueAt(row, field) ?? null;
    if (value === null) return null;
    return changeFieldText(field, value) ?? String(exact(value, (text) => text));
  },
  align: isNumeric(field) ? 'right' : 'left',
});
