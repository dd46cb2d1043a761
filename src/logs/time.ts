/** Parses times in logs. Every function returns milliseconds since the epoch, and NaN for a text that is not a time. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const EARLIEST = Date.UTC(2000, 0, 1);

/** Month names in logs are English in every locale. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Whether a request can have this time: from the year 2000 to a day after `now` (both in ms). False for NaN. */
export function isPlausibleTime(time: number, now: number): boolean {
  return time >= EARLIEST && time <= now + DAY;
}

/** Midnight of a calendar day, NaN for a day that does not exist. `month` counts from 0. */
function midnight(year: number, month: number, day: number): number {
  const time = Date.UTC(year, month, day);
  const date = new Date(time);
  return date.getUTCMonth() === month && date.getUTCDate() === day && year >= 100 ? time : Number.NaN;
}

/** Midnight of `20/Nov/2026`. */
export function clfDay(text: string): number {
  const month = months.indexOf(text.slice(3, 6));
  if (month === -1 || text[2] !== '/' || text[6] !== '/') return Number.NaN;
  return midnight(digits(text, 7, 11), month, digits(text, 0, 2));
}

function digits(text: string, start: number, end: number): number {
  let number = 0;
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** `HH:MM:SS` from `at` on, as ms of the day. A leap second counts as the second after. */
function clock(text: string, at: number): number {
  const hour = digits(text, at, at + 2);
  const minute = digits(text, at + 3, at + 5);
  const second = digits(text, at + 6, at + 8);
  if (text[at + 2] !== ':' || text[at + 5] !== ':') return Number.NaN;
  return hour < 24 && minute < 60 && second <= 60
    ? hour * HOUR + minute * MINUTE + second * SECOND
    : Number.NaN;
}

/** The zones of every format: `+0200`, `+02:00`, `+02`, and `Z`, `UTC`, `GMT` or nothing for UTC, as ms. */
export function zoneOffset(text: string): number {
  if (text === '' || text === 'Z' || text === 'z' || text === 'UTC' || text === 'GMT') return 0;
  const parts = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(text);
  if (parts === null) return Number.NaN;
  const hours = Number(parts[2]);
  const minutes = Number(parts[3] ?? 0);
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (parts[1] === '-' ? -1 : 1) * (hours * HOUR + minutes * MINUTE);
}

/** Adds the fraction (cut to whole ms) and the zone that follow the seconds. @param zoneless Whether the zone may be absent. */
function withTail(time: number, tail: string, zoneless = true): number {
  if (tail === 'Z' || (tail === '' && zoneless)) return time;
  if (tail.length === 5 && tail[0] === '.' && tail[3] !== ' ' && tail[4] === 'Z')
    return time + digits(tail, 1, 4);
  const fraction = /^[.,]\d+/.exec(tail)?.[0] ?? '';
  const zone = tail.slice(tail[fraction.length] === ' ' ? fraction.length + 1 : fraction.length);
  if (zone === '' && !zoneless) return Number.NaN;
  return time + Number(fraction.slice(1, 4).padEnd(3, '0')) - zoneOffset(zone);
}

let knownDate = '';
let knownMidnight = Number.NaN;

/** Midnight of `2026-11-20`. Caches the last day, because most records of a body share it. */
function isoDay(text: string): number {
  if (text === knownDate) return knownMidnight;
  if (text[4] !== '-' || text[7] !== '-') return Number.NaN;
  knownDate = text;
  knownMidnight = midnight(digits(text, 0, 4), digits(text, 5, 7) - 1, digits(text, 8, 10));
  return knownMidnight;
}

/** RFC 3339: `2026-11-20T10:18:45.123Z`, also with a space, and without a zone for UTC. */
export function rfc3339Time(text: string): number {
  const separator = text.charCodeAt(10);
  if (separator !== 84 && separator !== 116 && separator !== 32) return Number.NaN;
  return withTail(isoDay(text.slice(0, 10)) + clock(text, 11), text.slice(19));
}

/**
 * The date of the common log format: `20/Nov/2026:10:18:45 +0000`, with or without a fraction. The zone is required
 * unless the format has none (`zoneless`).
 */
export function clfTime(text: string, zoneless = false): number {
  if (text[11] !== ':') return Number.NaN;
  return withTail(clfDay(text) + clock(text, 12), text.slice(20), zoneless);
}

/** A count since the epoch, in seconds, milliseconds, microseconds or nanoseconds; its size shows the unit. */
function epochTime(count: number): number {
  // Rounds to microseconds first, because 1795169925.484 times 1000 is 1795169925483.9998.
  if (count < 1e11) return Math.floor(Math.round(count * 1e6) / 1e3);
  if (count < 1e14) return Math.floor(count);
  return Math.floor(count < 1e17 ? count / 1e3 : count / 1e6);
}

const decimal = /^\d+(?:\.\d+)?$/;
/** Longest text that can be a time. */
const LONGEST = 64;

/** A time in any of the forms that JSON logs use. */
export function timeOf(value: unknown): number {
  if (typeof value === 'number') return epochTime(value);
  if (typeof value !== 'string') return Number.NaN;
  const text = value.trim();
  if (text.length > LONGEST) return Number.NaN;
  if (text.charCodeAt(2) === 47) return clfTime(text);
  if (text.charCodeAt(4) === 45) return rfc3339Time(text);
  return decimal.test(text) ? epochTime(Number(text)) : Number.NaN;
}
