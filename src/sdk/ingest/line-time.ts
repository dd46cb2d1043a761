let decoder: InstanceType<typeof TextDecoder> | undefined;

/** A line with one character per byte, so that nothing in it can be wrong. */
export function latin1(line: Uint8Array): string {
  decoder ??= new TextDecoder('latin1');
  return decoder.decode(line);
}

/** `20/Nov/2026:10:18:45 +0000`, `2026-11-20T10:18:45.123Z`, and `2026-11-20<tab>10:18:45` of W3C logs. */
const time = /(\d\d\/\w{3}\/\d{4}|\d{4}-\d\d-\d\d)[:T\s](\d\d:\d\d:\d\d)[.,\d]*(?: ?([+-]\d\d):?(\d\d))?/;
/** Seconds since the epoch as a JSON value, whatever follows: a fraction, or digits down to nanoseconds. */
const epoch = /:\s*"?(\d{10})(?:\d{3})*\D/;
/** Ids by which the server recognises a record. Others, such as `id`, may identify something inside the record. */
const id = /"(?:rayid|(?:x-edge-)?request[-_]?id|reqid|insertid|vercelid)"\s*:\s*"?\w/i;
/** pino and Fastify give ids that count from 1 with every start: the server does not go by them. */
const countedId = /"req"\s*:\s*\{/;
/** Names alone, quoted or not, between commas. */
const names = /^"?[A-Za-z]\w*"?(?:,"?[A-Za-z]\w*"?)+\s*$/;
/** A line that opens an object or array and does not close it. Log lines may begin with a bracketed time. */
const opening = /^(?:\{|\[(?!\d))(?![\s\S]*[}\]]\s*$)/;

let known = '';
let knownSecond = Number.NaN;

/**
 * The second of a log line, in seconds since the epoch. Infinity: the line carries its own id, so it matters to no
 * other line of its second; NaN: it states no time.
 */
export function secondOf(line: string): number {
  const isJson = line.startsWith('{');
  if (isJson && id.test(line) && !countedId.test(line)) return Number.POSITIVE_INFINITY;
  const [stated, date, clock, hours = '+00', minutes = '00'] = time.exec(line) ?? [];
  if (!date) return isJson ? Number(epoch.exec(line)?.[1]) : Number.NaN;
  // Parsing is slow, and neighbours mostly share their second.
  if (stated !== known) {
    known = stated!;
    knownSecond = Date.parse(`${date.replaceAll('-', '/')} ${clock} GMT${hours}${minutes}`) / 1000;
  }
  return knownSecond;
}

/** Whether the line begins a JSON document that goes on below it. */
export const opensDocument = (line: string): boolean => opening.test(line);

/** Whether the line is the row of names above the CSV of a Logpush, without which its rows cannot be read. */
export const namesColumns = (line: string): boolean =>
  line.includes('ClientRequest') && names.test(line.replace(/^\xef\xbb\xbf/, ''));
