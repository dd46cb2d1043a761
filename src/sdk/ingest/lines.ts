import { MOST_BODY_BYTES } from './limits.js';

export const nothing = new Uint8Array();

export function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
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
    if (this.#length > MOST_BODY_BYTES) this.#rest = nothing;
    else this.#rest = this.#rest.length ? joined(this.#rest, more) : more;
  }
}
