/** The bracketed time of access logs, read from bytes. */
import { clfDay, clfTime, rfc3339Time, zoneOffset } from '../time.js';

/** Longest time between brackets: an ISO time with nanoseconds and zone. */
const LONGEST = 40;
/** `20/Nov/2026:10:18:45 +0000]` */
const CLF_LENGTH = 27;

/** Reads `20/Nov/2026:10:18:45 +0000]`. Caches the last day and zone, because neighbouring lines share them. */
export class BracketedTime {
  /** The last time that was read, in milliseconds since the epoch; NaN: none. */
  time = Number.NaN;
  /** Index of the closing bracket. */
  end = 0;
  readonly #day = { a: 0, b: 0, c: 0, time: Number.NaN };
  readonly #zone = { a: 0, b: 0, offset: Number.NaN };

  /** Reads the time at `at`, the index after the opening bracket. True if there is a time. */
  read(bytes: Buffer, view: DataView, at: number): boolean {
    if (at + CLF_LENGTH <= bytes.length && bytes[at + 2] === 47) {
      this.time =
        this.#dayAt(bytes, view, at) + clockAt(bytes, at + 12) - this.#offsetAt(bytes, view, at + 20);
      this.end = at + CLF_LENGTH - 1;
      if (!Number.isNaN(this.time)) return true;
    }
    return this.#readSlowly(bytes, at);
  }

  #dayAt(bytes: Buffer, view: DataView, at: number): number {
    const day = this.#day;
    const a = view.getInt32(at);
    const b = view.getInt32(at + 4);
    const c = view.getInt32(at + 8);
    if (a === day.a && b === day.b && c === day.c) return day.time;
    day.a = a;
    day.b = b;
    day.c = c;
    day.time = bytes[at + 11] === 58 ? clfDay(bytes.toString('latin1', at, at + 11)) : Number.NaN;
    return day.time;
  }

  /** The zone of ` +0000]`. */
  #offsetAt(bytes: Buffer, view: DataView, at: number): number {
    const zone = this.#zone;
    const a = view.getInt32(at);
    const b = view.getInt32(at + 3);
    if (a === zone.a && b === zone.b) return zone.offset;
    zone.a = a;
    zone.b = b;
    const text = bytes.toString('latin1', at, at + 7);
    zone.offset = /^ [+-]\d{4}\]$/.test(text) ? zoneOffset(text.slice(1, 6)) : Number.NaN;
    return zone.offset;
  }

  /** Reads the rare forms: fractions of a second, ISO times. */
  #readSlowly(bytes: Buffer, at: number): boolean {
    const text = bytes.toString('latin1', at, Math.min(at + LONGEST, bytes.length));
    const close = text.indexOf(']');
    const inside = close === -1 ? '' : text.slice(0, close);
    this.time = inside[2] === '/' ? clfTime(inside) : rfc3339Time(inside);
    this.end = at + close;
    return !Number.isNaN(this.time);
  }
}

/** `HH:MM:SS` as ms of the day, NaN for any other text. */
function clockAt(bytes: Buffer, at: number): number {
  const hour = twoDigits(bytes, at);
  const minute = twoDigits(bytes, at + 3);
  const second = twoDigits(bytes, at + 6);
  if (bytes[at + 2] !== 58 || bytes[at + 5] !== 58) return Number.NaN;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return Number.NaN;
  return (hour * 3600 + minute * 60 + second) * 1000;
}

function twoDigits(bytes: Buffer, at: number): number {
  const tens = (bytes[at] as number) - 48;
  const ones = (bytes[at + 1] as number) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}
