/** The text formats outside the access-log family, tried in order. */
import { type Entry, emptyIfDash, type Found, parseRequestLine, statusOf, unescapeText } from '../entry.js';
import { clfTime, rfc3339Time, timeOf } from '../time.js';
import { accessEntry } from './access-entry.js';
import { AccessLine, capturedAgent } from './access-line.js';

// Access logs of AWS load balancers: `[type] time elb client:port target:port … "request" "user agent" …`.

const time = '(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z)';
const status = '(\\d{3}|-)';
/** After the time: balancer, client, target, three durations, the balancer's status, the target's, received, sent. */
const albShape = new RegExp(
  `^(?:[a-z0-9]+ )?${time} \\S+ (\\S+) \\S+ \\S+ \\S+ \\S+ ${status} \\S+ \\S+ (\\S+) ` +
    '"([^"]*)"(?: "((?:\\\\.|[^"\\\\])*))?',
);

/**
 * The entry of one line, null for a line in another format. The client's address keeps its port, which identifies the
 * connection.
 */
function albEntry(line: string): Entry | null {
  const fields = albShape.exec(line);
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

// Logs of the Bunny CDN: `cache|status|time|bytes|zone|client|referer|address|place|user agent|id|country`, the time in
// milliseconds.

const bunnyHead = /^[A-Z_-]{0,16}\|(?:\d{3}|-)\|\d{10,16}\|/;
const COLUMNS = 12;

/** The entry of one line, null for a line in another format. */
function bunnyEntry(line: string): Entry | null {
  if (!bunnyHead.test(line)) return null;
  const cells = line.trimEnd().split('|');
  if (cells.length < COLUMNS) return null;
  const [, code = '', timeText = '', bytes = '', , ip = '', referer = '', target = ''] = cells;
  return {
    time: timeOf(timeText),
    timeText,
    ip,
    method: '',
    target: emptyIfDash(target),
    status: statusOf(code),
    bytes,
    // The only cell that can contain a bar.
    userAgent: emptyIfDash(cells.slice(9, -2).join('|')),
    referer: emptyIfDash(referer),
    host: '',
    id: emptyIfDash(cells.at(-2) ?? ''),
  };
}

// HAProxy's HTTP and HTTPS logs: `… client:port [time] frontend backend/server timers status bytes … {captures}
// "request"`.

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
function haproxyEntry(line: string): Entry | null {
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
    bytes: emptyIfDash(bytes),
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

// Heroku's router: `… <time> host heroku router - at=info method=GET path="/" host=… status=200`. No user agent.

const herokuHead =
  /^(?:\d+ )?(?:<\d+>\d+ )?(\d{4}-\d\d-\d\dT\S+) (?:\S+ )?heroku(?: router -|\[router\]:)(?: -)? /;
const pair = /(?<=\s|^)([a-z_]+)=(?:"((?:\\.|[^"\\])*)"|(\S*))/g;

/** The entry of one line, null for a line in another format. The format has no user agent, so no agent matches. */
function herokuEntry(line: string): Entry | null {
  const frame = herokuHead.exec(line);
  if (frame === null) return null;
  const fields = new Map<string, string>();
  for (const [, key = '', text, word] of line.slice(frame[0].length).matchAll(pair))
    fields.set(key, text ?? word ?? '');
  if (!fields.has('method') || !fields.has('path')) return null;
  const value = (key: string): string => fields.get(key) ?? '';
  return {
    time: rfc3339Time(frame[1] ?? ''),
    timeText: frame[1] ?? '',
    ip: value('fwd'),
    method: value('method'),
    target: value('path'),
    status: statusOf(value('status')),
    bytes: value('bytes'),
    userAgent: '',
    referer: '',
    host: value('host'),
    id: value('request_id'),
  };
}

// The formats of Nginx Proxy Manager: `[time] cache upstream status - method scheme host "target" [Client address]
// [Length bytes] [Gzip ratio] [Sent-to server] "user agent" "referer"`. Hosts without a proxy have no cache, upstream
// and server.

const proxyManagerHead =
  /^\[([^\]]{20,32})\] (?:[^"[]+? )?(\d{3}|-) - ([A-Z]+|-) \S+ (\S+) "((?:\\.|[^"\\])*)" \[Client ([^\]]*)\] \[Length ([^\]]*)\] /;
const tail = /"((?:\\.|[^"\\])*)"? ?(?:"((?:\\.|[^"\\])*))?/;

/** The entry of one line, null for a line in another format. */
function proxyManagerEntry(line: string): Entry | null {
  const fields = proxyManagerHead.exec(line);
  if (fields === null) return null;
  const [whole, timeText = '', code = '', method = '', host = '', target = '', ip = '', bytes = ''] = fields;
  const [, userAgent = '', referer = ''] = tail.exec(line.slice(whole.length)) ?? [];
  return {
    time: clfTime(timeText),
    timeText,
    ip,
    method: emptyIfDash(method),
    target: unescapeText(target),
    status: statusOf(code),
    bytes: emptyIfDash(bytes),
    userAgent: emptyIfDash(unescapeText(userAgent)),
    referer: emptyIfDash(unescapeText(referer)),
    host,
    id: '',
  };
}

// Server access logs of S3: `owner bucket [time] client requester id operation key "request" status …`.

/** After the status: error, bytes, size, two durations, referer, user agent. */
const s3Shape =
  /^\S+ (\S+) \[([^\]]{20,32})\] (\S+) \S+ (\S+) [A-Z\d]+\.[A-Z\d._]+ \S+ (?:"([^"]*)"|-) (\d{3}|-) \S+ (\S+) \S+ \S+ \S+ (?:"([^"]*)"|-) (?:"([^"]*)|-)/;

/**
 * The entry of one line, null for a line in another format. The bucket is taken as the host, which the line does not
 * contain.
 */
function s3Entry(line: string): Entry | null {
  const fields = s3Shape.exec(line);
  if (fields === null) return null;
  const [, host = '', timeText = '', ip = '', id = '', request = ''] = fields;
  const [code = '', bytes = '', referer = '', userAgent = ''] = fields.slice(6);
  return {
    time: clfTime(timeText),
    timeText,
    ip,
    ...parseRequestLine(request),
    status: statusOf(code),
    bytes: emptyIfDash(bytes),
    userAgent: emptyIfDash(userAgent),
    referer: emptyIfDash(referer),
    host,
    id: emptyIfDash(id),
  };
}

/** The entry of a line in one of those formats, null for a line in another format. */
export function otherTextEntry(line: string): Entry | null {
  return (
    albEntry(line) ??
    haproxyEntry(line) ??
    herokuEntry(line) ??
    proxyManagerEntry(line) ??
    s3Entry(line) ??
    bunnyEntry(line)
  );
}

/** A line of text that a collector put into JSON. */
export function embeddedEntry(line: string): Found {
  const bytes = Buffer.from(`${line}\n`);
  const access = new AccessLine();
  const isAccess = access.scan(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
  if (access.newline !== bytes.length - 1) return 'unparsed';
  return (isAccess ? accessEntry(access, bytes) : otherTextEntry(line)) ?? 'unparsed';
}
