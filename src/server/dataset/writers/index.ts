/**
 * The writer of each record type. Each module exports its writers under the names of their types, so that the compiler
 * reports a type of `records` that has none.
 */
import type { DatasetRecord, RecordType } from '../records/index.js';
import { forgetTexts, type ImportSession } from '../session.js';
import * as catalog from './catalog.js';
import * as observed from './observed.js';
import { type WaitingRun, waitingRun, writeRuns } from './runs.js';
import { type Lined, type TableWriter, upsertRecords } from './upsert.js';
import * as watchedPages from './watched-pages.js';

const tableWriters: { readonly [T in Exclude<RecordType, 'run'>]: TableWriter<T> } = {
  ...catalog,
  ...observed,
  ...watchedPages,
};

/** A record as it waits for its batch. */
export type Waiting = Lined<RecordType> | WaitingRun;

export const waiting = (session: ImportSession, line: number, record: DatasetRecord): Waiting =>
  record.type === 'run' ? waitingRun(session, line, record) : { line, record };

/** Writes records of one type. */
export async function write(
  session: ImportSession,
  type: RecordType,
  batch: readonly Waiting[],
): Promise<void> {
  forgetTexts(session);
  if (type === 'run') return writeRuns(session, batch as readonly WaitingRun[]);
  const writer = tableWriters[type] as unknown as TableWriter<typeof type>;
  await upsertRecords(session, type, writer, batch as readonly Lined<typeof type>[]);
}
