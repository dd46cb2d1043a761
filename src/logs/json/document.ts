/** Decides whether a body consists of lines or is one JSON document over many lines (or one huge line). */

/** Keys under which a collector wraps many records. */
export const wrapperKeys = ['logs', 'events', 'records', 'entries', 'data'] as const;

/** Returns the value of a JSON text; undefined: the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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
class Nesting {
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

type ElementsState = 'open' | 'done' | 'broken';

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

type Framing =
  /** Undecided until more bytes arrive. */
  | { readonly kind: 'more' }
  | { readonly kind: 'lines' }
  /** One object; `end` is the index after it. */
  | { readonly kind: 'object'; readonly end: number }
  /** An array whose first element is at or after `start`; the array may be a field of an object. */
  | { readonly kind: 'array'; readonly start: number; readonly isWrapped: boolean };

const more: Framing = { kind: 'more' };
const lines: Framing = { kind: 'lines' };

/**
 * The framing of bytes that begin with `{` or `[`. The result depends only on the beginning of the body, never on how
 * much more of it has arrived.
 * @param isLast no more bytes will be examined: never returns `more`
 * @param isEnd the body ends with these bytes
 */
export function framingOf(bytes: Buffer, isLast: boolean, isEnd: boolean): Framing {
  const newline = bytes.indexOf(10);
  if (newline === -1 && !isLast) return more;
  if ((newline !== -1 || isEnd) && isJson(bytes.subarray(0, newline === -1 ? bytes.length : newline)))
    return lines;
  const framing = bytes[0] === 91 ? arrayFraming(bytes, 1, false) : objectFraming(bytes);
  if (framing.kind === 'more') return isLast ? lines : more;
  // Text after an object on the same line makes that line invalid; the body is not a document of many lines.
  return framing.kind === 'object' && (newline === -1 || framing.end <= newline) ? lines : framing;
}

const isJson = (bytes: Buffer): boolean => parseJson(bytes.toString('utf8')) !== undefined;

/** Recognises an array of objects or of lines. Lines of text can begin with a bracket too: a time, an IPv6 address. */
function arrayFraming(bytes: Buffer, start: number, isWrapped: boolean): Framing {
  let at = start;
  while (at < bytes.length && isSpace(bytes[at] as number)) at++;
  if (at === bytes.length) return more;
  const isArray = bytes[at] === 123 || bytes[at] === 34 || (bytes[at] === 93 && !isWrapped);
  return isArray ? { kind: 'array', start: at, isWrapped } : lines;
}

const wrapperEnd = new RegExp(`"(?:${wrapperKeys.join('|')})"\\s*:\\s*$`);

/** The first wrapper array directly in the object, else the whole object. */
function objectFraming(bytes: Buffer): Framing {
  const nesting = new Nesting();
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const atKey = nesting.depth === 1 && !nesting.inString && byte === 91;
    if (atKey && wrapperEnd.test(bytes.toString('latin1', Math.max(0, at - 40), at))) {
      const framing = arrayFraming(bytes, at + 1, true);
      if (framing.kind !== 'lines') return framing;
    }
    if (!nesting.take(byte)) return lines;
    if (nesting.closed) return isJson(bytes.subarray(0, at + 1)) ? { kind: 'object', end: at + 1 } : lines;
  }
  return more;
}
