/** Stores the hits of one body, all of them or none, and never keeps more than a batch of them in memory. */
import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type CrawlerEventRow, connectCrawlerLogs, insertCrawlerEvents } from './crawler-events.js';

/** A row as JSON, encoded while the body is parsed: encoding all rows at once would delay other requests. */
interface EncodedRow {
  readonly key: string;
  readonly json: string;
}

export interface Stored {
  readonly inserted: number;
  /** Whether any read of the brand changed: rows were inserted, the newest time changed, or it is the first log. */
  readonly changed: boolean;
}

/** A batch is stored when it has this many rows, or this many characters, because paths may be long. */
export const BATCH_ROWS = 10_000;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** A statement has this many rows and up to a group more. Its text is built in one step, which delays other requests. */
const ROWS_PER_STATEMENT = 1000;

/**
 * A body of up to one batch is stored at its end. For a longer one a transaction begins with its first batch, which is
 * rolled back unless `finish` is called.
 */
export class HitWriter {
  readonly #db: Knex;
  readonly #brandKey: number;
  readonly #receivedAt: Date;
  /** Rows by the first character of their keys, which are hashes: sorting all rows at once would delay other requests. */
  #groups = new Map<string, EncodedRow[]>();
  #rows = 0;
  #characters = 0;
  #inserted = 0;
  #transaction: Knex.Transaction | undefined;

  constructor(db: Knex, brandKey: number, receivedAt: Date) {
    this.#db = db;
    this.#brandKey = brandKey;
    this.#receivedAt = receivedAt;
  }

  add(row: CrawlerEventRow): void {
    const json = JSON.stringify(row);
    const first = row.key.charAt(0);
    const group = this.#groups.get(first) ?? [];
    this.#groups.set(first, group);
    group.push({ key: row.key, json });
    this.#rows++;
    this.#characters += json.length;
  }

  /** Stores the batch if it is full. */
  async settle(): Promise<void> {
    if (this.#rows >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS) await this.#store();
  }

  /** Stores the rest and the newest time of any request line, and commits. */
  async finish(newest: Date): Promise<Stored> {
    await this.#store();
    const trx = await this.#begun();
    const inserted = this.#inserted;
    const brandKey = this.#brandKey;
    const moved = await connectCrawlerLogs(trx, { brandKey, newest, inserted: inserted > 0 });
    await trx.commit();
    return { inserted, changed: moved.length > 0 };
  }

  /** Rolls back. After `finish` it does nothing. */
  async abandon(): Promise<void> {
    const trx = this.#transaction;
    if (!trx || trx.isCompleted()) return;
    // If the connection is lost, there is nothing to roll back, and the first error is the one to report.
    await trx.rollback().catch(() => undefined);
  }

  async #begun(): Promise<Knex.Transaction> {
    this.#transaction ??= await this.#db.transaction();
    return this.#transaction;
  }

  /** Stores the rows sorted by key, so that overlapping bodies wait for each other instead of deadlocking. */
  async #store(): Promise<void> {
    const groups = [...this.#groups].sort(([a], [b]) => compare(a, b));
    this.#groups = new Map();
    this.#rows = 0;
    this.#characters = 0;
    let part: EncodedRow[] = [];
    for (const [, group] of groups) {
      part.push(...group.sort((a, b) => compare(a.key, b.key)));
      if (part.length < ROWS_PER_STATEMENT) continue;
      await this.#insert(part);
      part = [];
    }
    if (part.length > 0) await this.#insert(part);
  }

  async #insert(rows: readonly EncodedRow[]): Promise<void> {
    const [counted] = await insertCrawlerEvents(await this.#begun(), {
      brandKey: this.#brandKey,
      rows: `[${rows.map((row) => row.json).join()}]`,
      receivedAt: this.#receivedAt,
    });
    this.#inserted += counted!.inserted;
    await setImmediate();
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
