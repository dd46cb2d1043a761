/** One request of a log, independent of its format. */

/** Texts are unescaped and otherwise unchanged; a field that the record does not have is empty. */
export interface Entry {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The time at the precision of the log. */
  readonly timeText: string;
  readonly ip: string;
  readonly method: string;
  /** Request target with its query. */
  readonly target: string;
  /** Null: the record has no status, or an invalid one. */
  readonly status: number | null;
  readonly bytes: string;
  readonly userAgent: string;
  readonly referer: string;
  readonly host: string;
  /** The id that the server gave this request. */
  readonly id: string;
  /** What proxies state about the client; absent: `ip` is all that the record has. It is no part of the identity. */
  readonly via?: Via | undefined;
}

/** Empty: the record does not have it. */
export interface Via {
  /** The address from which the server got the request. */
  readonly peer: string;
  /** X-Forwarded-For: the addresses from which each hop got it, the last hop's last. */
  readonly chain: string;
  /** CF-Connecting-IP: what Cloudflare states. */
  readonly cloudflare: string;
}

/** A valid record that is not a request, and a record in an unknown format. */
type Unread = 'not-a-request' | 'unparsed';

export type Found = Entry | Unread;

/** The content of an entry as one text; equal for equal log lines and only for those. */
export function contentTuple(entry: Entry): string {
  const { timeText, ip, method, target, status, bytes, userAgent, referer, host } = entry;
  return [timeText, ip, method, target, status ?? '', bytes, userAgent, referer, host].join('\x1f');
}

const threeDigits = /^\d{3}$/;

/** An HTTP status from a number or digits; null for `000`, `-1`, `-` and every other value. */
export function statusOf(value: unknown): number | null {
  const status = typeof value === 'string' && threeDigits.test(value) ? Number(value) : value;
  return typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 999
    ? status
    : null;
}

/** The dash of access logs means an empty field. */
export function emptyIfDash(text: string): string {
  return text === '-' ? '' : text;
}

interface RequestLine {
  /** Empty: the line does not begin with a method. */
  readonly method: string;
  /** Empty: the line has no target. */
  readonly target: string;
}

const methodPattern = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
const none: RequestLine = { method: '', target: '' };

/**
 * Returns method and target of `GET /path HTTP/1.1`, unescaped. If the last word is the protocol, the target is the
 * text between the first and the last space, else everything after the first space (HTTP/0.9). Both are empty for bytes
 * that are not HTTP: a TLS hello, an SSH banner, nothing.
 */
export function parseRequestLine(line: string): RequestLine {
  const first = line.indexOf(' ');
  if (first === -1) return none;
  const method = line.slice(0, first);
  if (method !== 'GET' && !methodPattern.test(method)) return none;
  const last = line.lastIndexOf(' ');
  const end = last > first && line.startsWith('HTTP/', last + 1) ? last : line.length;
  const target = line.slice(first + 1, end);
  return { method, target: target.startsWith(' ') || target.endsWith(' ') ? target.trim() : target };
}

/** Quoted fields of access logs, from bytes to text. */

const BACKSLASH = 92;
const X = 120;

/** The character after a backslash, and the character that both represent. */
const single: ReadonlyMap<number, number> = new Map(
  Object.entries({ '"': '"', '\\': '\\', t: '\t', n: '\n', r: '\r', b: '\b', v: '\v', f: '\f' }).map(
    ([sign, character]) => [sign.charCodeAt(0), character.charCodeAt(0)],
  ),
);

/**
 * Returns the text of the bytes `start` to `end`: replaces `\xHH`, `\"`, `\\` and `\t \n \r \b \v \f` by their bytes,
 * then decodes UTF-8 with U+FFFD for invalid bytes. Any other escaped character is kept with its backslash.
 */
export function unescapeField(bytes: Buffer, start: number, end: number): string {
  if (!bytes.subarray(start, end).includes(BACKSLASH)) return bytes.toString('utf8', start, end);
  const plain = Buffer.allocUnsafe(end - start);
  let length = 0;
  for (let at = start; at < end; at++) {
    const next = at + 1 < end ? (bytes[at + 1] as number) : -1;
    let byte = bytes[at] as number;
    if (byte === BACKSLASH && next === X && at + 3 < end) {
      const code = hexDigit(bytes[at + 2] as number) * 16 + hexDigit(bytes[at + 3] as number);
      if (code >= 0) {
        byte = code;
        at += 3;
      }
    } else if (byte === BACKSLASH) {
      const code = single.get(next);
      if (code !== undefined) {
        byte = code;
        at++;
      }
    }
    plain[length++] = byte;
  }
  return plain.toString('utf8', 0, length);
}

/** Replaces the escapes of a field that is text already. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes = Buffer.from(text);
  return unescapeField(bytes, 0, bytes.length);
}

/**
 * The value of a hexadecimal digit. For any other byte it is so far below 0 that a sum with a digit is negative too.
 */
function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1000;
}
