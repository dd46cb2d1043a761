/** How to write a record type whose records are rows of one table. */
import { hash } from 'node:crypto';
import type { ImportedBrand } from '../brand-catalog.js';
import { isoTime } from '../records/fields.js';
import type { RecordOf, RecordType } from '../records/index.js';
import type { ImportSession } from '../session.js';

export type Value = string | number | boolean | null | readonly unknown[] | object;
export type Row = Readonly<Record<string, Value>>;

export interface Lined<T extends RecordType> {
  readonly line: number;
  readonly record: RecordOf<T>;
}

export interface TableWriter<T extends RecordType> {
  readonly table: string;
  /** The columns that identify a record. */
  readonly key: readonly string[];
  /** Columns that keep their stored value if the record does not state one. */
  readonly keeps?: readonly string[];
  /** The id that the record refers to besides its brand. */
  readonly ref?: (record: RecordOf<T>) => string | null | undefined;
  /** Ensures that the dictionaries have what `row` looks up. */
  readonly ensure?: (session: ImportSession, brand: ImportedBrand, records: RecordOf<T>[]) => Promise<void>;
  /** The row of the record. `brand` is the record's brand, for types that have one. */
  readonly row: (record: RecordOf<T>, brand: ImportedBrand, session: ImportSession) => Row;
  /** Notes further effects of a record: a connection, a workspace whose reads change. */
  readonly note?: (record: RecordOf<T>, brand: ImportedBrand, session: ImportSession) => void;
}

export const tableWriter = <T extends RecordType>(_type: T, writer: TableWriter<T>): TableWriter<T> => writer;

export const timeOrNull = (time: string | null | undefined): string | null =>
  time == null ? null : isoTime(time);

/** SHA-256 of the parts, as a bytea literal. */
export const digest = (...parts: unknown[]): string => `\\x${hash('sha256', JSON.stringify(parts), 'hex')}`;
