import { printable } from '../../contract/printable.js';
import { canonicalPath, isMissingUserAgent, type LogEntry } from '../../logs/index.js';
import { grouped } from '../render/view.js';

const SHOWN = 160;

/** The reasons why a log contains no hits, by the form of its first line. */
const causes: readonly (readonly [RegExp, string])[] = [
  [
    /heroku\[?\s?router|at=info method=/,
    "Heroku's router logs no user agent: ship the web server's or the CDN's log.",
  ],
  [
    /"RequestPath"|"DownstreamStatus"/,
    'Traefik drops headers unless accessLog.fields.headers keeps User-Agent.',
  ],
  [/haproxy/, 'HAProxy logs a user agent only where the configuration captures that header.'],
  [/" \d{3} (?:\d+|-)\s*$/, 'This is the common format: use the combined one, which has the user agent.'],
];

/** Prefixes that other programs add to a log line. */
const prefixed =
  /^(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ \S+: |[\w.-]+ +\| |\d{4}-\d\d-\d\dT\S+ \S+ \S+: )/;

type Part = 'user agent' | 'path';
const advice: { readonly [part in Part]: string } = {
  'user agent': 'Log the User-Agent header.',
  path: 'Log the path of the request.',
};

/** A problem of an input, and the advice for it. */
export interface Problem {
  readonly statement: string;
  readonly advice: string;
}

/** The number of records with a problem, and one of them. */
export interface Example {
  readonly count: number;
  readonly line: string;
}

/** Counts the missing fields in the first requests of an input. */
export class FirstRequests {
  count = 0;
  readonly #lacking: { [part in Part]?: Example } = {};

  /** @param bytes The record, valid during the call. */
  add({ userAgent, target }: LogEntry, bytes: Buffer): void {
    this.count += 1;
    if (isMissingUserAgent(userAgent)) this.#lacks('user agent', bytes);
    if (canonicalPath(target) === null) this.#lacks('path', bytes);
  }

  #lacks(part: Part, bytes: Buffer): void {
    const { count, line } = this.#lacking[part] ?? { count: 0, line: bytes.toString('utf8') };
    this.#lacking[part] = { count: count + 1, line };
  }

  /** The problem that more than `share` of the requests lack a required field; null: they do not. */
  problem(subject: string, share: number): Problem | null {
    const parts = (Object.keys(this.#lacking) as Part[]).filter(
      (part) => this.#lacking[part]!.count > share * this.count,
    );
    const [part] = parts;
    if (part === undefined) return null;
    const { line } = this.#lacking[part]!;
    const counts = parts.map((each) => `${grouped(this.#lacking[each]!.count)} state no ${each}`);
    const requests = this.count === 1 ? 'request' : `${grouped(this.count)} requests`;
    const statement = `Of the first ${requests} of ${subject} ${counts.join(' and ')}, so they match nothing, such as: ${shown(line)}`;
    return { statement, advice: causes.find(([pattern]) => pattern.test(line))?.[1] ?? advice[part] };
  }
}

/** The problem that no record of an input could be parsed. */
export function unreadable(subject: string, { count, line }: Example): Problem {
  const lines =
    count === 1
      ? `The first line of ${subject} cannot`
      : `None of the first ${count} lines of ${subject} can`;
  const advice = prefixed.test(line)
    ? 'The log line begins with a prefix: try --strip-prefix.'
    : 'Access logs in combined format, JSON lines, JSON documents and W3C logs are read.';
  return { statement: `${lines} be parsed, such as: ${shown(line)}`, advice };
}

/**
 * Whether a line is a record of the dataset format: its first field is the type, and it names what it belongs to. Logs have
 * such fields too, but then the parser finds a request in the line.
 */
export const isDatasetRecord = (line: string): boolean =>
  /^\s*\{\s*"type"\s*:\s*"[a-z_]+"\s*,/.test(line) && /"(?:brand|workspace|plan)"\s*:\s*"/.test(line);

/** A record as one short line that is safe for a terminal. */
function shown(line: string): string {
  // Replaces each sequence of bytes that is not UTF-8 by one character.
  const characters = [...printable(line).replace(/\ufffd+/g, '\ufffd')];
  return characters.length <= SHOWN ? characters.join('') : `${characters.slice(0, SHOWN).join('')}…`;
}
