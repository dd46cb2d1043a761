/** Stores what a body held, all of it or nothing. */

import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type CrawlerEventRow, connectCrawlerLogs, insertCrawlerEvents } from '../queries/crawler-events.js';
import { retriedTransaction } from '../retry.js';

/** A row as JSON, made while the body is parsed: all rows at once would keep other requests waiting. */
export interface EncodedRow {
  readonly key: string;
  readonly json: string;
}

export const encodeRow = (row: CrawlerEventRow): EncodedRow => ({ key: row.key, json: JSON.stringify(row) });

export interface HitBatch {
  readonly brandKey: number;
  readonly rows: EncodedRow[];
  /** Newest time of any request line of the body, agents or not. */
  readonly newest: Date;
  readonly receivedAt: Date;
}

export interface Stored {
  readonly inserted: number;
  /** Whether any answer about the brand changed: rows came, the newest time moved, or it is the first log. */
  readonly changed: boolean;
}

/** So many rows go into one statement: its text is made in one go, and others wait meanwhile. */
const ROWS_PER_STATEMENT = 2000;

export async function storeHits(db: Knex, { brandKey, rows, newest, receivedAt }: HitBatch): Promise<Stored> {
  rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const batches = await batched(rows);
  return retriedTransaction(db, async (trx) => {
    let inserted = 0;
    for (const batch of batches) {
      const [counted] = await insertCrawlerEvents(trx, { brandKey, rows: batch, receivedAt });
      inserted += counted!.inserted;
    }
    const moved = await connectCrawlerLogs(trx, { brandKey, newest, inserted: inserted > 0 });
    return { inserted, changed: moved.length > 0 };
  });
}

async function batched(rows: readonly EncodedRow[]): Promise<string[]> {
  const batches: string[] = [];
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    const batch = rows.slice(at, at + ROWS_PER_STATEMENT);
    batches.push(`[${batch.map((row) => row.json).join()}]`);
    await setImmediate();
  }
  return batches;
}
