/**
 * Generates the demo data: an invented market of espresso machines, in the dataset format. Pure and deterministic; the
 * clock is an argument.
 */
import type { DatasetRecord } from '../../server/intake/dataset/records/index.js';
import { closingDay, dayOf, daysFrom, daysSince, mondayOf } from './calendar.js';
import { archivedAt, catalog, demoWorkspaceId } from './catalog.js';
import { dailyStats } from './daily-stats.js';
import { espresso, purifiers } from './market.js';
import { marks } from './marks.js';
import { citedPages, facts, offsiteMentions } from './observed.js';
import { runsOf } from './runs.js';
import { crawlerEvents, referralDay, sitePages, visitDay } from './site.js';

export { demoWorkspaceId };
/** The default brand of reads. */
export const demoBrandId = espresso.brand;

/** The number of days of each kind of record. Daily statistics end where the runs of the whole demo begin. */
export interface DemoDays {
  readonly runs: number;
  readonly archivedRuns: number;
  readonly dailyStats: number;
  readonly crawlers: number;
  readonly visits: number;
  readonly offsite: number;
}

const demoDays: DemoDays = {
  runs: 60,
  archivedRuns: 40,
  dailyStats: 60,
  crawlers: 28,
  visits: 14,
  offsite: 56,
};

function* allRuns(today: number, now: Date, days: DemoDays): Generator<DatasetRecord> {
  for (const day of daysFrom(today - days.runs + 1, today)) yield* runsOf(espresso, day, now.toISOString());
  const closing = closingDay(today);
  for (const day of daysFrom(closing - days.archivedRuns + 1, closing)) {
    yield* runsOf(purifiers, day, archivedAt(now));
  }
}

function* observed(today: number, now: Date, days: DemoDays): Generator<DatasetRecord> {
  const until = now.toISOString();
  for (const day of daysFrom(today - days.crawlers + 1, today)) yield* crawlerEvents(demoBrandId, day, until);
  for (const day of daysFrom(today - days.visits + 1, today)) {
    yield* visitDay(demoBrandId, day, Math.min(1, daysSince(day, now)));
  }
  for (const day of daysFrom(today - days.crawlers + 1, today))
    yield* referralDay(demoBrandId, day, Math.min(1, daysSince(day, now)));
  for (let monday = mondayOf(today - days.offsite); monday <= today; monday += 7) {
    yield* offsiteMentions(espresso, monday, until);
  }
  yield* sitePages(demoBrandId, today - 1);
  yield* citedPages(demoBrandId, today - 1);
  yield* facts(demoBrandId, now);
}

/**
 * Yields every record of the demo as of `now`. A record comes after the records that it refers to.
 *
 * The runs of a day depend only on that day: with a later `now` there are new days and more runs of the current day,
 * and the earlier runs are unchanged. The only exception is the archived brand: once a quarter its closing day moves,
 * and runs up to that day are added.
 *
 * @param days how far back each kind of record reaches; a shorter span yields the newest part of the same records.
 */
export function* demoDataset(now: Date, days = demoDays): Generator<DatasetRecord> {
  const today = dayOf(now);
  yield* catalog(espresso, purifiers, now);
  yield* marks(today - days.runs + 1, today);
  yield* allRuns(today, now, days);
  // Imported statistics must be older than the days that are computed from runs.
  const lastStored = today - demoDays.runs;
  for (const day of daysFrom(lastStored - days.dailyStats + 1, lastStored)) yield* dailyStats(espresso, day);
  yield* observed(today, now, days);
}
