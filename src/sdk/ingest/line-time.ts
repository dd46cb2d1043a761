let decoder: InstanceType<typeof TextDecoder> | undefined;

/** Decodes a line with one character per byte, so that no byte is invalid. */
export function latin1(line: Uint8Array): string {
  decoder ??= new TextDecoder('latin1');
  return decoder.decode(line);
}

/** `20/Nov/2026:10:18:45 +0000`, `2026-11-20T10:18:45.123Z`, and `2026-11-20<tab>10:18:45` of W3C logs. */
const time = /(\d\d\/\w{3}\/\d{4}|\d{4}-\d\d-\d\d)[:T\s](\d\d:\d\d:\d\d)[.,\d]*(?: ?([+-]\d\d):?(\d\d))?/;
/** Seconds since the epoch as a JSON value, with an optional fraction or digits down to nanoseconds. */
const epoch = /:\s*"?(\d{10})(?:\d{3})*\D/;
/** Ids by which the server recognises a record. Others, for example `id`, may identify something inside the record. */
const id = /"(?:rayid|(?:x-edge-)?request[-_]?id|reqid|insertid|vercelid)"\s*:\s*"?\w/i;
/** pino and Fastify count ids from 1 after every start, so the server does not identify records by them. */
const countedId = /"req"\s*:\s*\{/;
/** A line of names separated by commas, quoted or not. */
const names = /^"?[A-Za-z]\w*"?(?:,"?[A-Za-z]\w*"?)+\s*$/;
/** A line that opens an object or array and does not close it. Log lines may begin with a bracketed time. */
const opening = /^(?:\{|\[(?!\d))(?![\s\S]*[}\]]\s*$)/;

let known = '';
let knownSecond = Number.NaN;

/**
 * The time of a log line in whole seconds since the epoch. Infinity: the line has an id, so the other lines of its
 * second do not matter. NaN: the line has no time.
 */
export function secondOf(line: string): number {
  const isJson = line.startsWith('{');
  if (isJson && id.test(line) && !countedId.test(line)) return Number.POSITIVE_INFINITY;
  const [stated, date, clock, hours = '+00', minutes = '00'] = time.exec(line) ?? [];
  if (!date) return isJson ? Number(epoch.exec(line)?.[1]) : Number.NaN;
  // Parsing is slow, and most neighbouring lines have the same second.
  if (stated !== known) {
    known = stated!;
    knownSecond = Date.parse(`${date.replaceAll('-', '/')} ${clock} GMT${hours}${minutes}`) / 1000;
  }
  return knownSecond;
}

/** Whether the line begins a JSON document that continues on the next line. */
export const opensDocument = (line: string): boolean => opening.test(line);

/** Whether the line is the row of column names above the CSV of a Logpush. The other rows cannot be read without it. */
export const namesColumns = (line: string): boolean =>
  line.includes('ClientRequest') && names.test(line.replace(/^\xef\xbb\xbf/, ''));
