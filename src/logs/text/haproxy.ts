/** HAProxy's HTTP log: `… client:port [time] frontend backend/server timers status bytes … {captures} "request"`. */
import { type Entry, stated, statusOf } from '../entry.js';
import { clfTime } from '../time.js';
import { parseRequestLine } from './request-line.js';

const timePattern = /\[(\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d\.\d{3})\] /;
/** Behind the time: frontend, backend/server, timers, status, bytes, two cookies, termination, connections, queues. */
const rest =
  /^\S+ \S+ [-+\d/]+ (-1|\d{3}) (\+?\d+) \S+ \S+ \S{4} [+\d/]+ [\d/]+ (?:\{([^}]*)\} )?(?:\{[^}]*\} )?"((?:\\.|[^"\\])*)"?\s*$/;

/**
 * The entry of one line, null when it is none. Its time has no zone and counts as UTC. A user agent is there only when
 * the administrator captures that header: then it is the captured value that has a product version and is no address.
 */
export function haproxyEntry(line: string): Entry | null {
  const bracket = timePattern.exec(line);
  if (bracket === null) return null;
  const fields = rest.exec(line.slice(bracket.index + bracket[0].length));
  if (fields === null) return null;
  const timeText = bracket[1] ?? '';
  const [, code = '', bytes = '', captures = '', request = ''] = fields;
  const userAgent = captures.split('|').find((value) => value.includes('/') && !value.includes('://', 3));
  return {
    time: clfTime(timeText, true),
    timeText,
    ip: line.slice(0, bracket.index).trimEnd().split(' ').at(-1) ?? '',
    ...parseRequestLine(request),
    status: statusOf(code),
    bytes: stated(bytes),
    userAgent: userAgent ?? '',
    referer: '',
    host: '',
    id: '',
  };
}
