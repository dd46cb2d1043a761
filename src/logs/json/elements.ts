/** Cuts a JSON document into the elements of its array, byte by byte, so that a large body is never held in memory. */

const NEWLINE = 10;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

const isOpening = (byte: number): boolean => byte === 123 || byte === 91;
const isClosing = (byte: number): boolean => byte === 125 || byte === 93;
export const isSpace = (byte: number): boolean =>
  byte === 32 || byte === 9 || byte === 13 || byte === NEWLINE;

/** Follows strings and brackets through JSON text. */
export class Nesting {
  depth = 0;
  inString = false;
  #escaped = false;

  /** Processes one byte. Returns false for a control character in a string, which JSON does not allow. */
  take(byte: number): boolean {
    if (this.inString) {
      if (byte < 32) return false;
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.inString = false;
    } else if (byte === QUOTE) this.inString = true;
    else if (isOpening(byte)) this.depth++;
    else if (isClosing(byte)) this.depth--;
    return true;
  }

  /** Whether the value that the last byte belongs to is complete. */
  get closed(): boolean {
    return this.depth <= 0 && !this.inString;
  }

  reset(depth: number): void {
    this.depth = depth;
    this.inString = false;
    this.#escaped = false;
  }
}

export type ElementsState = 'open' | 'done' | 'broken';

/** Reads from the opening bracket of an array to the end of the document. */
export class ElementReader {
  /** Index of the first byte of the current element, -1 between elements. */
  elementStart = -1;
  /** The number of newlines so far. */
  newlines = 0;
  #inTail = false;
  readonly #nesting = new Nesting();
  readonly #isWrapped: boolean;
  readonly #found: (bytes: Buffer, start: number, end: number) => void;

  /**
   * @param isWrapped whether the array is a field of an object; the rest of the object is skipped too
   * @param found called for each element with its bytes, `start` to `end`
   */
  constructor(isWrapped: boolean, found: (bytes: Buffer, start: number, end: number) => void) {
    this.#isWrapped = isWrapped;
    this.#found = found;
  }

  /** Continues at `from`. Returns the state and the index after the last byte read. */
  read(bytes: Buffer, from: number): { state: ElementsState; at: number } {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      const state = this.#take(bytes, byte, at);
      if (state === 'broken') return { state, at };
      if (byte === NEWLINE) this.newlines++;
      if (state === 'done') return { state, at: at + 1 };
    }
    return { state: 'open', at: bytes.length };
  }

  #take(bytes: Buffer, byte: number, at: number): ElementsState {
    if (this.#inTail) {
      if (!this.#nesting.take(byte)) return 'broken';
      return this.#nesting.closed ? 'done' : 'open';
    }
    if (this.elementStart !== -1) return this.#continueElement(bytes, byte, at);
    if (isSpace(byte) || byte === COMMA) return 'open';
    if (byte === 93) {
      this.#inTail = this.#isWrapped;
      this.#nesting.reset(1);
      return this.#inTail ? 'open' : 'done';
    }
    if (!isOpening(byte) && byte !== QUOTE) return 'broken';
    this.elementStart = at;
    this.#nesting.reset(0);
    this.#nesting.take(byte);
    return 'open';
  }

  #continueElement(bytes: Buffer, byte: number, at: number): ElementsState {
    if (!this.#nesting.take(byte)) return 'broken';
    if (this.#nesting.closed) {
      this.#found(bytes, this.elementStart, at + 1);
      this.elementStart = -1;
    }
    return 'open';
  }
}
