/**
 * The access-log family: `prefix [time] "request" status …`, where the prefix is `[host] ip ident user`, or nothing
 * with Envoy. After the status the first two adjacent quoted fields are referer and user agent, unless
 * only a later field can be a user agent; other fields around them are ignored.
 */

import { recogniseAgent } from '../agents/match.js';
import { unescapeField } from '../entry.js';
import { clfDay, clfTime, rfc3339Time, zoneOffset } from '../time.js';

// Finds the user agent among unlabelled values of a log.

/** `Mozilla/5.0 (…)`, `curl/8.5`: a product with its version. */
const product = /^[A-Za-z][\w.!+-]{0,63}\/v?\d/;
/** Values of other headers: `text/html,…`, `gzip, br`, `/path`, `example.com:443`, `192.0.2.1`. */
const foreign = /^(?:[a-z]+:\/\/|\/|[\d.:, ]+$|(?:application|audio|font|image|text|video|\*)\/)/i;

const isProduct = (value: string): boolean => product.test(value) && !value.startsWith('HTTP/');
const namesAgent = (value: string): boolean => !foreign.test(value) && recogniseAgent(value) !== null;

/** Whether a value can only be a user agent: it begins with a product and its version, or contains an agent. */
const isAgentLike = (value: string): boolean => isProduct(value) || namesAgent(value);

/**
 * The value that is a user agent; empty: none. An address may be inside a user agent (`+https://…`), but a value that
 * begins with an address is a referer or a host.
 */
export function capturedAgent(values: readonly string[]): string {
  return (
    values.find((value) => value.startsWith('Mozilla/')) ??
    values.find(isProduct) ??
    values.find(namesAgent) ??
    values.find((value) => !foreign.test(value) && value.includes('/')) ??
    ''
  );
}

const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const DASH = 45;
const ZERO = 48;
const OPEN = 91;
const BACKSLASH = 92;
/** The longest text before the time. Without a limit, a line of many brackets is read many times. */
const MAX_PREFIX = 1024;

/** One line, as indexes into the scanned bytes. Valid until the next scan. */
export class AccessLine {
  /** Index of the newline. */
  newline = 0;
  time = Number.NaN;
  start = 0;
  timeStart = 0;
  timeEnd = 0;
  requestStart = 0;
  requestEnd = 0;
  statusStart = 0;
  statusEnd = 0;
  /** Empty (start = end) if the line has no such field; the same for the next three. */
  bytesStart = 0;
  bytesEnd = 0;
  refererStart = 0;
  refererEnd = 0;
  agentStart = 0;
  agentEnd = 0;
  /** Whether any quoted field contains an escape. */
  escaped = false;
  readonly #clock = new BracketedTime();
  #view: DataView = new DataView(new ArrayBuffer(0));

  /**
   * Reads the line at `start`, whose newline must be in `bytes`. False if it is not an access-log entry; `newline` is
   * set in any case.
   */
  scan(bytes: Buffer, view: DataView, start: number): boolean {
    this.#view = view;
    this.escaped = false;
    this.start = start;
    const timeEnd = this.#scanTime(bytes, view, start);
    let at = timeEnd + 2;
    if (timeEnd === -1 || bytes[at] !== QUOTE || bytes[at - 1] !== SPACE) return this.#fail(bytes, start);
    at = this.#scanRequest(bytes, at + 1);
    if (bytes[at] !== QUOTE || !this.#scanStatus(bytes, at + 1)) return this.#fail(bytes, at);
    this.#scanRest(bytes, this.statusEnd);
    return true;
  }

  /** Reads the request, which may be one of several quoted fields. Returns the index of the last closing quote. */
  #scanRequest(bytes: Buffer, start: number): number {
    this.requestStart = start;
    let at = this.#closingQuote(bytes, start);
    this.requestEnd = at;
    while (isFieldBehind(bytes, at)) {
      const next = at + 3;
      at = this.#closingQuote(bytes, next);
      if (endsInProtocol(bytes, this.requestEnd)) continue;
      this.requestStart = next;
      this.requestEnd = at;
    }
    return at;
  }

  #fail(bytes: Buffer, from: number): false {
    this.newline = bytes.indexOf(NEWLINE, from);
    return false;
  }

  /** The index of the bracket that closes the time, -1 without a time after a valid prefix. */
  #scanTime(bytes: Buffer, view: DataView, start: number): number {
    let spaces = 0;
    let second = 0;
    for (let i = start; ; i++) {
      const byte = bytes[i];
      if (byte === SPACE) {
        // A comma joins the addresses of a forwarding chain into one word.
        if (bytes[i - 1] !== COMMA && ++spaces === 1) second = i + 1;
      } else if (
        byte === OPEN &&
        (i === start || bytes[i - 1] === SPACE) &&
        this.#clock.read(bytes, view, i + 1)
      ) {
        this.time = this.#clock.time;
        this.timeStart = i + 1;
        this.timeEnd = this.#clock.end;
        return isPrefix(bytes, spaces, second) ? this.timeEnd : -1;
      } else if (byte === NEWLINE || i - start > MAX_PREFIX) return -1;
    }
  }

  /** ` 200` and its terminator: three digits, the dash, or Envoy's single zero. */
  #scanStatus(bytes: Buffer, at: number): boolean {
    if (bytes[at] !== SPACE) return false;
    const first = bytes[at + 1] as number;
    const length = isDigit(first) && isDigit(bytes[at + 2]) && isDigit(bytes[at + 3]) ? 3 : 1;
    if (length === 1 && first !== DASH && first !== ZERO) return false;
    this.statusStart = at + 1;
    this.statusEnd = at + 1 + length;
    return isBlank(bytes[this.statusEnd] as number);
  }

  /** Reads size, referer and user agent up to the newline. */
  #scanRest(bytes: Buffer, from: number): void {
    let at = skipSpaces(bytes, from);
    this.bytesStart = at;
    if (bytes[at] !== QUOTE) at = skipWord(bytes, at);
    this.bytesEnd = at;
    this.refererStart = this.refererEnd = this.agentStart = this.agentEnd = at;
    for (;;) {
      at = skipSpaces(bytes, at);
      if (bytes[at] === NEWLINE) break;
      if (bytes[at] !== QUOTE) {
        at = skipWord(bytes, at);
        continue;
      }
      const close = this.#closingQuote(bytes, at + 1);
      if (bytes[close] === NEWLINE || isFieldBehind(bytes, close)) {
        at = this.#scanPair(bytes, at + 1, close);
        break;
      }
      at = close + 1;
    }
    while (bytes[at] !== NEWLINE) at++;
    this.newline = at;
  }

  /** Reads the referer, and the user agent unless the line is truncated before it. Returns the index after both. */
  #scanPair(bytes: Buffer, refererStart: number, refererEnd: number): number {
    this.refererStart = refererStart;
    this.refererEnd = refererEnd;
    if (bytes[refererEnd] === NEWLINE) return refererEnd;
    this.agentStart = refererEnd + 3;
    const close = this.#closingQuote(bytes, this.agentStart);
    const cutOff = bytes[close] === NEWLINE && bytes[close - 1] === RETURN && close > this.agentStart;
    this.agentEnd = cutOff ? close - 1 : close;
    const isBare = refererStart === refererEnd && this.agentStart === this.agentEnd;
    return isFieldBehind(bytes, close) || isBare ? this.#scanFurther(bytes, close, isBare) : close;
  }

  /**
   * Finds the first field that can only be a user agent: adjacent to the pair, or `anywhere`. It is needed if other
   * fields precede the referer, or if HAProxy leaves the pair empty and writes captured headers behind it. Returns the
   * index after the last examined field.
   */
  #scanFurther(bytes: Buffer, pairEnd: number, anywhere: boolean): number {
    if (isMozilla(this.#view, this.agentStart) || isAgentAt(bytes, this.agentStart, this.agentEnd))
      return pairEnd;
    let before: readonly [start: number, end: number] = [this.agentStart, this.agentEnd];
    let at = pairEnd;
    for (;;) {
      const open = anywhere ? bytes.indexOf(QUOTE, at + 1) : isFieldBehind(bytes, at) ? at + 2 : -1;
      const isInLine = open !== -1 && bytes.subarray(at, open).indexOf(NEWLINE) === -1;
      if (!isInLine || bytes[at] === NEWLINE) return pairEnd;
      at = this.#closingQuote(bytes, open + 1);
      if (isAgentAt(bytes, open + 1, at)) {
        [this.refererStart, this.refererEnd] = before;
        this.agentStart = open + 1;
        this.agentEnd = at;
        return at;
      }
      before = [open + 1, at];
    }
  }

  /** The index of the quote that ends a field, or of the newline if the line is truncated inside the field. */
  #closingQuote(bytes: Buffer, from: number): number {
    let at = nextMark(bytes, this.#view, from);
    while (bytes[at] === BACKSLASH) {
      this.escaped = true;
      at = nextMark(bytes, this.#view, bytes[at + 1] === NEWLINE ? at + 1 : at + 2);
    }
    return at;
  }
}

const ONES = 0x01010101;
const TOPS = 0x80808080;

/**
 * The index of the next quote, backslash or newline. Tests four bytes at a time: byte by byte a log takes 14 % more
 * instructions. XORs each byte of a word with the
 * searched byte; a byte of the result x is 0 exactly if `x - ONES & ~x & TOPS` is not 0.
 */
function nextMark(bytes: Buffer, view: DataView, from: number): number {
  let at = from;
  for (const last = bytes.length - 4; at <= last; at += 4) {
    const word = view.getInt32(at, true);
    const quote = word ^ 0x22222222;
    const backslash = word ^ 0x5c5c5c5c;
    const newline = word ^ 0x0a0a0a0a;
    const zero =
      (((quote - ONES) | 0) & ~quote) |
      (((backslash - ONES) | 0) & ~backslash) |
      (((newline - ONES) | 0) & ~newline);
    if ((zero & TOPS) !== 0) break;
  }
  for (;;) {
    const byte = bytes[at];
    if (byte === QUOTE || byte === BACKSLASH || byte === NEWLINE) return at;
    at++;
  }
}

/** Whether another quoted field follows the one that ends at `quote`. */
const isFieldBehind = (bytes: Buffer, quote: number): boolean =>
  bytes[quote] === QUOTE && bytes[quote + 1] === SPACE && bytes[quote + 2] === QUOTE;

/** Whether `HTTP/1.1`, or another version, is before `end`. */
const endsInProtocol = (bytes: Buffer, end: number): boolean =>
  bytes.toString('latin1', Math.max(0, end - 9), end).includes(' HTTP/');

/** Whether `Mozilla/` is at this index: nearly every user agent begins with it. */
const isMozilla = (view: DataView, at: number): boolean =>
  at + 8 <= view.byteLength && view.getInt32(at) === 0x4d6f7a69 && view.getInt32(at + 4) === 0x6c6c612f;

const isAgentAt = (bytes: Buffer, start: number, end: number): boolean =>
  isAgentLike(unescapeField(bytes, start, end));

/**
 * Whether the words before the time can be `[host] ip ident user`: up to four words, or more if the name of the user
 * has spaces; then ident must be a dash, as it nearly always is. Prefixes of the journal or of containers do not match.
 */
function isPrefix(bytes: Buffer, words: number, second: number): boolean {
  if (words <= 4) return true;
  const third = bytes.indexOf(SPACE, second) + 1;
  return isDash(bytes, second) || isDash(bytes, third);
}

const isDash = (bytes: Buffer, at: number): boolean => bytes[at] === DASH && bytes[at + 1] === SPACE;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= ZERO + 9;

/** Space, tab and what ends a line. */
const isBlank = (byte: number): boolean => byte === SPACE || (byte >= 9 && byte <= RETURN);

function skipSpaces(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] !== NEWLINE && isBlank(bytes[at] as number)) at++;
  return at;
}

function skipWord(bytes: Buffer, from: number): number {
  let at = from;
  while (!isBlank(bytes[at] as number)) at++;
  return at;
}

// The bracketed time of access logs, read from bytes.

/** Longest time between brackets: an ISO time with nanoseconds and zone. */
const LONGEST = 40;
/** `20/Nov/2026:10:18:45 +0000]` */
const CLF_LENGTH = 27;

/**
 * Reads `20/Nov/2026:10:18:45 +0000]`. Caches the last day and zone by their bytes, because neighbouring lines share them:
 * as texts, +16 % instructions per log.
 */
class BracketedTime {
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
