/** Server access logs of S3: `owner bucket [time] client requester id operation key "request" status …`. */
import { type Entry, stated, statusOf } from '../entry.js';
import { clfTime } from '../time.js';
import { parseRequestLine } from './request-line.js';

/** After the status: error, bytes, size, two durations, referer, user agent. */
const shape =
  /^\S+ (\S+) \[([^\]]{20,32})\] (\S+) \S+ (\S+) [A-Z\d]+\.[A-Z\d._]+ \S+ (?:"([^"]*)"|-) (\d{3}|-) \S+ (\S+) \S+ \S+ \S+ (?:"([^"]*)"|-) (?:"([^"]*)|-)/;

/**
 * The entry of one line, null for a line in another format. The bucket is taken as the host, which the line does not
 * contain.
 */
export function s3Entry(line: string): Entry | null {
  const fields = shape.exec(line);
  if (fields === null) return null;
  const [, host = '', timeText = '', ip = '', id = '', request = ''] = fields;
  const [code = '', bytes = '', referer = '', userAgent = ''] = fields.slice(6);
  return {
    time: clfTime(timeText),
    timeText,
    ip,
    ...parseRequestLine(request),
    status: statusOf(code),
    bytes: stated(bytes),
    userAgent: stated(userAgent),
    referer: stated(referer),
    host,
    id: stated(id),
  };
}
