import type { Hit } from '../../../src/logs/hit.js';
import { createLogParser, type LogCounts } from '../../../src/logs/parse.js';

export interface Parsed {
  readonly counts: LogCounts;
  readonly hits: Hit[];
  readonly unparsed: { readonly line: number; readonly text: string }[];
}

/** The day after the recorded logs were written. */
export const now = new Date('2026-11-21T00:00:00Z');

/** Everything a parser makes of a body that arrives in the given chunks. */
export function parseChunks(chunks: readonly Uint8Array[], clock: Date = now): Parsed {
  const hits: Hit[] = [];
  const unparsed: Parsed['unparsed'] = [];
  const parser = createLogParser({
    now: clock,
    onHit: (hit) => hits.push(hit),
    onUnparsed: (line, bytes) => unparsed.push({ line, text: bytes.toString('utf8') }),
  });
  for (const chunk of chunks) parser.push(chunk);
  return { counts: { ...parser.end() }, hits, unparsed };
}

export function parseText(text: string, clock: Date = now): Parsed {
  return parseChunks([Buffer.from(text)], clock);
}

/** What one record counts as. */
export type Verdict = 'matched' | 'request' | 'unparsed' | 'not a request' | 'blank';

export function verdictOf(text: string): Verdict {
  const { counts } = parseText(text);
  if (counts.records !== 1) throw new Error(`${counts.records} records in ${text}`);
  if (counts.matched === 1) return 'matched';
  if (counts.totalLines === 1) return 'request';
  if (counts.unparsed === 1) return 'unparsed';
  return counts.blank === 1 ? 'blank' : 'not a request';
}

/** The combined format around a request and a user agent. */
export function combined(
  parts: { request?: string; userAgent?: string; time?: string; rest?: string } = {},
): string {
  const {
    request = 'GET /a HTTP/1.1',
    userAgent = 'GPTBot/1.2',
    time = '20/Nov/2026:10:18:45 +0000',
    rest = '',
  } = parts;
  return `192.0.2.1 - - [${time}] "${request}" 200 17 "-" "${userAgent}"${rest}`;
}

/** The same bytes cut at the given places. */
export function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, i) => bytes.subarray(edges[i], edge));
}
