/**
 * Logs of the Bunny CDN: `cache|status|time|bytes|zone|client|referer|address|place|user agent|id|country`, the time in
 * milliseconds.
 */
import { type Entry, stated, statusOf } from '../entry.js';
import { timeOf } from '../time.js';

const head = /^[A-Z_-]{0,16}\|(?:\d{3}|-)\|\d{10,16}\|/;
const COLUMNS = 12;

/** The entry of one line, null for a line in another format. */
export function bunnyEntry(line: string): Entry | null {
  if (!head.test(line)) return null;
  const cells = line.trimEnd().split('|');
  if (cells.length < COLUMNS) return null;
  const [, code = '', timeText = '', bytes = '', , ip = '', referer = '', target = ''] = cells;
  return {
    time: timeOf(timeText),
    timeText,
    ip,
    method: '',
    target: stated(target),
    status: statusOf(code),
    bytes,
    // The only cell that can contain a bar.
    userAgent: stated(cells.slice(9, -2).join('|')),
    referer: stated(referer),
    host: '',
    id: stated(cells.at(-2) ?? ''),
  };
}
