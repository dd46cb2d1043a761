import { SvcError } from '../errors.js';
import { MOST_BODY_BYTES } from './limits.js';
import { latin1, namesColumns, opensDocument, secondOf } from './line-time.js';
import { joined, nothing } from './lines.js';

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

export interface BatcherOptions {
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
    const second = this.#isDocument ? Number.NaN : secondOf(text);
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
    const most = this.#isDocument ? MOST_BODY_BYTES : target + (this.#cut ? 0 : overrun);
    return Math.min(most, MOST_BODY_BYTES);
  }

  /** A cut after the last line. */
  #here(): Cut<Mark> {
    const bytes = this.#bytes.subarray(0, this.#size);
    return { bytes, mark: this.#mark!, latest: this.#latest, head: this.#head };
  }

  #forced(): Cut<Mark> {
    if (this.#isDocument) throw new SvcError('A JSON document over 10 MB: ship JSON lines.');
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
