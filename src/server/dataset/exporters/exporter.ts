/** How a record type leaves the database: its rows in the order of their ids, and the record of a row. */
import type { RecordOf, RecordType } from '../records/index.js';

export interface Exporter<T extends RecordType> {
  /** Whether the statement is of one brand, bound as `:brandKey`; else it selects the rows of all. */
  readonly ofBrand: boolean;
  /** In an order that depends on what was imported alone and not on the keys given out for it. */
  readonly sql: string;
  /** The record of a row; `brand` is the id of the brand that the statement is of. */
  readonly record: (row: never, brand: string) => RecordOf<T>;
}

/** An exporter of records that belong to a brand. */
export const brandExporter = <T extends RecordType, Row>(
  _type: T,
  sql: string,
  record: (row: Row, brand: string) => RecordOf<T>,
): Exporter<T> => ({ ofBrand: true, sql, record });

/** An exporter of records that belong to no brand, and of the brands themselves. */
export const commonExporter = <T extends RecordType, Row>(
  _type: T,
  sql: string,
  record: (row: Row) => RecordOf<T>,
): Exporter<T> => ({ ofBrand: false, sql, record });

/** The fields that are stated: what is not set is absent and not null. */
export const stated = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as T;

/** An empty list says no more than an absent one. */
export const unlessEmpty = <T>(list: T[]): T[] | null => (list.length > 0 ? list : null);

export const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;
