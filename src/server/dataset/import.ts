/** Loads a dataset file into the database, all of it or nothing. */
import type { Knex } from 'knex';
import { utcDay } from '../days.js';
import { liftTimeLimits } from '../time-limits.js';
import { checkWhole } from './checks.js';
import { finish } from './finish.js';
import { type Line, linesOf } from './lines.js';
import { parseLine } from './parse-line.js';
import { DatasetError } from './problems.js';
import { type DatasetRecord, type RecordType, recordTypes } from './records/index.js';
import { type ImportSession, openSession } from './session.js';
import { write } from './writers/index.js';
import { isInsideHorizon } from './writers/observed.js';
import type { Lined } from './writers/table-writer.js';

export interface ImportProgress {
  readonly lines: number;
  readonly records: number;
}

export interface ImportOptions {
  readonly now: Date;
  /** Check only: nothing is written. */
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportResult {
  readonly lines: number;
  /** Records read, by type. */
  readonly records: Readonly<Partial<Record<RecordType, number>>>;
}

/**
 * Imports NDJSON, gzipped or not, in one transaction.
 * @throws DatasetError naming the lines that are wrong; then nothing was written.
 */
export async function importDataset(
  db: Knex,
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportResult> {
  return inOneTransaction(db, options, async (session) => {
    let lines = 0;
    const buffer = new RecordBuffer(session);
    for await (const group of linesOf(source)) {
      lines += group.length;
      for (const line of group) {
        const record = checkedRecord(line, session);
        if (record) await buffer.add({ line: line.number, record });
      }
      options.onProgress?.({ lines, records: buffer.total });
      await new Promise(setImmediate);
    }
    await buffer.flush();
    return { lines, records: buffer.counts };
  });
}

/** The same for records that are at hand, as the demo's are. */
export async function importRecords(
  db: Knex,
  records: Iterable<DatasetRecord>,
  options: ImportOptions,
): Promise<ImportResult> {
  return inOneTransaction(db, options, async (session) => {
    const buffer = new RecordBuffer(session);
    let line = 0;
    for (const record of records) {
      await buffer.add({ line: ++line, record });
      if (line % BATCH_RECORDS === 0) options.onProgress?.({ lines: line, records: line });
    }
    await buffer.flush();
    return { lines: line, records: buffer.counts };
  });
}

const ROLLED_BACK = Symbol('rolled back');

async function inOneTransaction(
  db: Knex,
  options: ImportOptions,
  load: (session: ImportSession) => Promise<ImportResult>,
): Promise<ImportResult> {
  let result: ImportResult | undefined;
  try {
    return await db.transaction(async (trx) => {
      await liftTimeLimits(trx);
      const session = await openSession(trx, options.now);
      result = await load(session);
      await checkWhole(session);
      if (session.problems.count > 0) throw new DatasetError(session.problems);
      if (options.dryRun) throw ROLLED_BACK;
      await finish(session);
      return result;
    });
  } catch (error) {
    if (error === ROLLED_BACK) return result!;
    throw error;
  }
}

const DAY_MS = 86_400_000;

/** The record of a line with the checks that need the clock. */
function checkedRecord(line: Line, session: ImportSession): DatasetRecord | undefined {
  const record = parseLine(line, session.problems);
  if (record?.type === 'run' && Date.parse(record.collected_at) > session.now.getTime() + DAY_MS) {
    session.problems.add(
      line.number,
      'collected_at',
      `expected at most 24 h from now, got ${record.collected_at}`,
    );
    return undefined;
  }
  if (record?.type === 'daily_stat' && isInsideHorizon(record.date, session.now)) {
    const today = utcDay(session.now);
    session.problems.add(
      line.number,
      'date',
      `expected a day older than the 56 that end today (${today}), got ${record.date}`,
    );
    return undefined;
  }
  return record;
}

const BATCH_RECORDS = 1000;

/** Gathers records by type and writes each type in batches; while one batch is written the next is read. */
class RecordBuffer {
  readonly #session: ImportSession;
  readonly #waiting = new Map<RecordType, Lined<RecordType>[]>();
  readonly counts: Partial<Record<RecordType, number>> = {};
  total = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(session: ImportSession) {
    this.#session = session;
  }

  async add(lined: Lined<RecordType>): Promise<void> {
    const { type } = lined.record;
    this.counts[type] = (this.counts[type] ?? 0) + 1;
    this.total++;
    const waiting = this.#waiting.get(type);
    if (!waiting) this.#waiting.set(type, [lined]);
    else if (waiting.push(lined) >= BATCH_RECORDS) {
      this.#waiting.delete(type);
      await this.#writing;
      this.#writing = write(this.#session, type, waiting);
      // Whoever comes next awaits it; until then its failure is nobody's.
      this.#writing.catch(() => undefined);
    }
  }

  /** Writes what is left. */
  async flush(): Promise<void> {
    await this.#writing;
    for (const type of recordTypes) {
      const waiting = this.#waiting.get(type);
      if (waiting) await write(this.#session, type, waiting);
    }
    this.#waiting.clear();
  }
}
