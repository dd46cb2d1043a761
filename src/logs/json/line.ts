/** Finds the records inside one parsed JSON value of a log. */
import type { Found } from '../entry.js';
import { withoutPrefix } from '../text/prefix.js';
import { looksLikeRequestLine } from './evidence.js';
import { isObject, type JsonObject } from './fields.js';
import { lineKeys, wrapperKeys } from './keys.js';
import { recordEntry } from './record.js';
import { shapeOf } from './shapes.js';
import { parseJson } from './text.js';

/** Collectors wrap a line once or twice. Deeper nesting is not read. */
const DEEPEST = 3;

/**
 * Calls `found` for each record of a JSON value: the value itself, the elements of an array or of a wrapper object, or
 * the line that a collector put into `message` or `log`.
 * @param readText reads a line that is not JSON
 */
export function eachRecord(
  value: unknown,
  readText: (line: string) => Found,
  found: (record: Found) => void,
): void {
  if (Array.isArray(value) && value.length > 0) {
    for (const element of value) found(readRecord(element, readText, 0));
    return;
  }
  const record = readRecord(value, readText, 0);
  const wrapped = record === 'not-a-request' ? wrappedRecords(value) : undefined;
  if (wrapped === undefined) found(record);
  else for (const element of wrapped) found(readRecord(element, readText, 0));
}

/** The records inside a wrapper object, undefined for any other object. */
function wrappedRecords(value: unknown): unknown[] | undefined {
  if (!isObject(value) || shapeOf(value) !== undefined) return undefined;
  for (const key of wrapperKeys) {
    const inside = value[key];
    if (Array.isArray(inside) && inside.length > 0) return inside;
  }
  return undefined;
}

function readRecord(value: unknown, readText: (line: string) => Found, depth: number): Found {
  if (typeof value === 'string') return readLine(value, readText, depth);
  if (Array.isArray(value)) return value.length === 0 ? 'not-a-request' : 'unparsed';
  if (!isObject(value)) return 'unparsed';
  const record = recordEntry(value);
  // A record with a known shape is read by that shape, whatever its `message` contains.
  if (typeof record !== 'string' || depth >= DEEPEST || shapeOf(value) !== undefined) return record;
  const inner = readInnerLine(value, readText, depth);
  return inner === undefined || (record === 'unparsed' && typeof inner === 'string') ? record : inner;
}

/** Reads the log line that a collector put into the record; undefined: none, or a message of an application. */
function readInnerLine(
  value: JsonObject,
  readText: (line: string) => Found,
  depth: number,
): Found | undefined {
  for (const key of lineKeys) {
    const line = textOf(value[key]);
    if (line === undefined) continue;
    const inner = readLine(line, readText, depth + 1);
    if (inner !== 'unparsed' || looksLikeRequestLine(line) || isRecord(line)) return inner;
  }
  return undefined;
}

/** The journal writes a text that is not UTF-8 as an array of its bytes. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const isBytes = Array.isArray(value) && value.length > 0 && value.every((byte) => Number.isInteger(byte));
  return isBytes ? Buffer.from(value).toString('utf8') : undefined;
}

const isRecord = (line: string): boolean => isObject(parseJson(line));

/** Reads a line of text inside JSON: JSON again, or a text format, with or without a prefix. */
function readLine(line: string, readText: (line: string) => Found, depth: number): Found {
  const text = line.trim();
  if (!text.startsWith('{')) {
    const found = readText(text);
    return found === 'unparsed' && depth <= DEEPEST ? afterPrefix(text, readText, depth + 1) : found;
  }
  const value = parseJson(text);
  return value === undefined ? 'unparsed' : readRecord(value, readText, depth + 1);
}

/** The entry of the line after a collector's prefix; unparsed without such a prefix. */
export function afterPrefix(line: string, readText: (line: string) => Found, depth = 0): Found {
  const rest = withoutPrefix(line);
  return rest === undefined ? 'unparsed' : readLine(rest, readText, depth);
}
