/** Searches stored answers for names that were added, in the background of a server. */
import type { Knex } from 'knex';
import { type Clock, systemClock } from '../base/clock.js';
import type { Logger } from '../base/log.js';
import { type Repeated, repeat } from '../base/repeat.js';
import { nameSearches, searchBatch } from '../intake/dataset/name-search.js';

const EVERY_MS = 15_000;

export const startNameSearches = (
  db: Knex,
  log: Logger,
  clock: Clock = systemClock,
  everyMs = EVERY_MS,
): Repeated =>
  repeat({ everyMs, log, name: 'search of stored answers for names' }, async (stopping) => {
    for (const found of await nameSearches(db, {})) await searchBrand(db, log, clock, found, stopping);
  });

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
