/** How long crawler hits are kept. */
import type { Knex } from 'knex';
import { DAY_MS } from '../days.js';
import { bumpCrawlerVersion, connectedBrands, deleteOldCrawlerEvents } from './crawler-events.js';

/** Rows that one statement deletes, and those of the same moment: a year of hits at once would hold locks for too long. */
const BATCH_ROWS = 5000;

/** Hits from before this time are not stored, and are deleted each night. */
export const retentionStart = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/**
 * Deletes the hits that are older than `days`, in small steps, and returns their number. Deleted hits are not stored again
 * either. Safe to run concurrently.
 */
export async function dropOldHits(db: Knex, now: Date, days: number): Promise<number> {
  const before = retentionStart(now, days);
  let total = 0;
  for (const { brandKey } of await connectedBrands(db, {})) {
    const dropped = await dropOfBrand(db, brandKey, before);
    if (dropped > 0) await bumpCrawlerVersion(db, { brandKey });
    total += dropped;
  }
  return total;
}

async function dropOfBrand(db: Knex, brandKey: number, before: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const [gone] = await deleteOldCrawlerEvents(db, { brandKey, before, rows: BATCH_ROWS });
    total += gone!.deleted;
    if (gone!.deleted < BATCH_ROWS) return total;
  }
}
