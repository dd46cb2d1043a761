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
  #writing: Promise<void> = Promise.resolve();

  constructor(session: ImportSession) {
    this.#session = session;
  }

  /** @param bytes The length of the record's line, if it was read from a file. */
  async add(line: number, record: DatasetRecord, bytes = 0): Promise<void> {
    const { type } = record;
    this.counts[type] = (this.counts[type] ?? 0) + 1;
    this.total++;
    const batch = this.#waiting.get(type) ?? { records: [], bytes: 0 };
    this.#waiting.set(type, batch);
    batch.bytes += bytes;
    batch.records.push(waiting(this.#session, line, record));
    if (batch.records.length < BATCH_RECORDS && batch.bytes < BATCH_BYTES) return;
    this.#waiting.delete(type);
    await this.#writing;
    this.#writing = write(this.#session, type, batch.records);
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
