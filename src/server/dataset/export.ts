/** Writes the whole database as records of the dataset format. */
import type { Knex } from 'knex';
import { liftTimeLimits } from '../database/time-limits.js';
import type { Exporter } from './exporters/exporter.js';
import { exporters } from './exporters/index.js';
import { type DatasetRecord, type RecordType, recordTypes } from './records/index.js';

/**
 * Yields every record of the database, in an order that depends only on the data: first brands and records without a
 * brand, then the records of each brand. All records are from one snapshot, read in pages, so that memory does not grow
 * with the data. Keys, secrets and rate buckets are not exported. If the consumer stops early, the transaction ends.
 */
export async function* exportDataset(db: Knex): AsyncGenerator<DatasetRecord> {
  const trx = await db.transaction({ isolationLevel: 'repeatable read', readOnly: true });
  try {
    await liftTimeLimits(trx);
    yield* recordsOf(trx, false, 0, '');
    const { rows: brands } = await trx.raw('select brand_key, id from brands order by id');
    for (const { brand_key, id } of brands) yield* recordsOf(trx, true, brand_key, id);
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
): AsyncGenerator<DatasetRecord> {
  for (const type of recordTypes) {
    const exporter: Exporter<RecordType> = exporters[type];
    if (exporter.ofBrand !== ofBrand) continue;
    for await (const row of rowsOf(trx, exporter.sql, ofBrand ? { brandKey } : {})) {
      yield exporter.record(row as never, brand) as DatasetRecord;
    }
  }
}

const PAGE = 1000;

async function* rowsOf(
  trx: Knex.Transaction,
  sql: string,
  bindings: Knex.ValueDict,
): AsyncGenerator<unknown> {
  await trx.raw(`declare exported no scroll cursor for ${sql}`, bindings);
  for (let rows: unknown[] = []; ; ) {
    ({ rows } = await trx.raw(`fetch ${PAGE} from exported`));
    yield* rows;
    if (rows.length < PAGE) break;
  }
  await trx.raw('close exported');
}
