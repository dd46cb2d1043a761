/** Writes a batch of records of one type with the table writer of that type. */
import { hash } from 'node:crypto';
import { copyInto, copyRow } from '../../database/copy.js';
import type { ImportedBrand } from '../brand-catalog.js';
import { isoTime } from '../records/fields.js';
import type { RecordOf, RecordType } from '../records/index.js';
import type { ImportSession } from '../session.js';

// How to write a record type whose records are rows of one table.

type Value = string | number | boolean | null | readonly unknown[] | object;
type Row = Readonly<Record<string, Value>>;

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

const NO_BRAND = {} as ImportedBrand;

/** Inserts or replaces the rows of the records. Of two records with the same key in a batch, the later one is written. */
export async function upsertRecords<T extends RecordType>(
  session: ImportSession,
  type: T,
  writer: TableWriter<T>,
  batch: readonly Lined<T>[],
): Promise<void> {
  const brands = await brandsOf(session, type, batch);
  if (writer.ensure) {
    for (const [brand, records] of byBrand(batch, brands)) await writer.ensure(session, brand, records);
  }
  const rows = new Map<string, string>();
  const lines = batch.map((lined, at) => {
    const brand = brands[at] ?? NO_BRAND;
    const row = writer.row(lined.record, brand, session);
    writer.note?.(lined.record, brand, session);
    const key = JSON.stringify(writer.key.map((column) => row[column]));
    const content = JSON.stringify(row);
    rows.set(key, content);
    return importLine(type, writer, lined, key, content);
  });
  await session.lines.add(lines);
  const columns = Object.keys(writer.row(batch[0]!.record, brands[0] ?? NO_BRAND, session));
  // Sorted, so that concurrent imports of the same rows wait for each other instead of deadlocking.
  const ordered = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await copyInto(
    session.trx,
    'incoming_records (record)',
    ordered.map((row) => copyRow([row])),
  );
  await session.trx.raw(upsertSql(writer, columns));
  await session.trx.raw('truncate incoming_records');
}

/** The id of the brand that a record belongs to: its `brand` field, or the id of a brand record. */
function brandIdOf(type: RecordType, record: object): string | null {
  if (type === 'brand') return (record as RecordOf<'brand'>).id;
  return 'brand' in record ? (record.brand as string) : null;
}

async function brandsOf<T extends RecordType>(session: ImportSession, type: T, batch: readonly Lined<T>[]) {
  const ids = batch.map(({ record }) => brandIdOf(type, record));
  const brands = await session.brands.getAll(ids.filter((id) => id !== null));
  return ids.map((id) => (id === null ? null : brands.get(id)!));
}

function byBrand<T extends RecordType>(
  batch: readonly Lined<T>[],
  brands: readonly (ImportedBrand | null)[],
) {
  const groups = new Map<ImportedBrand, RecordOf<T>[]>();
  batch.forEach(({ record }, at) => {
    const brand = brands[at]!;
    const group = groups.get(brand);
    if (group) group.push(record);
    else groups.set(brand, [record]);
  });
  return groups;
}

function importLine<T extends RecordType>(
  type: T,
  writer: TableWriter<T>,
  { line, record }: Lined<T>,
  key: string,
  content: string,
) {
  const brand = type === 'brand' ? null : brandIdOf(type, record);
  const id = 'id' in record ? (record.id as string) : null;
  return { line, type, brand, key, content, ref: writer.ref?.(record) ?? null, id };
}

function upsertSql(writer: TableWriter<never>, columns: readonly string[]): string {
  const updates = columns
    .filter((column) => !writer.key.includes(column))
    .map((column) =>
      writer.keeps?.includes(column)
        ? `${column} = coalesce(excluded.${column}, ${writer.table}.${column})`
        : `${column} = excluded.${column}`,
    );
  return `
    insert into ${writer.table} (${columns.join(', ')})
    select ${columns.join(', ')} from incoming_records, json_populate_record(null::${writer.table}, record)
    on conflict (${writer.key.join(', ')}) do ${updates.length ? `update set ${updates.join(', ')}` : 'nothing'}`;
}
