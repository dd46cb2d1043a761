/** Writes the whole database as records of the dataset format. */
import type { Knex } from 'knex';
import { brandKeyOf } from '../../answers/collections.js';
import { liftTimeLimits } from '../../database/connections.js';
import { brandKeys } from './import-locks.js';
import { type DatasetRecord, descriptorOf, type RecordType, recordTypes } from './records/index.js';
import type { Descriptor } from './records/table.js';

/**
 * Yields every record of the database, in an order that depends only on the data: first brands and records without a
 * brand, then the records of each brand. All records are from one snapshot, read in pages, so that memory does not grow
 * with the data. Keys, secrets and rate buckets are not exported. If the consumer stops early, the transaction ends.
 */
export async function* exportDataset(db: Knex): AsyncGenerator<DatasetRecord> {
  const trx = await db.transaction({ isolationLevel: 'repeatable read', readOnly: true });
  try {
    await liftTimeLimits(trx);
    await takeSnapshots(trx);
    yield* recordsOf(trx, false, 0, '');
    for (const { key, id } of await brandKeys(trx, {})) yield* recordsOf(trx, true, key, id);
  } finally {
    await trx.rollback();
  }
}

/**
 * Yields the records of one brand, its own and its workspace's included. Nothing if there is no such brand.
 * @param types If omitted, all.
 */
export async function* exportBrand(
  db: Knex,
  brand: string,
  types: readonly RecordType[] = recordTypes,
): AsyncGenerator<DatasetRecord> {
  const trx = await db.transaction({ isolationLevel: 'repeatable read', readOnly: true });
  try {
    await liftTimeLimits(trx);
    await takeSnapshots(trx);
    const [found] = await brandKeyOf(trx, { id: brand });
    if (found === undefined) return;
    const owners: Readonly<Partial<Record<RecordType, string>>> = { brand, workspace: found.workspaceId };
    for await (const record of recordsOf(trx, false, 0, '', types))
      if ('id' in record && owners[record.type] === record.id) yield record;
    yield* recordsOf(trx, true, found.brandKey, brand, types);
  } finally {
    await trx.rollback();
  }
}

/** The records of one brand, or those without a brand. */
async function* recordsOf(
  trx: Knex.Transaction,
  ofBrand: boolean,
  brandKey: number,
  brand: string,
  types: readonly RecordType[] = recordTypes,
): AsyncGenerator<DatasetRecord> {
  for (const type of types) {
    const descriptor = descriptorOf(type);
    if (descriptor.ofBrand !== ofBrand) continue;
    const { order, further } = descriptor;
    for (const { sql, exported } of further ? [descriptor, further] : [descriptor]) {
      for await (const row of rowsOf(trx, { sql, order }, ofBrand ? { brandKey } : {}))
        yield exported(row, brand);
    }
  }
}

/**
 * Takes the snapshot of every node of a distributed database at the beginning: a node has one per connection, taken when
 * it is first asked. Elsewhere the setting has no meaning.
 */
async function takeSnapshots(trx: Knex.Transaction): Promise<void> {
  await trx.raw('set local citus.max_adaptive_executor_pool_size = 1');
  await trx.raw('select count(*) from brand_versions');
}

const PAGE = 1000;

/** Reads page by page, by key: a distributed database reads all rows of a cursor before it returns the first. */
async function* rowsOf(
  trx: Knex.Transaction,
  { sql, order }: Pick<Descriptor<DatasetRecord>, 'sql' | 'order'>,
  bindings: Knex.ValueDict,
): AsyncGenerator<Record<string, unknown>> {
  const keys = order.map((column) => `"${column}"`).join(', ');
  const page = `select * from (${sql}) page`;
  const after = `where (${keys}) > (${order.map((column) => `:${column}`).join(', ')})`;
  const sorted = order.length === 0 ? '' : `order by ${keys} limit ${PAGE}`;
  for (let last: Knex.ValueDict | undefined; ; ) {
    const { rows } = await trx.raw(`${page} ${last ? after : ''} ${sorted}`, { ...bindings, ...last });
    yield* rows;
    if (rows.length < PAGE) break;
    const newest = rows.at(-1);
    last = Object.fromEntries(order.map((column) => [column, bindingOf(newest[column])]));
  }
}

/** The embedded database returns bytes as an array that the driver would bind as text. */
const bindingOf = (value: unknown): Knex.Value =>
  value instanceof Uint8Array ? Buffer.from(value) : (value as Knex.Value);
