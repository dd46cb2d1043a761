/** Access logs of AWS load balancers: `[type] time elb client:port target:port … "request" "user agent" …`. */
import { type Entry, statusOf } from '../entry.js';
import { rfc3339Time } from '../time.js';
import { parseRequestLine } from './request-line.js';

const time = '(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z)';
const status = '(\\d{3}|-)';
/** After the time: balancer, client, target, three durations, the balancer's status, the target's, received, sent. */
const shape = new RegExp(
  `^(?:[a-z0-9]+ )?${time} \\S+ (\\S+) \\S+ \\S+ \\S+ \\S+ ${status} \\S+ \\S+ (\\S+) ` +
    '"([^"]*)"(?: "((?:\\\\.|[^"\\\\])*))?',
);

/**
 * The entry of one line, null for a line in another format. The client's address keeps its port, which identifies the
 * connection.
 */
export function albEntry(line: string): Entry | null {
  const fields = shape.exec(line);
  if (fields === null) return null;
  const [, timeText = '', ip = '', code = '', bytes = '', request = '', userAgent = ''] = fields;
  return {
    time: rfc3339Time(timeText),
    timeText,
    ip,
    ...parseRequestLine(request),
    status: statusOf(code),
    bytes,
    userAgent,
    referer: '',
    host: '',
    id: '',
  };
}
