/** Record types whose records are rows of one table: the schema, how rows are written, and how they are exported. */
import { z } from 'zod';
import { canonicalUrl } from '../../../answers/citations/canonical-url.js';
import { id, isoTime, name, optional, text, time } from '../../../base/fields.js';
import { copyInto, copyRow } from '../../../database/copy.js';
import type { ImportedBrand } from '../brand-catalog.js';
import { ensureUrls } from '../cited-urls.js';
import { addLines, type ImportSession } from '../session.js';

/** A record type: its schema, how its records are written, and how they are exported. */
export interface Descriptor<R> {
  readonly schema: z.ZodType<R>;
  /** The field with the id that the record refers to besides its brand. */
  readonly ref?: string | undefined;
  /** The field with the time of the observation, which cannot be in the future. */
  readonly observedAt?: string | undefined;
  /** The record as it waits for its batch. */
  waiting(session: ImportSession, line: number, record: R): unknown;
  /** @param batch What `waiting` returned. */
  write(session: ImportSession, batch: readonly unknown[]): Promise<void>;
  /** Whether the rows to export are those of one brand, bound as `:brandKey`, or all. */
  readonly ofBrand: boolean;
  /** The statement of the rows to export. */
  readonly sql: string;
  /**
   * The columns of the statement that sort its rows and name each one; none: it has one row at most. They are imported
   * values, not keys, so that the order does not depend on the history of imports.
   */
  readonly order: readonly string[];
  /** The record of a row. `brand` is the id of the brand whose rows the statement selects. */
  exported(row: object, brand: string): R;
  /** Records that another table has, in the same order. They are exported after the others. */
  readonly further?: Pick<Descriptor<R>, 'sql' | 'exported'>;
}

// Fields.

/** A field of a record that is not stored as it is in the column of its name. */
interface Field<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  /** The column, if its name is not the field's; null: the field has none of its own. */
  readonly column?: string | null;
  /** What is stored if the record does not state the field; if omitted, null. */
  readonly fallback?: unknown;
  /** Ensures that the dictionaries have what `write` looks up. */
  ensure?(values: z.output<S>[], brand: ImportedBrand, session: ImportSession): Promise<void>;
  /** What is stored; if omitted, the value. */
  write?(value: NonNullable<z.output<S>>, brand: ImportedBrand, session: ImportSession): unknown;
  /** What to select for an export from the table `x`; if omitted, the column. */
  readonly select?: string;
  /** What `select` needs besides the table. */
  readonly join?: string;
  /** The value of an exported record for what was selected, unless that is null; if omitted, the same. */
  read?(selected: unknown): z.output<S> | null;
}

export const field = <S extends z.ZodType>(schema: S, rest: Omit<Field<S>, 'schema'>): Field<S> => ({
  schema,
  ...rest,
});

export const ofBrand = field(id, { column: 'brand_key', write: (_, brand) => brand.key });

const asTime = { write: isoTime, read: (stored: Date) => stored.toISOString() };
export const timestamp = field(time, asTime);
export const optionalTimestamp = field(optional(time), asTime);

/** Null for an empty list, which means the same as an absent one. */
export const unlessEmpty = <T>(list: T[]): T[] | null => (list.length > 0 ? list : null);

const asList = { fallback: [], read: unlessEmpty };
export const optionalNames = field(optional(z.array(name)), asList);
export const optionalTexts = field(optional(z.array(text)), asList);

/** The id of the brand itself or of a competitor; these count from 1. */
export const entityId = field(id, {
  write: (entity, brand, session) => session.brands.entity(brand, entity),
  select: 'coalesce(c.id, b.id)',
  join: `join brands b on b.brand_key = :brandKey
    left join competitors c on c.brand_key = :brandKey and c.entity = x.entity`,
});

/** The URL of a page that has a key as cited pages do. */
export const pageUrl = field(text, {
  column: 'url_key',
  ensure: (urls, brand, session) => ensureUrls(session, brand.key, urls.map(canonicalUrl)),
  write: (url, brand, session) => session.urls.keyOf(brand.key, canonicalUrl(url).url),
  select: 'u.url',
  join: 'join cited_urls u on u.brand_key = :brandKey and u.url_key = x.url_key',
});

/** Restores the order of the fields in a list of objects, which stored JSON does not keep. */
export const inOrderOf =
  ({ shape }: { readonly shape: object }) =>
  <V extends Row>(list: V[]): V[] =>
    list.map((each) => Object.fromEntries(Object.keys(shape).map((name) => [name, each[name]])) as V);

/** The fields without null values: a value that is not set is absent from the record. */
export const omitNulls = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as T;

// Record types.

type Fields = Readonly<Record<string, z.ZodType | Field>>;
type SchemaOf<F> = F extends Field<infer S> ? S : F;
type Shape<T extends string, F extends Fields> = { readonly type: z.ZodLiteral<T> } & {
  readonly [K in keyof F]: SchemaOf<F[K]>;
};
type RecordIn<T extends string, F extends Fields> = z.output<z.ZodObject<Shape<T, F>, z.core.$strict>>;

interface Table<R = Row, F = Fields> {
  readonly table: string;
  /** In the order of an export. */
  readonly fields: F;
  /** The fields and further columns that identify a record, besides its brand. */
  readonly key: readonly string[];
  /** The fields that sort an export; if omitted, the key. */
  readonly order?: readonly string[];
  /** Columns that keep their stored value if the record does not state one. */
  readonly keeps?: readonly string[];
  readonly ref?: keyof F & string;
  readonly observedAt?: keyof F & string;
  /** Columns that no field has, or that depend on several. `brand` is the record's brand, for types that have one. */
  columns?(record: R, brand: ImportedBrand, session: ImportSession): Row;
  /** Notes further effects of a record: a connection, a workspace whose reads change. */
  note?(record: R, brand: ImportedBrand, session: ImportSession): void;
  /** The condition of the rows that are exported. */
  readonly where?: string;
  /** Fields that stand at the end of an exported record, as in the exports of earlier versions. */
  readonly last?: readonly (keyof F | 'type')[];
}

type Row = Readonly<Record<string, unknown>>;
interface Named extends Field {
  readonly name: string;
  readonly column: string | null;
}

interface Lined {
  readonly line: number;
  readonly record: Row;
}

/** Defines a record type whose records are rows of a table. */
export function recordType<T extends string, F extends Fields>(
  type: T,
  table: Table<RecordIn<T, F>, F>,
): Descriptor<RecordIn<T, F>>;
export function recordType(type: string, table: Table): Descriptor<Row> {
  const fields = Object.entries(table.fields).map(([name, of]): Named => {
    const stored: Field = of instanceof z.ZodType ? { schema: of } : of;
    return { ...stored, name, column: stored.column === undefined ? name : stored.column };
  });
  const shape = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  return {
    schema: z.strictObject({ type: z.literal(type), ...shape }),
    ref: table.ref,
    observedAt: table.observedAt,
    waiting: (_, line, record): Lined => ({ line, record }),
    write: (session, batch: readonly Lined[]) => upsertRecords(session, type, table, fields, batch),
    ...exportOf(type, table, fields),
  };
}

// Exports.

function exportOf(
  type: string,
  { table, key, order = key, where, last = [] }: Table,
  fields: readonly Named[],
): Pick<Descriptor<Row>, 'ofBrand' | 'sql' | 'order' | 'exported'> {
  const own = fields.filter(({ name }) => name !== 'brand');
  const isOfBrand = own.length < fields.length;
  const further = order.filter((each) => !own.some(({ name }) => name === each));
  const selected = [
    ...own.map(({ name, column, select = `x.${column}` }) => `${select} as "${name}"`),
    ...further.map((column) => `x.${column}`),
  ];
  const conditions = [isOfBrand && 'x.brand_key = :brandKey', where].filter(Boolean);
  const written: Pick<Named, 'name' | 'read'>[] = [{ name: 'type' }, ...fields];
  written.sort((a, b) => last.indexOf(a.name) - last.indexOf(b.name));
  return {
    ofBrand: isOfBrand,
    sql: [
      `select ${selected.join(', ')} from ${table} x`,
      ...fields.flatMap(({ join }) => join ?? []),
      conditions.length > 0 ? `where ${conditions.join(' and ')}` : '',
    ].join(' '),
    order,
    exported(row: Row, brand: string) {
      const stored: Row = { ...row, type, brand };
      const record: Record<string, unknown> = {};
      for (const { name, read } of written) {
        const value = stored[name];
        if (value != null) record[name] = read ? read(value) : value;
      }
      return omitNulls(record);
    },
  };
}

// Imports.

/** The brand of records without one. */
const NO_BRAND = {} as ImportedBrand;

/** Inserts or replaces the rows of the records. Of two records with the same key in a batch, the later one is written. */
async function upsertRecords(
  session: ImportSession,
  type: string,
  table: Table,
  fields: readonly Named[],
  batch: readonly Lined[],
): Promise<void> {
  const brands = await brandsOf(session, batch);
  await ensureEntries(session, fields, batch, brands);
  const keys = keyColumns(table.key, fields);
  const rows = new Map<string, string>();
  let columns: string[] = [];
  const lines = batch.map(({ line, record }, at) => {
    const brand = brands[at]!;
    const row = rowOf(session, table, fields, record, brand);
    table.note?.(record, brand, session);
    columns = Object.keys(row);
    const key = JSON.stringify(keys.map((column) => row[column]));
    const content = JSON.stringify(row);
    rows.set(key, content);
    const ref = table.ref ? textOrNull(record[table.ref]) : null;
    return { line, type, brand: textOrNull(record.brand), key, content, ref, id: textOrNull(record.id) };
  });
  await addLines(session, lines);
  // Sorted, so that concurrent imports of the same rows wait for each other instead of deadlocking.
  const ordered = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await copyInto(
    session.trx,
    'incoming_records (record)',
    ordered.map((row) => copyRow([row])),
  );
  await session.trx.raw(upsertSql(table, keys, columns));
  await session.trx.raw('truncate incoming_records');
}

/** The id of the brand that a record belongs to: its `brand` field, or the id of a brand record. */
const brandIdOf = ({ type, id, brand }: Row): string | null => textOrNull(type === 'brand' ? id : brand);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

async function brandsOf(session: ImportSession, batch: readonly Lined[]) {
  const ids = batch.map(({ record }) => brandIdOf(record));
  const brands = await session.brands.getAll(ids.filter((id) => id !== null));
  return ids.map((id) => (id === null ? NO_BRAND : brands.get(id)!));
}

/** Ensures that the dictionaries have what the fields look up. */
async function ensureEntries(
  session: ImportSession,
  fields: readonly Named[],
  batch: readonly Lined[],
  brands: readonly ImportedBrand[],
): Promise<void> {
  for (const { name, ensure } of fields) {
    if (!ensure) continue;
    const values = new Map<ImportedBrand, unknown[]>();
    for (const [at, { record }] of batch.entries()) {
      const brand = brands[at]!;
      const group = values.get(brand);
      if (group) group.push(record[name]);
      else values.set(brand, [record[name]]);
    }
    for (const [brand, group] of values) await ensure(group, brand, session);
  }
}

function rowOf(
  session: ImportSession,
  table: Table,
  fields: readonly Named[],
  record: Row,
  brand: ImportedBrand,
): Row {
  const row: Record<string, unknown> = {};
  for (const { name, column, fallback = null, write } of fields) {
    if (column === null) continue;
    const value = record[name];
    row[column] = value == null ? fallback : write ? write(value, brand, session) : value;
  }
  return Object.assign(row, table.columns?.(record, brand, session));
}

/** The columns that identify a row. */
function keyColumns(key: readonly string[], fields: readonly Named[]): string[] {
  const isOfBrand = fields.some(({ column }) => column === 'brand_key');
  const columns = key.map((each) => fields.find(({ name }) => name === each)?.column ?? each);
  return isOfBrand ? ['brand_key', ...columns] : columns;
}

function upsertSql({ table, keeps }: Table, key: readonly string[], columns: readonly string[]) {
  const updates = columns
    .filter((column) => !key.includes(column))
    .map((column) =>
      keeps?.includes(column)
        ? `${column} = coalesce(excluded.${column}, ${table}.${column})`
        : `${column} = excluded.${column}`,
    );
  return `
    insert into ${table} (${columns.join(', ')})
    select ${columns.join(', ')} from incoming_records, json_populate_record(null::${table}, record)
    on conflict (${key.join(', ')}) do ${updates.length ? `update set ${updates.join(', ')}` : 'nothing'}`;
}
