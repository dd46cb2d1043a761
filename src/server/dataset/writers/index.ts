/**
 * The writer of each record type. Each module exports its writers under the names of their types, so that the compiler
 * reports a type of `records` that has none.
 */
import type { RecordType } from '../records/index.js';
import { forgetTexts, type ImportSession } from '../session.js';
import * as catalog from './catalog.js';
import * as observed from './observed.js';
import { writeRuns } from './runs.js';
import type { Lined, TableWriter } from './table-writer.js';
import { upsertRecords } from './upsert.js';
import * as watchedPages from './watched-pages.js';

const tableWriters: { readonly [T in Exclude<RecordType, 'run'>]: TableWriter<T> } = {
  ...catalog,
  ...observed,
  ...watchedPages,
};

/** Writes records of one type. */
export async function write<T extends RecordType>(
  session: ImportSession,
  type: T,
  batch: readonly Lined<T>[],
): Promise<void> {
  forgetTexts(session);
  if (type === 'run') return writeRuns(session, batch as unknown as readonly Lined<'run'>[]);
  const writer = tableWriters[type as Exclude<RecordType, 'run'>] as unknown as TableWriter<T>;
  await upsertRecords(session, type, writer, batch);
}
