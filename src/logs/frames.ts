/**
 * Converts chunks of bytes to whole lines and whole JSON elements. The result does not depend on where chunks are cut.
 */
import { ElementReader, framingOf, isSpace } from './json/document.js';

/** The longest line or element of a JSON document that is parsed, in bytes. */
export const LINE_LIMIT = 65_536;

const NEWLINE = 10;
const HASH = 35;
const OPEN_BRACKET = 91;
const OPEN_BRACE = 123;
const newline = Buffer.from('\n');
const byteOrderMark = Buffer.from('\ufeff');
const nothing = Buffer.alloc(0);

export interface FrameSink {
  /** Whole lines, each with its newline: the bytes `start` to `end`. */
  lines(bytes: Buffer, start: number, end: number): void;
  /** One JSON value that is not a line. */
  element(bytes: Buffer): void;
  /** A line or element that is too long or truncated, at most its first LINE_LIMIT bytes. */
  unreadable(bytes: Buffer): void;
  /** Line ends inside and between JSON values, or at the end of an unreadable line. */
  passed(newlines: number): void;
}

/**
 * `mark`: at the very beginning. `start`: only blank and comment lines so far, so a JSON document may begin.
 * `after`: after a JSON document. `skip`: until the end of a lost line.
 */
type State = 'mark' | 'start' | 'lines' | 'elements' | 'after' | 'skip';

/** Cuts a body into frames. Holds at most one unfinished line or element. */
export class Frames {
  readonly #sink: FrameSink;
  #state: State = 'mark';
  #pending: Buffer = nothing;
  #elements: ElementReader | undefined;
  /** The number of pending bytes that need not be examined again, so that small chunks do not cause quadratic work. */
  #looked = 0;
  #passedNewlines = 0;
  /** The beginning of an element that is too long to be kept. */
  #overlong: Buffer | undefined;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    if (chunk.length > 0) this.#run(chunk, false);
  }

  end(): void {
    this.#run(nothing, true);
  }

  /** Every step consumes what it can and passes the rest to the next state; an incomplete part stays pending. */
  #run(chunk: Buffer, isEnd: boolean): void {
    let rest: Buffer | undefined = chunk;
    while (rest !== undefined) {
      const state: State = this.#state;
      if (state === 'lines') rest = this.#readLines(rest, isEnd);
      else if (state === 'skip') rest = this.#skipLine(rest);
      else if (state === 'after') rest = this.#skipSpace(rest);
      else {
        const bytes: Buffer = this.#pending.length === 0 ? rest : Buffer.concat([this.#pending, rest]);
        if (state === 'mark') rest = this.#dropMark(bytes, isEnd);
        else rest = state === 'start' ? this.#readStart(bytes, isEnd) : this.#readElements(bytes, isEnd);
      }
    }
  }

  /** Keeps bytes pending. They are copied, because a caller may reuse its chunk. */
  #wait(bytes: Buffer): undefined {
    this.#pending = bytes.length === 0 ? nothing : Buffer.from(bytes);
    return undefined;
  }

  #goTo(state: State, rest: Buffer): Buffer {
    this.#state = state;
    this.#pending = nothing;
    this.#looked = 0;
    return rest;
  }

  #dropMark(bytes: Buffer, isEnd: boolean): Buffer | undefined {
    const length = Math.min(bytes.length, byteOrderMark.length);
    const isMark = byteOrderMark.subarray(0, length).equals(bytes.subarray(0, length));
    if (isMark && length < byteOrderMark.length && !isEnd) return this.#wait(bytes);
    return this.#goTo('start', isMark && length === byteOrderMark.length ? bytes.subarray(length) : bytes);
  }

  #readStart(bytes: Buffer, isEnd: boolean): Buffer | undefined {
    let line = 0;
    for (;;) {
      let at = line;
      while (at < bytes.length && bytes[at] !== NEWLINE && isSpace(bytes[at] as number)) at++;
      const byte = bytes[at];
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.#readOpening(bytes, line, at, isEnd);
      const isPassed = byte === undefined || byte === NEWLINE || byte === HASH;
      if (!isPassed || isEnd) return this.#goTo('lines', bytes.subarray(line));
      const end = bytes.indexOf(NEWLINE, at) + 1;
      if (end === 0 || end - line > LINE_LIMIT) {
        return bytes.length - line > LINE_LIMIT
          ? this.#goTo('lines', bytes.subarray(line))
          : this.#wait(bytes.subarray(line));
      }
      this.#sink.lines(bytes, line, end);
      line = end;
    }
  }

  /** Decides between lines and a document from the first bytes, at most LINE_LIMIT. */
  #readOpening(bytes: Buffer, line: number, at: number, isEnd: boolean): Buffer | undefined {
    const head = bytes.subarray(at, at + LINE_LIMIT);
    const isLast = isEnd || head.length === LINE_LIMIT;
    if (!isLast && this.#looked > 0 && head.length < 2 * this.#looked)
      return this.#wait(bytes.subarray(line));
    const framing = framingOf(head, isLast, isEnd && head.length === bytes.length - at);
    if (framing.kind === 'lines') return this.#goTo('lines', bytes.subarray(line));
    if (framing.kind === 'object') {
      const end = at + framing.end;
      this.#sink.passed(countNewlines(bytes, line, end));
      this.#sink.element(bytes.subarray(at, end));
      return this.#goTo('after', bytes.subarray(end));
    }
    if (framing.kind === 'more') {
      this.#looked = head.length;
      return this.#wait(bytes.subarray(line));
    }
    this.#sink.passed(countNewlines(bytes, line, at + framing.start));
    this.#passedNewlines = 0;
    this.#elements = new ElementReader(framing.isWrapped, (whole, start, end) =>
      this.#takeElement(whole, start, end),
    );
    return this.#goTo('elements', bytes.subarray(at + framing.start));
  }

  #takeElement(bytes: Buffer, start: number, end: number): void {
    this.#passNewlines();
    if (this.#overlong !== undefined) this.#sink.unreadable(this.#overlong);
    else if (end - start > LINE_LIMIT) this.#sink.unreadable(bytes.subarray(start, start + LINE_LIMIT));
    else this.#sink.element(bytes.subarray(start, end));
    this.#overlong = undefined;
  }

  #passNewlines(): void {
    const { newlines } = this.#elements as ElementReader;
    this.#sink.passed(newlines - this.#passedNewlines);
    this.#passedNewlines = newlines;
  }

  /** `bytes` begin with the pending bytes, which the reader has processed. */
  #readElements(bytes: Buffer, isEnd: boolean): Buffer | undefined {
    const reader = this.#elements as ElementReader;
    const { state, at } = reader.read(bytes, this.#pending.length);
    if (state === 'open' && !isEnd) return this.#keepElement(bytes, reader);
    const start = reader.elementStart === -1 ? at : reader.elementStart;
    const isLost = state === 'broken' || reader.elementStart !== -1;
    if (isLost) this.#takeLost(bytes.subarray(start, Math.max(at, start + 1)));
    this.#passNewlines();
    return this.#goTo(state === 'broken' ? 'skip' : 'after', bytes.subarray(at));
  }

  #takeLost(bytes: Buffer): void {
    this.#passNewlines();
    this.#sink.unreadable(this.#overlong ?? bytes.subarray(0, LINE_LIMIT));
    this.#overlong = undefined;
  }

  #keepElement(bytes: Buffer, reader: ElementReader): undefined {
    if (reader.elementStart === -1) return this.#wait(nothing);
    const element = bytes.subarray(reader.elementStart);
    reader.elementStart = 0;
    if (this.#overlong === undefined && element.length <= LINE_LIMIT) return this.#wait(element);
    this.#overlong ??= Buffer.from(element.subarray(0, LINE_LIMIT));
    return this.#wait(nothing);
  }

  /** Skips space and the rest of the line after a document, which is not a line of its own. */
  #skipSpace(bytes: Buffer): Buffer | undefined {
    let at = 0;
    while (at < bytes.length && bytes[at] !== NEWLINE && isSpace(bytes[at] as number)) at++;
    if (at === bytes.length) return undefined;
    const isNewline = bytes[at] === NEWLINE;
    if (isNewline) this.#sink.passed(1);
    return this.#goTo('start', bytes.subarray(isNewline ? at + 1 : at));
  }

  #skipLine(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(NEWLINE);
    if (end === -1) return undefined;
    this.#sink.passed(1);
    return this.#goTo('lines', bytes.subarray(end + 1));
  }

  #readLines(bytes: Buffer, isEnd: boolean): Buffer | undefined {
    let start = 0;
    if (this.#pending.length > 0) {
      start = bytes.indexOf(NEWLINE) + 1;
      if (start > 0) this.#readLine(Buffer.concat([this.#pending, bytes.subarray(0, start)]));
      else return this.#waitForLine(Buffer.concat([this.#pending, bytes]), isEnd);
    }
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > start) this.#sink.lines(bytes, start, end);
    return this.#waitForLine(bytes.subarray(Math.max(start, end)), isEnd);
  }

  #readLine(line: Buffer): void {
    this.#pending = nothing;
    this.#sink.lines(line, 0, line.length);
  }

  #waitForLine(bytes: Buffer, isEnd: boolean): Buffer | undefined {
    if (bytes.length > LINE_LIMIT) {
      this.#sink.unreadable(bytes.subarray(0, LINE_LIMIT));
      return this.#goTo('skip', nothing);
    }
    if (!isEnd) return this.#wait(bytes);
    if (bytes.length > 0) this.#readLine(Buffer.concat([bytes, newline]));
    return undefined;
  }
}

function countNewlines(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE, start); at !== -1 && at < end; at = bytes.indexOf(NEWLINE, at + 1))
    count++;
  return count;
}
