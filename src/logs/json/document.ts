/** Decides whether a body consists of lines or is one JSON document over many lines (or one huge line). */
import { isSpace, Nesting } from './elements.js';
import { wrapperKeys } from './keys.js';
import { parseJson } from './text.js';

export type Framing =
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
