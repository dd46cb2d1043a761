import type { INGEST_LIMITS } from '../../contract/limits.js';
import { SvcError } from '../errors.js';

/** The largest size of a body, in bytes before compression. */
const MAX_BODY_BYTES: (typeof INGEST_LIMITS)['bodyBytes'] = 10_485_760;
/** The default size of a body. */
export const BODY_BYTES = 5_000_000;
/** The number of bytes by which a body may exceed that size if there is no place to cut it. */
export const OVERRUN_BYTES = 1_000_000;

/**
 * Yields the lines of a source in batches, each with the position behind it. Skips lines up to `from`.
 * @param totals Counts the lines that are too long for any body.
 */
export async function* batchesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: BatcherOptions,
  from: number,
  totals: { skippedLines: number },
): AsyncGenerator<Batch<number>, void, undefined> {
  const batcher = new Batcher<number>(options);
  let position = 0;
  const lines = new Lines((line, length) => {
    position += length;
    if (!line) totals.skippedLines += 1;
    else if (position > from) batcher.add(line, position);
    else batcher.pass(line);
  });
  for await (const chunk of chunks) {
    lines.push(chunk);
    yield* batcher.ready.splice(0);
  }
  lines.end();
  batcher.flush();
  yield* batcher.ready.splice(0);
}

/** Whole lines that are sent as one body. */
export interface Batch<Mark> {
  readonly bytes: Uint8Array;
  /** The mark of the last line. */
  readonly mark: Mark;
}

/** A place between two lines with different seconds, where a batch may be cut. */
interface Cut<Mark> extends Batch<Mark> {
  /** The latest second before the place; 0: no line states one. */
  readonly latest: number;
  readonly head: Uint8Array;
}

interface BatcherOptions {
  /** The size of a batch in bytes. A single line may be larger. */
  target: number;
  /** The number of bytes by which a batch may exceed the target if there is no place to cut it. */
  readonly overrun: number;
  readonly warn: (message: string) => void;
}

/**
 * Collects lines into batches. The server numbers equal lines of one second within a body, so a batch may end only
 * where the second of the next line is later than all seconds in the batch. Logs may be out of order: if a later line
 * has a second from before the place, the batch is not cut there. Each batch begins with the newest `#Version` and
 * `#Fields` lines, or with the column names of a CSV.
 */
export class Batcher<Mark> {
  /** Complete batches, oldest first. */
  readonly ready: Batch<Mark>[] = [];
  /** The target may change from batch to batch. */
  readonly options: BatcherOptions;
  #bytes: Uint8Array = nothing;
  #size = 0;
  /** The size of the repeated lines at the beginning of the batch. */
  #headSize = 0;
  #head: Uint8Array = nothing;
  #version: Uint8Array = nothing;
  #mark: Mark | undefined;
  #cut: Cut<Mark> | undefined;
  #latest = 0;
  #isDocument: boolean | undefined;

  constructor(options: BatcherOptions) {
    this.options = options;
  }

  /** The number of bytes that are not yet in a complete batch. */
  get size(): number {
    return this.#size - this.#headSize;
  }

  /** Adds a line; `mark` is the position after it. */
  add(line: Uint8Array, mark: Mark): void {
    const text = latin1(line);
    // A line that begins with white space or `#`, which sort before `$`, is not the beginning of a record.
    if (text >= '$') this.#isDocument ??= opensDocument(text);
    const second = this.#isDocument ? NaN : secondOf(text);
    if (this.#cut && this.#cut.latest >= second) this.#cut = undefined;
    if (second > this.#latest && this.size > 0) this.#cut = this.#here();
    while (this.size > 0 && this.#size + line.length > this.#most()) this.#emit(this.#cut ?? this.#forced());
    this.#append(line);
    this.#mark = mark;
    if (second > this.#latest && Number.isFinite(second)) this.#latest = second;
    this.#direct(text, line);
  }

  /** Keeps a directive without adding the line; for lines before the first record. */
  pass(line: Uint8Array): void {
    this.#direct(latin1(line), line);
    this.#begin(this.#head, nothing);
  }

  /** Completes a batch of all lines so far, or only of those before the latest second. */
  flush(all = true): void {
    const cut = all && this.size > 0 ? this.#here() : this.#cut;
    if (cut) this.#emit(cut);
  }

  /** The largest permitted size of the current batch. */
  #most(): number {
    const { target, overrun } = this.options;
    const most = this.#isDocument ? MAX_BODY_BYTES : target + (this.#cut ? 0 : overrun);
    return Math.min(most, MAX_BODY_BYTES);
  }

  /** A cut after the last line. */
  #here(): Cut<Mark> {
    const bytes = this.#bytes.subarray(0, this.#size);
    return { bytes, mark: this.#mark!, latest: this.#latest, head: this.#head };
  }

  #forced(): Cut<Mark> {
    if (this.#isDocument)
      throw new SvcError(`A JSON document over ${MAX_BODY_BYTES / 1024 ** 2} MB: ship JSON lines.`);
    if (this.#latest > 0) this.options.warn('A second fills a body: equal lines may count once.');
    return this.#here();
  }

  #emit({ bytes, mark, head }: Cut<Mark>): void {
    this.ready.push({ bytes, mark });
    const rest = this.#bytes.subarray(bytes.length, this.#size);
    if (rest.length === 0) this.#latest = 0;
    this.#bytes = nothing;
    this.#begin(head, rest);
  }

  #begin(head: Uint8Array, rest: Uint8Array): void {
    this.#cut = undefined;
    this.#size = 0;
    this.#append(head);
    this.#headSize = head.length;
    this.#append(rest);
  }

  #append(line: Uint8Array): void {
    const size = this.#size + line.length;
    if (size > this.#bytes.length) this.#bytes = joined(this.#bytes, new Uint8Array(size));
    this.#bytes.set(line, this.#size);
    this.#size = size;
  }

  #direct(text: string, line: Uint8Array): void {
    if (text.startsWith('#Version')) this.#version = line.slice();
    if (text.startsWith('#Fields:')) this.#head = joined(this.#version, line);
    else if (namesColumns(text)) this.#head = line.slice();
  }
}

const nothing = new Uint8Array();

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Splits chunks into lines with their newlines. */
export class Lines {
  readonly #take: (line: Uint8Array | undefined, length: number) => void;
  #rest: Uint8Array = nothing;
  /** The bytes of the line so far. `#rest` has fewer if the line is too long to be kept. */
  #length = 0;

  /** @param take Called with each line, valid during the call, and its length; undefined: it is longer than a body. */
  constructor(take: (line: Uint8Array | undefined, length: number) => void) {
    this.#take = take;
  }

  push(chunk: Uint8Array): void {
    const newline = 10;
    let start = 0;
    for (let end = 0; ; start = end) {
      end = chunk.indexOf(newline, start) + 1;
      if (!end) break;
      this.#grow(chunk.subarray(start, end));
      this.end();
    }
    this.#grow(chunk.slice(start));
  }

  /** Passes the last line, which has no newline. */
  end(): void {
    const [line, length] = [this.#rest, this.#length];
    this.#rest = nothing;
    this.#length = 0;
    if (length) this.#take(line.length < length ? undefined : line, length);
  }

  #grow(more: Uint8Array): void {
    this.#length += more.length;
    if (this.#length > MAX_BODY_BYTES) this.#rest = nothing;
    else this.#rest = this.#rest.length ? joined(this.#rest, more) : more;
  }
}

let decoder: InstanceType<typeof TextDecoder> | undefined;

/** Decodes a line with one character per byte, so that no byte is invalid. */
export function latin1(line: Uint8Array): string {
  decoder ??= new TextDecoder('latin1');
  return decoder.decode(line);
}

/** `20/Nov/2026:10:18:45 +0000`, `2026-11-20T10:18:45.123Z`, and `2026-11-20<tab>10:18:45` of W3C logs. */
const time = /(\d\d\/\w{3}\/\d{4}|\d{4}-\d\d-\d\d)[:T\s](\d\d:\d\d:\d\d)[.,\d]*(?: ?([+-]\d\d):?(\d\d))?/;
/** Seconds since the epoch as a JSON value, with an optional fraction or digits down to nanoseconds. */
const epoch = /:\s*"?(\d{10})(?:\d{3})*\D/;
/** Ids by which the server recognises a record. Others, for example `id`, may identify something inside the record. */
const id = /"(?:rayid|(?:x-edge-)?request[-_]?id|reqid|insertid|vercelid)"\s*:\s*"?\w/i;
/** pino and Fastify count ids from 1 after every start, so the server does not identify records by them. */
const countedId = /"req"\s*:\s*\{/;
/** A line of names separated by commas, quoted or not. */
const names = /^"?[A-Za-z]\w*"?(?:,"?[A-Za-z]\w*"?)+\s*$/;
/** A line that opens an object or array and does not close it. Log lines may begin with a bracketed time. */
const opening = /^(?:\{|\[(?!\d))(?![\s\S]*[}\]]\s*$)/;

/**
 * The time of a log line in whole seconds since the epoch. Infinity: the line has an id, so the other lines of its
 * second do not matter. NaN: the line has no time.
 */
export function secondOf(line: string): number {
  const isJson = line.startsWith('{');
  if (isJson && id.test(line) && !countedId.test(line)) return Infinity;
  const [, date, clock, hours = '', minutes = ''] = time.exec(line) ?? [];
  if (!date) return isJson ? Number(epoch.exec(line)?.[1]) : NaN;
  return Date.parse(`${date.replaceAll('-', '/')} ${clock} GMT${hours}${minutes}`) / 1000;
}

/** Whether the line begins a JSON document that continues on the next line. */
export const opensDocument = (line: string): boolean => opening.test(line);

/** Whether the line is the row of column names above the CSV of a Logpush. The other rows cannot be read without it. */
export const namesColumns = (line: string): boolean =>
  line.includes('ClientRequest') && names.test(line.replace(/^\xef\xbb\xbf/, ''));
