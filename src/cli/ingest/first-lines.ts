import { printable } from '../printable.js';

const SHOWN = 160;

/** Why the log cannot bring hits, by what its first line looks like. */
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

/** What may stand before a log line that would otherwise be read. */
const prefixed =
  /^(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ \S+: |[\w.-]+ +\| |\d{4}-\d\d-\d\dT\S+ \S+ \S+: )/;

/**
 * A warning about a log that can bring no hits, null for any other.
 * @param first The first line that is a record.
 */
export function firstLinesWarning(first: string, allUnparsed: boolean, hasUserAgent: boolean): string | null {
  const shown = printable(first).slice(0, SHOWN);
  if (allUnparsed) {
    const cause = prefixed.test(first)
      ? ' Something stands before the log line: try --strip-prefix.'
      : ' See `svc ingest --help` for what is read: access logs in combined format, JSON lines, W3C logs.';
    return `None of the first lines could be parsed, such as: ${shown}\n${cause.trim()}`;
  }
  if (hasUserAgent) return null;
  const cause = causes.find(([pattern]) => pattern.test(first))?.[1] ?? 'Log the User-Agent header.';
  return `The first lines state no user agent, so nothing can match, such as: ${shown}\n${cause}`;
}
