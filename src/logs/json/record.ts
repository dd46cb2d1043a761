/** Reads one JSON object of a log as a request. */
import { type Found, statusOf } from '../entry.js';
import { parseRequestLine } from '../text/request-line.js';
import { timeOf } from '../time.js';
import { looksLikeRequest } from './evidence.js';
import { Fields, type JsonObject, valueAt } from './fields.js';
import { generalTable } from './key-tree.js';
import { logKeys, weakPathKeys } from './keys.js';
import type { Shape } from './shape.js';
import { shapeOf } from './shapes.js';

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
  };
}

/**
 * A record is a request if it has a user agent or a path key. In a record of unknown shape, a weak key like `path`
 * needs a second request field, because application logs use `path` for files.
 */
function isRequest(fields: Fields, shape: Shape | undefined): boolean {
  if (fields.agentRank < Number.POSITIVE_INFINITY) return true;
  if (shape !== undefined) return fields.pathRank < Number.POSITIVE_INFINITY;
  const pathKey = logKeys.path[fields.pathRank];
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
