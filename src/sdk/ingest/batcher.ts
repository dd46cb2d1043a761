import { SvcError } from '../errors.js';
import { MOST_BODY_BYTES } from './limits.js';
import { latin1, namesColumns, opensDocument, secondOf } from './line-time.js';
import { joined, nothing } from './lines.js';

/** Whole lines that make one body. */
export interface Batch<Mark> {
  readonly bytes: Uint8Array;
  /** The mark that came with the last line. */
  readonly mark: Mark;
}

/** A place between two lines of a batch that no second spans. */
interface Cut<Mark> extends Batch<Mark> {
  /** The latest second before it; 0: none is known. */
  readonly latest: number;
  readonly head: Uint8Array;
}

export interface BatcherOptions {
  /** How many bytes a batch may have; a lone line may have more. */
  target: number;
  /** How far beyond it a batch may grow while it finds no place to be cut at. */
  readonly overrun: number;
  readonly warn: (message: string) => void;
}

/**
 * Gathers lines into batches. Equal lines of one second are told apart by their number within a body, so a batch ends
 * only where the next line's second is later than every second in the batch. Logs by time of request are out of
 * order: where a late line comes in time, the place before it is given up again. The newest `#Version` and `#Fields`
 * lines, or the names above a CSV, are repeated at the head of each batch.
 */
export class Batcher<Mark> {
  /** Batches that are complete, oldest first. */
  readonly ready: Batch<Mark>[] = [];
  /** Its target may change from batch to batch. */
  readonly options: BatcherOptions;
  #bytes: Uint8Array = nothing;
  #size = 0;
  /** Bytes that are repeated from before. */
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

  /** Bytes that wait, apart from those that are ready. */
  get size(): number {
    return this.#size - this.#headSize;
  }

  /** Adds a line; `mark` is the position after it. */
  add(line: Uint8Array, mark: Mark): void {
    const text = latin1(line);
    // White space and `#` come before: they begin no record.
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

  /** Remembers a directive without adding it; for lines before the first record. */
  pass(line: Uint8Array): void {
    this.#direct(latin1(line), line);
    this.#begin(this.#head, nothing);
  }

  /** Makes a batch of all waiting lines, or only of those before the latest second. */
  flush(all = true): void {
    const cut = all && this.size > 0 ? this.#here() : this.#cut;
    if (cut) this.#emit(cut);
  }

  /** How large the batch may get now. */
  #most(): number {
    const { target, overrun } = this.options;
    const most = this.#isDocument ? MOST_BODY_BYTES : target + (this.#cut ? 0 : overrun);
    return Math.min(most, MOST_BODY_BYTES);
  }

  /** The end of what waits as a place to cut at. */
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
