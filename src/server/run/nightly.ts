/**
 * Runs once per UTC day: writes the statistics of finished days, tells what moved, and deletes expired crawler hits. If several servers share
 * a database, one of them writes the statistics of a brand. Missed nights are made up for at the next start.
 */
import type { Knex } from 'knex';
import { dropDeadGrants } from '../accounts/grants.js';
import { dropInactivePeople } from '../accounts/people.js';
import { brandOfMoves, tellMoves } from '../alerts/moves/tell.js';
import { catchUpDailyStats, missingStatsDays } from '../answers/daily-stats.js';
import { type Clock, systemClock } from '../base/clock.js';
import { DAY_MS, utcDay } from '../base/days.js';
import { refusesChanges } from '../base/errors.js';
import type { Logger } from '../base/log.js';
import { type Repeated, repeat } from '../base/repeat.js';
import type { RobotsChecks } from '../base/robots/fetch.js';
import { liftTimeLimits } from '../database/connections.js';
import { brandKeys, ensureImportLock, tryHoldImports } from '../intake/dataset/import-locks.js';
import {
  connectedBrands,
  dropOldHits,
  hasOldCrawlerEvents,
  retentionStart,
} from '../intake/ingest/crawler-events.js';
import { dropVisitors } from '../intake/ingest/referral-days.js';

/** The tasks of a night, as metrics name them. */
export type NightlyTask = 'daily_stats' | 'moves' | 'crawler_retention' | 'visitor_salts' | 'grants';

/** Called when a task ends. A task that another process does is not reported. */
export type NightlyReport = (task: NightlyTask, seconds: number, succeeded: boolean) => void;

export interface NightlyOptions {
  readonly clock?: Clock;
  /** How often a server checks for a new day: a timer until midnight would be late if the machine sleeps. */
  readonly everyMs?: number;
  /** If omitted, no crawler hits are deleted. */
  readonly crawlerRetentionDays?: number;
  readonly report?: NightlyReport | undefined;
  /** Null: no site is asked for its robots.txt. */
  readonly robots?: RobotsChecks | null;
}

const EVERY_MS = 10 * 60_000;

export function startNightly(db: Knex, log: Logger, options: NightlyOptions = {}): Repeated {
  const { clock = systemClock, everyMs = EVERY_MS, crawlerRetentionDays, report, robots = null } = options;
  const doneOn = new Map<NightlyTask, string>();
  /** Does a task unless it is done today. @param work Returns whether the task is done for every brand. */
  const oncePerDay = async (task: NightlyTask, name: string, work: (today: string) => Promise<boolean>) => {
    const today = utcDay(clock());
    if (doneOn.get(task) === today) return;
    const startedAt = performance.now();
    const ended = (succeeded: boolean) => report?.(task, (performance.now() - startedAt) / 1000, succeeded);
    try {
      if (!(await work(today))) return;
      doneOn.set(task, today);
      ended(true);
    } catch (error) {
      // Another process imports into the embedded database: the next check tries again.
      if (refusesChanges(error)) return log.debug({ err: error }, `${name}: waiting for the database`);
      ended(false);
      log.error({ err: error }, `${name} failed`);
    }
  };
  return repeat({ everyMs, log, name: 'nightly work' }, async (stopping) => {
    await oncePerDay('daily_stats', 'nightly statistics', (today) => writeMissingStats(db, today, stopping));
    await oncePerDay('moves', 'looking for moves', () => tellAllMoves(db, robots, clock(), stopping));
    await oncePerDay('grants', 'deleting expired grants', async () => {
      await dropDeadGrants(db, clock());
      await dropInactivePeople(db, clock());
      return true;
    });
    await oncePerDay('visitor_salts', 'destroying salts of visitors', async (today) => {
      const brands = await connectedBrands(db, {});
      await dropVisitors(
        db,
        brands.map(({ brandKey }) => brandKey),
        today,
      );
      return true;
    });
    if (crawlerRetentionDays !== undefined)
      await oncePerDay('crawler_retention', 'dropping old crawler hits', async () => {
        await dropOldHits(db, clock(), crawlerRetentionDays);
        return true;
      });
  });
}

/**
 * Writes the missing statistics of finished days, brand by brand. A brand that an import or another server has locked is
 * skipped.
 * @returns whether no brand was skipped.
 */
export const writeMissingStats = (db: Knex, today: string, signal?: AbortSignal): Promise<boolean> =>
  ofEachBrand(db, signal, async () => async (trx, key) => {
    await catchUpDailyStats(trx, key, today);
  });

/** Tells what moved, brand by brand, as `writeMissingStats`. The robots.txt of a site is fetched before its brand is locked. */
export const tellAllMoves = (
  db: Knex,
  robots: RobotsChecks | null,
  now: Date,
  signal?: AbortSignal,
): Promise<boolean> =>
  ofEachBrand(db, signal, async (brandKey) => {
    const [brand] = robots ? await brandOfMoves(db, { brandKey }) : [];
    const isAsked = brand && brand.archivedAt === null && brand.domain !== '';
    const state = isAsked ? (await robots!.of(brand.domain)).state : undefined;
    return async (trx, key) => {
      await tellMoves(trx, key, state, now);
    };
  });

/** @param prepare What to do before the lock; it returns what to do with it. */
async function ofEachBrand(
  db: Knex,
  signal: AbortSignal | undefined,
  prepare: (brandKey: number) => Promise<(trx: Knex.Transaction, brandKey: number) => Promise<void>>,
): Promise<boolean> {
  let skipped = 0;
  for (const { key } of await brandKeys(db, {})) {
    if (signal?.aborted) return false;
    await ensureImportLock(db, { brandKey: key });
    const work = await prepare(key);
    await db.transaction(async (trx) => {
      await liftTimeLimits(trx);
      const [held] = await tryHoldImports(trx, { brandKey: key });
      if (held) await work(trx, key);
      else skipped++;
    });
  }
  return skipped === 0;
}

/** Work that the nights before should have done. */
export interface PendingWork {
  /** Finished days without statistics, of all brands. */
  readonly days: number;
  /** Brands that have crawler hits for a day longer than they are kept. */
  readonly expiredBrands: number;
}

/** The work that is due, without doing it. */
export async function pendingWork(db: Knex, now: Date, crawlerRetentionDays: number): Promise<PendingWork> {
  let days = 0;
  for (const { key } of await brandKeys(db, {}))
    days += (await missingStatsDays(db, key, utcDay(now))).length;
  const before = retentionStart(new Date(now.getTime() - DAY_MS), crawlerRetentionDays);
  let expiredBrands = 0;
  for (const { brandKey } of await connectedBrands(db, {})) {
    const [old] = await hasOldCrawlerEvents(db, { brandKey, before });
    if (old!.found) expiredBrands++;
  }
  return { days, expiredBrands };
}
