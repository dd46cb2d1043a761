/** HAProxy's HTTP and HTTPS logs: `… client:port [time] frontend backend/server timers status bytes … {captures} "request"`. */
import { type Entry, stated, statusOf } from '../entry.js';
import { clfTime } from '../time.js';
import { capturedAgent } from './captured-agent.js';
import { parseRequestLine } from './request-line.js';

const timePattern = /\[(\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d\.\d{3})\] /;
/** After the time: frontend, backend/server, timers, status, bytes, two cookies, termination, connections, queues. */
const numbers = /^\S+ \S+ [-+\d/]+ (-1|\d{3}) (\+?\d+) \S+ \S+ \S{4} [+\d/]+ [\d/]+ /;
/** Headers of the request, then of the response. HAProxy encodes braces and bars within them. */
const captures = /"?\{([^}]*)\}"? /y;
/** The closing quote is missing if the line is truncated. The fields of `option httpslog` follow. */
const quoted = /"((?:\\.|[^"\\])*)/y;

/**
 * The entry of one line, null for a line in another format. Its time has no zone and is read as UTC. A user agent is
 * present only when the administrator captures that header.
 */
export function haproxyEntry(line: string): Entry | null {
  const bracket = timePattern.exec(line);
  if (bracket === null) return null;
  const rest = line.slice(bracket.index + bracket[0].length);
  const fields = numbers.exec(rest);
  if (fields === null) return null;
  captures.lastIndex = fields[0].length;
  const ofRequest = captures.exec(rest)?.[1];
  quoted.lastIndex = ofRequest === undefined ? fields[0].length : afterCaptures(rest);
  const request = quoted.exec(rest)?.[1];
  if (request === undefined) return null;
  const [, code = '', bytes = ''] = fields;
  const timeText = bracket[1] ?? '';
  return {
    time: clfTime(timeText, true),
    timeText,
    ip: line.slice(0, bracket.index).trimEnd().split(' ').at(-1) ?? '',
    ...parseRequestLine(request),
    status: statusOf(code),
    bytes: stated(bytes),
    userAgent: capturedAgent((ofRequest ?? '').split('|')),
    referer: '',
    host: '',
    id: '',
  };
}

/** The index after the captured headers of the response; those of the request were read before. */
function afterCaptures(rest: string): number {
  const first = captures.lastIndex;
  return captures.test(rest) ? captures.lastIndex : first;
}
