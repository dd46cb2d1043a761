/**
 * Decides whether a record of an unknown format describes a request. Such a record counts as unparsed; others are
 * ignored.
 */
import { isObject, type JsonObject } from './fields.js';

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
export function looksLikeRequest(record: JsonObject): boolean {
  const found: Evidence = { method: false, other: false };
  collect(record, found, 1);
  return found.method && found.other;
}

const requestText = /\b(?:GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS) \S* ?HTTP\/\d/;

/** The same for a line of text. */
export const looksLikeRequestLine = (line: string): boolean => requestText.test(line);
