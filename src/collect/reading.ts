/** Reads a response: its texts are made storable, and what cannot be an answer is malformed. */
import { ZodError } from 'zod';
import { type Answer, NO_USAGE, type Reply } from './protocols/protocol.js';

// The database accepts no NUL characters and no lone surrogates.

const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** The value with clean texts. */
function cleaned<T>(value: T): T {
  if (typeof value === 'string') return clean(value) as T;
  if (Array.isArray(value)) return value.map(cleaned) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cleaned(each)])) as T;
}

/** No answer of a person's question is longer. */
const MAX_TEXT = 250_000;
const MAX_PAGES = 1000;
const MAX_SEARCHES = 1000;
const MAX_PRODUCTS = 1000;
/** The most characters of a name, an address or a search. */
const MAX_FIELD = 10_000;

/** Why an answer is too large to be one; null: it is not. */
function excessOf({ text, model, citations, fanouts, carousels = [], ad }: Answer): string | null {
  const over = (count: number, most: number, what: string) =>
    count > most ? [`it has more than ${most} ${what}`] : [];
  const products = carousels.flatMap(({ placements }) => placements);
  const fields = [
    ...[model ?? '', ...citations.flatMap(({ url, title = '' }) => [url, title]), ...fanouts],
    ...textsIn([...products, ...(ad ? [ad, ...(ad.cards ?? [])] : [])]),
  ];
  const longest = fields.reduce((length, field) => Math.max(length, field.length), 0);
  const [reason = null] = [
    ...over(text.length, MAX_TEXT, 'characters'),
    ...over(citations.length, MAX_PAGES, 'citations'),
    ...over(fanouts.length, MAX_SEARCHES, 'searches'),
    ...over(products.length + (ad?.cards?.length ?? 0), MAX_PRODUCTS, 'products and cards'),
    ...over(longest, MAX_FIELD, 'characters in one field'),
  ];
  return reason;
}

const textsIn = (records: readonly object[]): string[] =>
  records.flatMap((record) => Object.values(record).filter((value) => typeof value === 'string'));

/** The reply that `parse` makes of a response. */
export function readReply(parse: () => Reply): Reply {
  const reply = readOr(parse, (detail): Reply => ({ kind: 'malformed', detail, usage: NO_USAGE }));
  if (!('answer' in reply)) return reply;
  const answer = cleaned(reply.answer);
  const excess = excessOf(answer);
  return excess === null ? { ...reply, answer } : { kind: 'malformed', detail: excess, usage: reply.usage };
}

/** What `parse` returns, or what a response that cannot be read means. */
export function readOr<T>(parse: () => T, unread: (detail: string) => T): T {
  try {
    return parse();
  } catch (error) {
    // Values inside of each other, deeper than any answer.
    if (error instanceof RangeError) return unread('the response has too many levels');
    if (error instanceof SyntaxError) return unread('the response is not JSON');
    if (error instanceof ZodError) return unread(`the response has another shape at ${placeOf(error)}`);
    throw error;
  }
}

/** The first wrong field. Its name is one of the protocol's own. */
const placeOf = ({ issues }: ZodError): string => issues[0]?.path.map(String).join('.') || 'its top';
