/** Collects records by type and writes each type in batches. The next batch is read while one is written. */
import { type DatasetRecord, type RecordType, recordTypes } from './records/index.js';
import type { ImportSession } from './session.js';
import { type Waiting, waiting, write } from './writers/index.js';

export const BATCH_RECORDS = 5000;
/** Two batches are in memory, one as records and one as the rows that are sent. */
export const BATCH_BYTES = 4 * 1024 * 1024;

interface Batch {
  readonly records: Waiting[];
  bytes: number;
}

export class RecordBuffer {
  readonly #session: ImportSession;
  readonly #waiting = new Map<RecordType, Batch>();
  readonly counts: Partial<Record<RecordType, number>> = {};
  total = 0;
  #full: { readonly type: RecordType; readonly records: readonly Waiting[] } | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(session: ImportSession) {
    this.#session = session;
  }

  /**
   * Adds a record. Returns whether it fills a batch: then await `writeFull` before the next call.
   * @param bytes The length of the record's line, if it was read from a file.
   */
  add(line: number, record: DatasetRecord, bytes = 0): boolean {
    const { type } = record;
    this.counts[type] = (this.counts[type] ?? 0) + 1;
    this.total++;
    const batch = this.#waiting.get(type) ?? { records: [], bytes: 0 };
    this.#waiting.set(type, batch);
    batch.bytes += bytes;
    batch.records.push(waiting(this.#session, line, record));
    if (batch.records.length < BATCH_RECORDS && batch.bytes < BATCH_BYTES) return false;
    this.#waiting.delete(type);
    this.#full = { type, records: batch.records };
    return true;
  }

  /** Begins to write the full batch when the one before is written. */
  async writeFull(): Promise<void> {
    await this.#writing;
    if (this.#full === null) return;
    this.#writing = write(this.#session, this.#full.type, this.#full.records);
    this.#full = null;
    // The next call awaits the promise. Until then its rejection must not be reported as unhandled.
    this.#writing.catch(() => undefined);
  }

  /** Writes the remaining records. */
  async flush(): Promise<void> {
    await this.#writing;
    for (const type of recordTypes) {
      const batch = this.#waiting.get(type);
      if (batch) await write(this.#session, type, batch.records);
    }
    this.#waiting.clear();
  }
}
