import { MOST_BODY_BYTES } from './limits.js';

export const nothing = new Uint8Array();

export function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** From chunks to lines with their newlines. */
export class Lines {
  readonly #take: (line: Uint8Array | undefined, length: number) => void;
  #rest: Uint8Array = nothing;
  /** Bytes of the line so far; more than `#rest` has where it is too long to be kept. */
  #length = 0;

  /** @param take Gets each line, valid during the call, undefined where it is longer than a body, and its length. */
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

  /** Gives the last line, which has no newline. */
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
