/** The statements about stored crawler hits, and how long hits are kept. */

import type { Knex } from 'knex';
import { DAY_MS, mondayOf, utcDay } from '../../base/days.js';
import { statement } from '../../base/statement.js';
import { cellsAsJson, dropOldWeeks, lockHits } from './crawler-weeks.js';
import { dropOldReferrals } from './referral-days.js';

/** A hit to insert, with its key in base64. */
export interface CrawlerEventRow {
  readonly key: string;
  readonly agent: string;
  readonly path: string;
  /** ISO 8601. */
  readonly time: string;
  readonly status: number | null;
  /** Whether the address of its client is one of the agent's operator; null: not known. */
  readonly verified: boolean | null;
}

/**
 * Inserts the hits that are not stored yet and returns their number, and their counts. `rows` is a JSON array of CrawlerEventRow sorted by
 * key, so that overlapping batches wait for each other instead of deadlocking.
 */
export const insertCrawlerEvents = statement<
  { inserted: number; cells: string | null },
  { brandKey: number; rows: string; receivedAt: Date }
>(
  'insert_crawler_events',
  `with ins as (
     insert into crawler_events (brand_key, dedupe_key, agent, path, time, status, verified, received_at)
     select cast(:brandKey as integer), decode(r.key, 'base64'), r.agent, r.path, r.time, r.status, r.verified,
       cast(:receivedAt as timestamptz)
     from json_to_recordset(cast(:rows as json))
       as r (key text, agent text, path text, time timestamptz, status smallint, verified boolean)
     on conflict (brand_key, dedupe_key) do nothing
     returning agent, path, time, status
   )
   select (select count(*) from ins) as inserted, ${cellsAsJson('ins')} as cells`,
);

/**
 * Notes that a log was received whose newest request has this time. Returns a row if that, or the rows that were inserted,
 * changed any read of the brand.
 */
export const connectCrawlerLogs = statement<
  { dataVersion: number },
  { brandKey: number; newest: Date; inserted: boolean }
>(
  'connect_crawler_logs',
  `insert into crawler_connections as c (brand_key, last_event_at, data_version)
   values (:brandKey, cast(:newest as timestamptz), 1)
   on conflict (brand_key) do update set
     last_event_at = greatest(c.last_event_at, excluded.last_event_at), data_version = c.data_version + 1
   where cast(:inserted as boolean) or excluded.last_event_at > c.last_event_at
   returning data_version as "dataVersion"`,
);

/**
 * Deletes the oldest `rows` of a brand's hits from before a time, with those of the same moment as the last one, and returns
 * their number. It deletes a range of time, because an array of keys would be compared with each hit where the planner
 * expects few hits.
 */
const deleteOldCrawlerEvents = statement<
  { deleted: number },
  { brandKey: number; before: Date; rows: number }
>(
  'delete_old_crawler_events',
  `with gone as (
     delete from crawler_events
     where brand_key = :brandKey and time < cast(:before as timestamptz) and time <= coalesce((
       select time from crawler_events
       where brand_key = :brandKey and time < cast(:before as timestamptz) order by time offset :rows - 1 limit 1
     ), 'infinity')
     returning 1
   )
   select count(*) as deleted from gone`,
);

/** Whether a brand has hits from before a time. Always one row. */
export const hasOldCrawlerEvents = statement<{ found: boolean }, { brandKey: number; before: Date }>(
  'has_old_crawler_events',
  `select exists (
     select 1 from crawler_events where brand_key = :brandKey and time < cast(:before as timestamptz)
   ) as found`,
);

/** The brands whose logs were received. */
export const connectedBrands = statement<{ brandKey: number }, Record<string, never>>(
  'connected_brands',
  'select brand_key as "brandKey" from crawler_connections order by brand_key',
);

const bumpCrawlerVersion = statement<never, { brandKey: number }>(
  'bump_crawler_version',
  'update crawler_connections set data_version = data_version + 1 where brand_key = :brandKey',
);

/** Rows that one statement deletes, and those of the same moment: a year of hits at once would hold locks for too long. */
const DELETED_ROWS = 5000;

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
    const referrals = await dropOldReferrals(db, brandKey, utcDay(before));
    if (dropped > 0)
      await db.transaction(async (trx) => {
        await lockHits(trx, brandKey);
        await dropOldWeeks(trx, brandKey, mondayOf(utcDay(before)));
      });
    if (dropped + referrals > 0) await bumpCrawlerVersion(db, { brandKey });
    total += dropped;
  }
  return total;
}

async function dropOfBrand(db: Knex, brandKey: number, before: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const [gone] = await deleteOldCrawlerEvents(db, { brandKey, before, rows: DELETED_ROWS });
    total += gone!.deleted;
    if (gone!.deleted < DELETED_ROWS) return total;
  }
}
