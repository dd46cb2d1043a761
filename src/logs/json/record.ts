/** Reads one JSON object of a log as a request. */

import { type Found, parseRequestLine, statusOf, type Via } from '../entry.js';
import { timeOf } from '../time.js';
import { parseJson, wrapperKeys } from './document.js';
import { Fields, generalTable, isObject, type JsonObject, valueAt } from './fields.js';
import { type Shape, shapeOf } from './shapes.js';

/** Keys that also occur in other records. They make a record a request only together with another request field. */
const weakPathKeys: ReadonlySet<string> = new Set(['url', 'uri', 'path', 'request']);

/** Keys under which a collector wraps one line of text. */
const lineKeys = ['message', 'log', 'MESSAGE'] as const;

// Decides whether a record of an unknown format describes a request. Such a record counts as unparsed; others are
// ignored.

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']);
const statusKey = /status|code/i;
const targetKey = /path|ur[il]|target|resource|route|request/i;
const agentKey = /agent/i;
/** The depth to which sources nest the fields of a request. */
const DEEPEST = 3;

interface Evidence {
  method: boolean;
  other: boolean;
}

function collect(record: JsonObject, found: Evidence, depth: number): void {
  for (const key in record) {
    const value = record[key];
    if (isObject(value)) {
      if (depth < DEEPEST) collect(value, found, depth + 1);
    } else if (typeof value === 'string' && methods.has(value)) found.method = true;
    else if (isOther(key, value)) found.other = true;
  }
}

function isOther(key: string, value: unknown): boolean {
  if (statusKey.test(key)) return Number(value) >= 100 && Number(value) <= 599;
  if (typeof value !== 'string' || value === '') return false;
  return agentKey.test(key) || (targetKey.test(key) && (value.startsWith('/') || value.startsWith('http')));
}

/** Whether a record has an HTTP method, and a status, a target or a user agent. */
function looksLikeRequest(record: JsonObject): boolean {
  const found: Evidence = { method: false, other: false };
  collect(record, found, 1);
  return found.method && found.other;
}

const requestText = /\b(?:GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS) \S* ?HTTP\/\d/;

/** Whether a line of text has a request line. */
const looksLikeRequestLine = (line: string): boolean => requestText.test(line);

/** The entry of a record, or the reason why there is no entry. A request without a usable time is unparsed. */
export function recordEntry(record: JsonObject): Found {
  const shape = shapeOf(record);
  const table = shape?.table ?? generalTable;
  const view = shape?.view?.(record) ?? record;
  const fields = new Fields(view, table);
  if (shape?.skips(record, fields)) return 'not-a-request';
  if (!isRequest(fields, shape)) return shape || looksLikeRequest(record) ? 'unparsed' : 'not-a-request';
  const [time, timeText] = readTime(view, fields, table.keys.time);
  if (Number.isNaN(time)) return 'unparsed';
  const { method, target } = readTarget(fields, shape);
  return {
    time,
    timeText,
    ip: fields.text('ip'),
    method: fields.text('method') || method,
    target,
    status: statusOf(fields.value('status')),
    bytes: fields.text('bytes'),
    userAgent: isForeign(fields.key('userAgent'), shape?.agentKeys) ? '' : fields.text('userAgent'),
    referer: fields.text('referer'),
    host: fields.text('host'),
    id: fields.key('id') === 'id' && !shape?.statesId ? '' : fields.text('id'),
    via: readVia(fields),
  };
}

/** Undefined: the record has nothing besides one address. */
function readVia(fields: Fields): Via | undefined {
  const [chain, cloudflare, ip] = [fields.text('forwarded'), fields.text('cloudflare'), fields.text('ip')];
  if (chain === '' && cloudflare === '') return undefined;
  // In some records the address is that chain, which is a claim.
  return { peer: fields.text('peer') || (ip === chain ? '' : ip), chain, cloudflare };
}

/**
 * A record is a request if it has a user agent or a path key. In a record of unknown shape, a weak key like `path`
 * needs a second request field, because application logs use `path` for files.
 */
function isRequest(fields: Fields, shape: Shape | undefined): boolean {
  if (fields.agentRank < Number.POSITIVE_INFINITY) return true;
  if (shape !== undefined) return fields.pathRank < Number.POSITIVE_INFINITY;
  const pathKey = generalTable.keys.path[fields.pathRank];
  if (pathKey === undefined) return false;
  return (
    !weakPathKeys.has(pathKey) ||
    (['method', 'status', 'host', 'ip'] as const).some((field) => fields.has(field))
  );
}

const isForeign = (key: string | undefined, own: readonly string[] | undefined): boolean =>
  key !== undefined && own !== undefined && !own.includes(key);

/** Path and query are in one key or in two; nginx can also log the whole request line. */
function readTarget(fields: Fields, shape: Shape | undefined): { method: string; target: string } {
  const key = fields.key('path');
  if (key === undefined || isForeign(key, shape?.pathKeys)) return { method: '', target: '' };
  const path = fields.text('path');
  if (key === 'request') return parseRequestLine(path);
  const query = fields.text('query');
  const target = query === '' || path.includes('?') ? path : `${path}?${query}`;
  // Akamai leaves out the slash.
  return { method: '', target: key === 'reqPath' && !/^\/|:\/\//.test(path) ? `/${target}` : target };
}

const clockOnly = /^\d\d:\d\d:\d\d(?:\.\d+)?$/;

/** The first key, in priority order, with a valid time. A date and a time of day in two columns count as one key. */
function readTime(record: JsonObject, fields: Fields, keys: readonly string[]): [number, string] {
  const best = fields.value('time');
  const time = timeOf(best);
  if (!Number.isNaN(time)) return [time, String(best)];
  for (const key of keys) {
    const value = valueAt(record, key);
    const own =
      key === 'time' && clockOnly.test(String(value)) ? `${String(record.date)}T${String(value)}Z` : value;
    const other = timeOf(own);
    if (!Number.isNaN(other)) return [other, String(own)];
  }
  return [Number.NaN, ''];
}

// Finds the records inside one parsed JSON value of a log.

/** Collectors wrap a line once or twice. Deeper nesting is not read. */
const MAX_LINE = 3;

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
  if (typeof record !== 'string' || depth >= MAX_LINE || shapeOf(value) !== undefined) return record;
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
    return found === 'unparsed' && depth <= MAX_LINE ? afterPrefix(text, readText, depth + 1) : found;
  }
  const value = parseJson(text);
  return value === undefined ? 'unparsed' : readRecord(value, readText, depth + 1);
}

/** The entry of the line after a collector's prefix; unparsed without such a prefix. */
export function afterPrefix(line: string, readText: (line: string) => Found, depth = 0): Found {
  const rest = withoutPrefix(line);
  return rest === undefined ? 'unparsed' : readLine(rest, readText, depth);
}

/** Prefixes that collectors put in front of a log line: container runtimes, syslog, the journal. */

const prefixes: readonly RegExp[] = [
  // Kubernetes: time, stream, full or partial line. `kubectl logs --timestamps` and Docker: only the time.
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:\d\d) (?:(?:stdout|stderr) [FP] )?/,
  // RFC 5424, also with its length in front: priority, time, host, program, process, kind, structured data.
  /^(?:\d+ )?<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[(?:[^\]"\\]|"(?:\\.|[^"\\])*")*\])+) \ufeff?/,
  // RFC 3164 and journalctl: time, host, program.
  /^(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? (?:[\w.-]+ )?[\w./-]+(?:\[\d+\])?: /,
  // The same with an ISO time.
  /^(?:<\d{1,3}>)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d) (?:[\w.-]+ )?[\w./-]+(?:\[\d+\])?: /,
  // docker compose
  /^[\w.-]+ +\| /,
];

/** The line after its prefix; undefined for a line without a prefix. */
function withoutPrefix(line: string): string | undefined {
  const found = prefixes.map((prefix) => prefix.exec(line)?.[0].length ?? 0);
  const length = Math.max(...found);
  return length === 0 ? undefined : line.slice(length).trimStart();
}
