/** Collects records by type and writes each type in batches. The next batch is read while one is written. */
import { type RecordType, recordTypes } from './records/index.js';
import type { ImportSession } from './session.js';
import { write } from './writers/index.js';
import type { Lined } from './writers/table-writer.js';

export const BATCH_RECORDS = 5000;
/** Two batches are in memory, one as records and one as the rows that are sent. */
export const BATCH_BYTES = 4 * 1024 * 1024;

interface Waiting {
  readonly records: Lined<RecordType>[];
  bytes: number;
}

export class RecordBuffer {
  readonly #session: ImportSession;
  readonly #waiting = new Map<RecordType, Waiting>();
  readonly counts: Partial<Record<RecordType, number>> = {};
  total = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(session: ImportSession) {
    this.#session = session;
  }

  /** @param bytes The length of the record's line, if it was read from a file. */
  async add(lined: Lined<RecordType>, bytes = 0): Promise<void> {
    const { type } = lined.record;
    this.counts[type] = (this.counts[type] ?? 0) + 1;
    this.total++;
    const waiting = this.#waiting.get(type) ?? { records: [], bytes: 0 };
    this.#waiting.set(type, waiting);
    waiting.bytes += bytes;
    if (waiting.records.push(lined) < BATCH_RECORDS && waiting.bytes < BATCH_BYTES) return;
    this.#waiting.delete(type);
    await this.#writing;
    this.#writing = write(this.#session, type, waiting.records);
    // The next call awaits the promise. Until then its rejection must not be reported as unhandled.
    this.#writing.catch(() => undefined);
  }

  /** Writes the remaining records. */
  async flush(): Promise<void> {
    await this.#writing;
    for (const type of recordTypes) {
      const waiting = this.#waiting.get(type);
      if (waiting) await write(this.#session, type, waiting.records);
    }
    this.#waiting.clear();
  }
}
