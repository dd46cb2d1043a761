/** How a record type that is one row of one table is written. */
import type { ImportedBrand } from '../brand-catalog.js';
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
  /** The columns that make two records the same one. */
  readonly key: readonly string[];
  /** Columns whose stored value stays where the record says nothing. */
  readonly keeps?: readonly string[];
  /** What the record refers to besides its brand. */
  readonly ref?: (record: RecordOf<T>) => string | null | undefined;
  /** Teaches the dictionaries what `row` will look up. */
  readonly learn?: (session: ImportSession, brand: ImportedBrand, records: RecordOf<T>[]) => Promise<void>;
  /** The row; `brand` is the record's own, for types that name one. */
  readonly row: (record: RecordOf<T>, brand: ImportedBrand, session: ImportSession) => Row;
  /** What else follows from a record: a connection, a workspace touched. */
  readonly note?: (record: RecordOf<T>, brand: ImportedBrand, session: ImportSession) => void;
}

export const tableWriter = <T extends RecordType>(_type: T, writer: TableWriter<T>): TableWriter<T> => writer;
