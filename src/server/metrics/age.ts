/** The age of a stored timestamp. */
import { DAY_MS, isDay } from '../days.js';

/** ISO 8601 as services write it: a date, or a date and a time. A time without an offset is UTC. */
const STAMP = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** The instant of a stored stamp; null when it cannot be read. */
export function instantOf(stamp: string): number | null {
  const [, day, time = '00:00', offset = 'Z'] = STAMP.exec(stamp.trim()) ?? [];
  if (day === undefined || !isDay(day)) return null;
  const zone = offset.length > 1 ? `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}` : 'Z';
  const instant = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(instant) ? null : instant;
}

/** Whole days from the stamp to now, 0 for a stamp in the future; null when it cannot be read. */
export function wholeDaysSince(stamp: string, now: Date): number | null {
  const instant = instantOf(stamp);
  return instant === null ? null : Math.max(0, Math.floor((now.getTime() - instant) / DAY_MS));
}
