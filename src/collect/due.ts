/** When a server collects next, and which days it missed: from its schedule, the clock, and what the database has. */
import { type Collection, isPlanned } from '../server/answers/collections.js';
import { addDays, daysBetween, utcDay } from '../server/base/days.js';
import type { Schedule } from './plan/catalog-shape.js';

/** How long after its end a collection with missing runs goes on, on the same day. */
export const REPEAT_MS = 60 * 60_000;

/** Older days are not noted as missed. */
const MAX_MISSED = 31;

export interface Due {
  /** The UTC day of the runs. Not after the current one: it begins now. */
  readonly day: string;
  readonly at: Date;
  /** Days that were due and are over, on which nothing was asked and of which that is not noted. */
  readonly missed: readonly string[];
  /** The newest day after today that has a collection, because a clock was set back since; null: there is none. */
  readonly ahead: string | null;
}

/**
 * At once if nothing was ever collected, or if a time has passed without a collection: however many have, it is made up for
 * once. A day has at most one collection.
 * @param collections Of the brand, the newest first.
 * @param journal The id of the journal that this machine has of today.
 */
export function nextDue(
  { everyDays, at }: Pick<Schedule, 'everyDays' | 'at'>,
  collections: readonly Collection[],
  journal: string | undefined,
  now: Date,
): Due {
  const today = utcDay(now);
  const asked = collections.filter((each) => each.journal !== null);
  const last = asked.find(({ day }) => day <= today);
  const ahead = asked.find(({ day }) => day > today)?.day ?? null;
  const missed = missedDays(everyDays, collections, last, today);
  const planned = collections.find(({ day }) => day === today)?.dueAt;
  const atOnce = { day: today, at: planned && planned <= now ? planned : now, missed, ahead };
  if (!last) return atOnce;
  const goesOn = last.day === today ? goesOnAt(last, journal) : null;
  if (goesOn !== null) {
    // An end after now is that of a clock that was set back.
    return { ...atOnce, at: goesOn.getTime() - now.getTime() > REPEAT_MS ? now : goesOn };
  }
  const day = addDays(last.day, everyDays);
  const dueAt = new Date(`${day}T${at}:00Z`);
  return dueAt <= now ? atOnce : { day, at: dueAt, missed, ahead };
}

/** When the collection of today goes on; null: it is over, or another machine has its journal. */
function goesOnAt(last: Collection, journal: string | undefined): Date | null {
  if (last.journal !== journal) return null;
  const { outcome, endedAt, startedAt, waiting } = last;
  if (outcome === null || outcome === 'stopped' || endedAt === null) return startedAt;
  const isRepeated = outcome === 'failed' || (outcome === 'incomplete' && (waiting ?? 0) > 0);
  return isRepeated ? new Date(endedAt.getTime() + REPEAT_MS) : null;
}

function missedDays(
  everyDays: number,
  collections: readonly Collection[],
  last: Collection | undefined,
  today: string,
): string[] {
  const since = addDays(today, -MAX_MISSED);
  const planned = collections.filter(isPlanned);
  const due = last
    ? Array.from({ length: Math.max(0, Math.ceil(daysBetween(last.day, today) / everyDays) - 1) }, (_, at) =>
        addDays(last.day, (at + 1) * everyDays),
      )
    : [];
  const isNoted = (day: string) => collections.some((each) => each.day === day && !planned.includes(each));
  return [...new Set([...planned.map(({ day }) => day), ...due])]
    .filter((day) => day < today && day >= since && !isNoted(day))
    .sort();
}
