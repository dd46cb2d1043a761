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
}

/** A valid record that is not a request, and a record in an unknown format. */
export type Unread = 'not-a-request' | 'unparsed';

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
export function stated(text: string): string {
  return text === '-' ? '' : text;
}
