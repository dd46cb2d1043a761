/** Searches stored answers for names that were added, in the background of a server. */
import type { Knex } from 'knex';
import { type Clock, systemClock } from '../base/clock.js';
import { refusesChanges } from '../base/errors.js';
import type { Logger } from '../base/log.js';
import { nameSearches, searchBatch } from '../intake/dataset/name-search.js';

export interface NameSearches {
  /** Starts no further batch and waits for the current one. */
  stop(): Promise<void>;
}

const CHECK_EVERY_MS = 15_000;

/** Checks at once and then every few seconds. Failures are logged, and retried at the next check. */
export function startNameSearches(
  db: Knex,
  log: Logger,
  clock: Clock = systemClock,
  every = CHECK_EVERY_MS,
): NameSearches {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const search = async (): Promise<void> => {
    try {
      for (const { key, brand } of await nameSearches(db, {}))
        await searchBrand(db, log, clock, { key, brand }, stopping.signal);
    } catch (error) {
      // Another process imports into the embedded database: the next check tries again.
      if (refusesChanges(error))
        return log.debug({ err: error }, 'the search for names waits for the database');
      log.error({ err: error }, 'the search of stored answers for names failed');
    }
  };
  const begin = () => {
    running ??= search().finally(() => {
      running = null;
    });
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

async function searchBrand(
  db: Knex,
  log: Logger,
  clock: Clock,
  { key, brand }: { readonly key: number; readonly brand: string },
  signal: AbortSignal,
): Promise<void> {
  let answers = 0;
  let noted = '';
  while (!signal.aborted) {
    const done = await searchBatch(db, key, { now: clock(), waits: false });
    if (done === null) return;
    answers += done.answers;
    // One line for each day would be many.
    const isOver = done.left === 0;
    if (isOver || done.day.slice(0, 7) !== noted)
      log.info(
        { brand, since: done.day, days_left: done.left, answers },
        'searched stored answers for new names',
      );
    noted = done.day.slice(0, 7);
  }
}
