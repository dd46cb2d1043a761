/** Makes the entry of a line of the access-log family. Only the few lines that contain an agent need one. */
import { fieldKey } from '../clients/address.js';
import { type Entry, emptyIfDash, parseRequestLine, statusOf, unescapeField } from '../entry.js';
import type { AccessLine } from './access-line.js';

/** Reads a part of the line. `start` and `end` are indexes into the scanned bytes. */
type Part = (start: number, end: number) => string;

/**
 * Decodes the whole line at once if nothing is escaped and each byte is one character, else each part: always by part, a log
 * takes 14 % more instructions.
 */
function partsOf(line: AccessLine, bytes: Buffer): Part {
  if (line.escaped) return (start, end) => unescapeField(bytes, start, end);
  const text = bytes.toString('utf8', line.start, line.newline);
  // Decoding never makes a text longer, so an equal length means that all indexes are unchanged.
  if (text.length !== line.newline - line.start) return (start, end) => bytes.toString('utf8', start, end);
  return (start, end) => text.slice(start - line.start, end - line.start);
}

/** The entry that `line` found in `bytes`. */
export function accessEntry(line: AccessLine, bytes: Buffer): Entry {
  const part = partsOf(line, bytes);
  const { method, target } = parseRequestLine(part(line.requestStart, line.requestEnd));
  const isEnvoy = line.timeStart - 1 === line.start;
  const origin = isEnvoy ? envoyOrigin(line, bytes) : prefixOrigin(part(line.start, line.timeStart - 1));
  const referer = emptyIfDash(part(line.refererStart, line.refererEnd));
  const chain = isEnvoy ? referer : chainBehind(line, bytes);
  return {
    time: line.time,
    timeText: part(line.timeStart, line.timeEnd),
    ip: isEnvoy ? referer : origin.ip,
    method,
    target,
    status: statusOf(part(line.statusStart, line.statusEnd)),
    bytes: emptyIfDash(part(line.bytesStart, line.bytesEnd)),
    userAgent: part(line.agentStart, line.agentEnd),
    referer: isEnvoy ? '' : referer,
    host: origin.host,
    id: origin.id,
    // Envoy states no address besides the chain.
    via: chain === '' ? undefined : { peer: origin.ip, chain, cloudflare: '' },
  };
}

/** The chain of forwarding addresses behind the user agent; empty: there is none. */
function chainBehind({ agentEnd, newline }: AccessLine, bytes: Buffer): string {
  if (agentEnd + 2 >= newline) return '';
  const tail = bytes.toString('latin1', agentEnd + 1, newline);
  for (let at = tail.indexOf('"'); at !== -1; at = tail.indexOf('"', tail.indexOf('"', at + 1) + 1)) {
    const close = tail.indexOf('"', at + 1);
    if (close === -1) return '';
    const field = tail.slice(at + 1, close);
    if (isChain(field)) return field;
  }
  return '';
}

const isChain = (field: string): boolean =>
  /[.:]/.test(field) && field.split(',').every((address) => fieldKey(address) !== null);

interface Origin {
  readonly host: string;
  readonly ip: string;
  readonly id: string;
}

/** `ip ident user` or `host ip ident user`. If a proxy swaps the first two, both are still part of the identity. */
function prefixOrigin(prefix: string): Origin {
  const first = prefix.indexOf(' ');
  const second = prefix.indexOf(' ', first + 1);
  const fourth = prefix.indexOf(' ', prefix.indexOf(' ', second + 1) + 1);
  const ip = prefix.slice(0, first);
  const next = fourth > second && second > first ? emptyIfDash(prefix.slice(first + 1, second)) : '';
  return next === '' ? { host: '', ip, id: '' } : { host: ip, ip: next, id: '' };
}

/** Also matches if the closing quote is missing, so that a truncated line is read in one pass. */
const quoted = /"((?:\\[\s\S]|[^"\\]|\\$)*)(?:"|$)/g;

/** Envoy writes request id and authority after the user agent, and the addresses in place of the referer. */
function envoyOrigin(line: AccessLine, bytes: Buffer): Origin {
  const tail = bytes.toString('utf8', Math.min(line.agentEnd + 1, line.newline), line.newline).trimEnd();
  const [id = '', host = ''] = Array.from(tail.matchAll(quoted), (field) => emptyIfDash(field[1] ?? ''));
  return { host, ip: '', id };
}
