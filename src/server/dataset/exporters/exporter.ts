/** How to export a record type: the statement that selects its rows, and the record of a row. */
import type { RecordOf, RecordType } from '../records/index.js';

export interface Exporter<T extends RecordType> {
  /** Whether the statement selects the rows of one brand, bound as `:brandKey`, or all rows. */
  readonly ofBrand: boolean;
  readonly sql: string;
  /**
   * The columns of the statement that sort its rows and name each one; none: it has one row at most. They are imported
   * values, not keys, so that the order does not depend on the history of imports.
   */
  readonly order: readonly string[];
  /** The record of a row. `brand` is the id of the brand whose rows the statement selects. */
  readonly record: (row: never, brand: string) => RecordOf<T>;
}

/** An exporter of records that belong to a brand. */
export const brandExporter = <T extends RecordType, Row>(
  _type: T,
  sql: string,
  order: readonly string[],
  record: (row: Row, brand: string) => RecordOf<T>,
): Exporter<T> => ({ ofBrand: true, sql, order, record });

/** An exporter of records that belong to no brand, and of the brands themselves. */
export const commonExporter = <T extends RecordType, Row>(
  _type: T,
  sql: string,
  order: readonly string[],
  record: (row: Row) => RecordOf<T>,
): Exporter<T> => ({ ofBrand: false, sql, order, record });

/** The fields without null values: a value that is not set is absent from the record. */
export const stated = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as T;

/** Null for an empty list, which means the same as an absent one. */
export const unlessEmpty = <T>(list: T[]): T[] | null => (list.length > 0 ? list : null);

/** A time as ISO 8601 in UTC; null stays null. */
export const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;
