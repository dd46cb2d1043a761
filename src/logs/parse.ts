/** Parses crawler logs in any format, from bytes to hits. */

import type { Agent } from './agents/agent.js';
import { AgentMemo } from './agents/match.js';
import type { Verifier } from './clients/verify.js';
import { type Entry, type Found, unescapeField } from './entry.js';
import { type FrameSink, Frames, LINE_LIMIT } from './frames.js';
import { type Hit, Hits } from './hit.js';
import { parseJson } from './json/document.js';
import { afterPrefix, eachRecord, recordEntry } from './json/record.js';
import { shapeOf } from './json/shapes.js';
import { type Referral, ReferralSieve, Referrals } from './referrals/referral.js';
import { accessEntry } from './text/access-entry.js';
import { AccessLine } from './text/access-line.js';
import { type RowReader, rowsBelow, rowsBelowComment } from './text/columns.js';
import { embeddedEntry, otherTextEntry } from './text/other-formats.js';
import { isPlausibleTime } from './time.js';

export interface LogParser {
  /** Parses the next bytes of the body. The result does not depend on where chunks are cut. */
  push(chunk: Uint8Array): void;
  /** Parses the rest and returns the counts of the whole body. */
  end(): LogCounts;
  /** The counts so far. */
  readonly counts: Readonly<LogCounts>;
  /**
   * The days (UTC, counted from the epoch) with a request of a person that states where the person came from: on others nobody
   * can tell whom answers sent.
   */
  readonly referringDays: ReadonlySet<number>;
}

/**
 * Creates a parser of one body, in any format or mix of formats. It keeps at most one unfinished line, some thousand
 * user agents, and about 50 bytes for each hit so far, to number equal ones. `push` is synchronous: pass slices (128
 * KiB take well under a millisecond) and yield between them.
 */
export function createLogParser(options: LogParserOptions): LogParser {
  const records = new RecordReader(options);
  const frames = new Frames(records);
  return {
    counts: records.counts,
    referringDays: records.referringDays,
    push: (chunk) => frames.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)),
    end: () => {
      frames.end();
      return records.counts;
    },
  };
}

// Reads each line and JSON element of a body, counts it, and passes the hits on.

export interface LogCounts {
  /** Lines, or elements of a JSON document: the sum of the next four. */
  records: number;
  /** Records that are requests, whether they name an agent or not. */
  totalLines: number;
  /** Records in an unknown format. */
  unparsed: number;
  /** Blank and comment lines. */
  blank: number;
  /** Valid JSON that is not a request, or an additional record of a visit. */
  notRequests: number;
  /** Requests of a known agent with a path, before de-duplication; part of totalLines. */
  matched: number;
  /** The newest time of a request in ms; null: there was no request. */
  newestTime: number | null;
  /** Whether any request has a user agent. If not, no agent can match. */
  hasUserAgent: boolean;
}

function noCounts(): LogCounts {
  return {
    records: 0,
    totalLines: 0,
    unparsed: 0,
    blank: 0,
    notRequests: 0,
    matched: 0,
    newestTime: null,
    hasUserAgent: false,
  };
}

const NEWLINE = 10;
const HASH = 35;
const OPEN_BRACKET = 91;
const OPEN_BRACE = 123;

const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 9 || byte === 13;

/** Shared by all bodies, because they repeat the same user agents, and the agent of a user agent never changes. */
const agentsOfBytes = new AgentMemo();
const agentsOfText = new AgentMemo();
const sieve = new ReferralSieve();

const DAY_MS = 86_400_000;

export interface LogParserOptions {
  /** The clock that decides whether a time is in the future. */
  readonly now: Date;
  /** Without it, no hit is verified, and no page view has an address. */
  readonly verifier?: Verifier;
  readonly onHit?: (hit: Hit) => void;
  /** Called for page views of people whom an answer sent. If omitted, they are not looked for. */
  readonly onReferral?: (referral: Referral) => void;
  /** Called for every request with its record, valid during the call. It costs time; set it to undefined to stop it. */
  onRequest?: ((entry: Entry, bytes: Buffer) => void) | undefined;
  /** `lineNumber` counts from 1; `bytes` are the record without its line end, valid during the call. */
  readonly onUnparsed?: (lineNumber: number, bytes: Buffer) => void;
}

interface Place {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

class RecordReader implements FrameSink {
  readonly counts = noCounts();
  readonly #options: LogParserOptions;
  readonly #now: number;
  readonly #hits: Hits;
  readonly #access = new AccessLine();
  readonly referringDays = new Set<number>();
  #lastDay = -1;
  readonly #referrals: Referrals;
  /** Reads a row below a line that names the columns. */
  #row: RowReader | null = null;
  #linesRead = 0;

  constructor(options: LogParserOptions) {
    this.#options = options;
    this.#now = options.now.getTime();
    this.#hits = new Hits(options.verifier);
    this.#referrals = new Referrals(options.verifier);
  }

  lines(bytes: Buffer, start: number, end: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = start; at < end; ) {
      const newline = this.#readLine(bytes, view, at);
      this.#linesRead++;
      at = newline + 1;
    }
  }

  element(bytes: Buffer): void {
    this.#takeJson({ bytes, start: 0, end: bytes.length });
  }

  unreadable(bytes: Buffer): void {
    this.#take('unparsed', { bytes, start: 0, end: bytes.length });
  }

  passed(newlines: number): void {
    this.#linesRead += newlines;
  }

  /** Reads the line at `start`; returns the index of its newline. */
  #readLine(bytes: Buffer, view: DataView, start: number): number {
    const first = bytes[start] as number;
    const access = this.#access;
    if (first <= HASH || first === OPEN_BRACE || this.#row !== null)
      return this.#readSpecial(bytes, view, start);
    if (access.scan(bytes, view, start)) this.#takeAccess(bytes);
    else this.#takeOther(bytes, start, access.newline);
    return access.newline;
  }

  /** Reads blank lines, comments, JSON, rows below a line of column names, and lines with an unusual beginning. */
  #readSpecial(bytes: Buffer, view: DataView, start: number): number {
    let at = start;
    while (isSpace(bytes[at])) at++;
    const newline = bytes[at] === NEWLINE ? at : bytes.indexOf(NEWLINE, at);
    const place = { bytes, start, end: newline };
    if (newline - start > LINE_LIMIT) this.#take('unparsed', place);
    else if (at === newline) this.#countBlank();
    else if (bytes[at] === HASH) this.#readComment(bytes.toString('utf8', at, newline));
    else if (bytes[at] === OPEN_BRACE) this.#takeJson(place);
    else if (!this.#takeRow(place)) {
      if (this.#access.scan(bytes, view, at)) this.#takeAccess(bytes);
      else this.#takeOther(bytes, at, newline);
    }
    return newline;
  }

  #countBlank(): void {
    this.counts.records++;
    this.counts.blank++;
  }

  #readComment(text: string): void {
    this.#countBlank();
    this.#row = rowsBelowComment(text) ?? this.#row;
  }

  /** Handles the common case, an access line. Makes no entry of a line without an agent. */
  #takeAccess(bytes: Buffer): void {
    const { start, newline, time, agentStart, agentEnd } = this.#access;
    if (newline - start > LINE_LIMIT || !isPlausibleTime(time, this.#now)) {
      this.#take('unparsed', { bytes, start, end: newline });
      return;
    }
    this.#countRequest(time);
    if (this.#options.onRequest) {
      const place = { bytes, start, end: newline };
      this.#options.onRequest(accessEntry(this.#access, bytes), withoutReturn(place));
    }
    if (agentStart === agentEnd) return;
    const { agent, present } = agentsOfBytes.lookup(bytes.toString('latin1', agentStart, agentEnd), () =>
      unescapeField(bytes, agentStart, agentEnd),
    );
    if (present) this.counts.hasUserAgent = true;
    if (agent !== null) this.#match(accessEntry(this.#access, bytes), agent);
    else if (present && this.#options.onReferral) this.#readAccessReferral(bytes);
  }

  #readAccessReferral(bytes: Buffer): void {
    const { time, start, timeStart, requestStart, requestEnd, refererStart, refererEnd } = this.#access;
    // Envoy has addresses in place of the referrer.
    const isStated = refererEnd > refererStart + 1 && timeStart - 1 !== start;
    if (isStated) this.#noteReferringDay(time);
    const referer = { start: refererStart, end: isStated ? refererEnd : refererStart };
    if (sieve.mayRefer(bytes, referer, { start: requestStart, end: requestEnd }))
      this.#refer(accessEntry(this.#access, bytes));
  }

  #noteReferringDay(time: number): void {
    const day = Math.floor(time / DAY_MS);
    if (day === this.#lastDay) return;
    this.#lastDay = day;
    this.referringDays.add(day);
  }

  #refer(entry: Entry): void {
    const referral = this.#referrals.referralOf(entry);
    if (referral === null) return;
    this.#noteReferringDay(entry.time);
    this.#options.onReferral!(referral);
  }

  /** Handles a line outside the access-log family: a JSON array, another text format, or names of columns. */
  #takeOther(bytes: Buffer, start: number, end: number): void {
    const place = { bytes, start, end };
    if (end - start > LINE_LIMIT) this.#take('unparsed', place);
    else if (bytes[start] !== OPEN_BRACKET || !this.#takeArray(place)) this.#takeText(place);
  }

  #takeText(place: Place): void {
    const text = place.bytes.toString('utf8', place.start, place.end);
    const entry = otherTextEntry(text);
    const row = entry === null ? rowsBelow(text) : null;
    if (row === null) this.#take(entry ?? afterPrefix(text, embeddedEntry), place);
    else {
      this.#row = row;
      this.#countBlank();
    }
  }

  /** Reads a row below a line of column names. False: the line is not a row. */
  #takeRow(place: Place): boolean {
    if (this.#row === null) return false;
    const text = place.bytes.toString('utf8', place.start, place.end);
    const row = rowsBelow(text) === null ? this.#row(text) : null;
    if (row === null) return false;
    const found = recordEntry(row);
    // Every row is a request, except in a known source, which may also have rows that are not visits.
    this.#take(found === 'not-a-request' && shapeOf(row) === undefined ? 'unparsed' : found, place);
    return true;
  }

  /** Reads a JSON array. False: the line is not JSON, because it may also begin with a time in brackets. */
  #takeArray(place: Place): boolean {
    const value = parseJson(place.bytes.toString('utf8', place.start, place.end));
    if (value === undefined) return false;
    eachRecord(value, embeddedEntry, (found) => this.#take(found, place));
    return true;
  }

  #takeJson(place: Place): void {
    const value = parseJson(place.bytes.toString('utf8', place.start, place.end));
    if (value === undefined) this.#take('unparsed', place);
    else eachRecord(value, embeddedEntry, (found) => this.#take(found, place));
  }

  #take(found: Found, place: Place): void {
    if (typeof found !== 'string' && isPlausibleTime(found.time, this.#now)) this.#takeEntry(found, place);
    else if (found === 'not-a-request') {
      this.counts.records++;
      this.counts.notRequests++;
    } else {
      this.counts.records++;
      this.counts.unparsed++;
      this.#options.onUnparsed?.(this.#linesRead + 1, withoutReturn(place));
    }
  }

  #takeEntry(entry: Entry, place: Place): void {
    this.#countRequest(entry.time);
    this.#options.onRequest?.(entry, withoutReturn(place));
    const { agent, present } = agentsOfText.lookup(entry.userAgent);
    if (present) this.counts.hasUserAgent = true;
    if (agent !== null) this.#match(entry, agent);
    else if (present && this.#options.onReferral) {
      if (entry.referer !== '') this.#noteReferringDay(entry.time);
      this.#refer(entry);
    }
  }

  #countRequest(time: number): void {
    const { counts } = this;
    counts.records++;
    counts.totalLines++;
    if (counts.newestTime === null || time > counts.newestTime) counts.newestTime = time;
  }

  #match(entry: Entry, agent: Agent): void {
    const hit = this.#hits.hitOf(entry, agent);
    if (hit === null) return;
    this.counts.matched++;
    this.#options.onHit?.(hit);
  }
}

function withoutReturn({ bytes, start, end }: Place): Buffer {
  return bytes.subarray(start, bytes[end - 1] === 13 && end > start ? end - 1 : end);
}
