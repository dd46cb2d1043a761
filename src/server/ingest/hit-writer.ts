/** Stores the hits of one body, all of them or none, and never holds more of them than a batch. */
import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type CrawlerEventRow, connectCrawlerLogs, insertCrawlerEvents } from '../queries/crawler-events.js';

/** A row as JSON, made while the body is parsed: all rows at once would keep other requests waiting. */
interface EncodedRow {
  readonly key: string;
  readonly json: string;
}

export interface Stored {
  readonly inserted: number;
  /** Whether any answer about the brand changed: rows came, the newest time moved, or it is the first log. */
  readonly changed: boolean;
}

/** A batch is stored when it holds so many rows, or so many characters: paths may be long. */
export const BATCH_ROWS = 10_000;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** So many rows go into one statement: its text is made in one go, and others wait meanwhile. */
const ROWS_PER_STATEMENT = 2000;

/**
 * Bodies of up to a batch are stored when they are whole. For a longer one a transaction begins with its first batch, and
 * what was stored is taken back unless `finish` is reached.
 */
export class HitWriter {
  readonly #db: Knex;
  readonly #brandKey: number;
  readonly #receivedAt: Date;
  #rows: EncodedRow[] = [];
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
    this.#rows.push({ key: row.key, json });
    this.#characters += json.length;
  }

  /** Stores the batch once it is full. */
  async settle(): Promise<void> {
    if (this.#rows.length >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS) await this.#store();
  }

  /** Stores the rest, notes the newest time of any request line, and makes all of it count. */
  async finish(newest: Date): Promise<Stored> {
    await this.#store();
    const trx = await this.#begun();
    const inserted = this.#inserted;
    const brandKey = this.#brandKey;
    const moved = await connectCrawlerLogs(trx, { brandKey, newest, inserted: inserted > 0 });
    await trx.commit();
    return { inserted, changed: moved.length > 0 };
  }

  /** Takes back what was stored. After `finish` it does nothing. */
  async abandon(): Promise<void> {
    const trx = this.#transaction;
    if (!trx || trx.isCompleted()) return;
    // Where the connection is gone there is nothing to take back, and the error that matters is another.
    await trx.rollback().catch(() => undefined);
  }

  async #begun(): Promise<Knex.Transaction> {
    this.#transaction ??= await this.#db.transaction();
    return this.#transaction;
  }

  /** In the order of the keys, so that bodies that overlap wait for one another instead of locking each other out. */
  async #store(): Promise<void> {
    const rows = this.#rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    this.#rows = [];
    this.#characters = 0;
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
      const part = rows.slice(at, at + ROWS_PER_STATEMENT);
      const [counted] = await insertCrawlerEvents(await this.#begun(), {
        brandKey: this.#brandKey,
        rows: `[${part.map((row) => row.json).join()}]`,
        receivedAt: this.#receivedAt,
      });
      this.#inserted += counted!.inserted;
      await setImmediate();
    }
  }
}
