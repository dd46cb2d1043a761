/**
 * The formats of Nginx Proxy Manager: `[time] cache upstream status - method scheme host "target" [Client address]
 * [Length bytes] [Gzip ratio] [Sent-to server] "user agent" "referer"`. Hosts without a proxy have no cache, upstream
 * and server.
 */
import { type Entry, stated, statusOf } from '../entry.js';
import { unescapeText } from '../escapes.js';
import { clfTime } from '../time.js';

const head =
  /^\[([^\]]{20,32})\] (?:[^"[]+? )?(\d{3}|-) - ([A-Z]+|-) \S+ (\S+) "((?:\\.|[^"\\])*)" \[Client ([^\]]*)\] \[Length ([^\]]*)\] /;
const tail = /"((?:\\.|[^"\\])*)"? ?(?:"((?:\\.|[^"\\])*))?/;

/** The entry of one line, null for a line in another format. */
export function proxyManagerEntry(line: string): Entry | null {
  const fields = head.exec(line);
  if (fields === null) return null;
  const [whole, timeText = '', code = '', method = '', host = '', target = '', ip = '', bytes = ''] = fields;
  const [, userAgent = '', referer = ''] = tail.exec(line.slice(whole.length)) ?? [];
  return {
    time: clfTime(timeText),
    timeText,
    ip,
    method: stated(method),
    target: unescapeText(target),
    status: statusOf(code),
    bytes: stated(bytes),
    userAgent: stated(unescapeText(userAgent)),
    referer: stated(unescapeText(referer)),
    host,
    id: '',
  };
}
