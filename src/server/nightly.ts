/**
 * What a server does once a UTC day: it writes the statistics of finished days and drops crawler hits past their time. Of
 * several servers on one database one writes a brand's; nights that none was up for are made up for at the next start.
 */
import type { Knex } from 'knex';
import { type Clock, systemClock } from './clock.js';
import { catchUpDailyStats } from './daily-stats/write.js';
import { liftTimeLimits } from './database/time-limits.js';
import { utcDay } from './days.js';
import { dropOldHits } from './ingest/retention.js';
import type { Logger } from './log.js';
import { brandKeys, ensureImportLock, tryHoldImports } from './queries/import-locks.js';

export interface Nightly {
  /** Begins no further brand and waits for the one that is being written. */
  stop(): Promise<void>;
}

/** How often a server looks whether a new day has begun: a timer until midnight would oversleep with the machine. */
const LOOK_EVERY_MS = 10 * 60_000;

/** Looks at once and then every few minutes; failures are logged and tried again at the next look. */
export function startNightly(
  db: Knex,
  log: Logger,
  clock: Clock = systemClock,
  every = LOOK_EVERY_MS,
  crawlerRetentionDays: number | null = null,
): Nightly {
  const stopping = new AbortController();
  let running = Promise.resolve();
  let doneOn = '';
  let droppedOn = '';
  const look = async (): Promise<void> => {
    const today = utcDay(clock());
    if (doneOn === today) return;
    try {
      if (await writeMissingStats(db, today, stopping.signal)) doneOn = today;
    } catch (error) {
      log.error({ err: error }, 'nightly statistics failed');
    }
  };
  const drop = async (): Promise<void> => {
    const today = utcDay(clock());
    if (crawlerRetentionDays === null || droppedOn === today) return;
    try {
      await dropOldHits(db, clock(), crawlerRetentionDays);
      droppedOn = today;
    } catch (error) {
      log.error({ err: error }, 'dropping old crawler hits failed');
    }
  };
  const begin = () => {
    running = running.then(look).then(drop);
  };
  begin();
  const timer = setInterval(begin, every);
  timer.unref();
  return {
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}

/**
 * Writes the statistics that finished days still miss, brand by brand. A brand that an import or another server is at
 * is left for later.
 * @returns whether none was left.
 */
export async function writeMissingStats(db: Knex, today: string, signal?: AbortSignal): Promise<boolean> {
  let left = 0;
  for (const { key } of await brandKeys(db, {})) {
    if (signal?.aborted) return false;
    await ensureImportLock(db, { brandKey: key });
    await db.transaction(async (trx) => {
      await liftTimeLimits(trx);
      const [held] = await tryHoldImports(trx, { brandKey: key });
      if (held) await catchUpDailyStats(trx, key, today);
      else left++;
    });
  }
  return left === 0;
}
