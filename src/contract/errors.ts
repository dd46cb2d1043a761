/** Every error that a caller can meet: its status and its exact words. */
import { engineIds } from './engines.js';
import { RATE_LIMIT } from './limits.js';
import { type Plan, planLabel } from './plans.js';

/** What a refused request is answered with: `{"error": message, ...extra}`. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly extra?: Readonly<Record<string, unknown>>;
}

const refusal = (
  status: number,
  message: string,
  rest: Omit<Refusal, 'status' | 'message'> = {},
): Refusal => ({
  status,
  message,
  ...rest,
});

export const errors = {
  apiDisabled: () => refusal(503, 'API disabled — set API_ACCESS_KEY'),
  unauthorized: () => refusal(401, 'Unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } }),
  keyExpired: (date: string) =>
    refusal(401, `This API key expired on ${date}.`, { headers: { 'WWW-Authenticate': 'Bearer' } }),
  ingestOnly: () =>
    refusal(403, 'This API key is ingest-only: it may call POST /api/v1/crawler-events and nothing else.'),
  readOnly: () => refusal(403, 'This API key is read-only: it may not ingest crawler logs.'),
  addressNotAllowed: (address: string) => refusal(403, `This API key may not be used from ${address}.`),
  planTooLow: (subject: string, needed: Plan, actual: Plan) =>
    refusal(
      403,
      `${subject} needs the ${planLabel(needed)} plan or above; this workspace is on ${planLabel(actual)}.`,
    ),
  noBrands: () => refusal(404, 'No brands exist'),
  unknownBrand: () => refusal(404, 'Unknown brand'),
  unknownResource: (names: readonly string[]) =>
    refusal(404, `Unknown resource. Valid resources: ${names.join(', ')}`),
  notFound: () => refusal(404, 'Not found'),
  methodNotAllowed: (method: string, allowed: readonly string[]) =>
    refusal(405, `Method ${method} is not allowed here. Use ${allowed.join(' or ')}.`, {
      headers: { Allow: allowed.join(', ') },
    }),
  rateLimited: (seconds: number) =>
    refusal(
      429,
      `Rate limit exceeded: ${RATE_LIMIT.perMinute} requests per minute per API key. Retry after ${seconds}s.`,
      { headers: { 'Retry-After': String(seconds) }, extra: { retry_after_seconds: seconds } },
    ),
  repeatedParam: (name: string, times: number) =>
    refusal(400, `Parameter ${name} was given ${times} times. Give it once.`),
  invalidInteger: (name: string, value: string, minimum: number, maximum: number) =>
    refusal(400, `Invalid ${name}: ${quoted(value)}. Give an integer from ${minimum} to ${maximum}.`),
  invalidCursor: (resource: string, value: string) =>
    refusal(
      400,
      `Invalid cursor: ${quoted(value)}. Give the next_cursor of a page of ${resource} of the same brand.`,
    ),
  unknownEngine: (value: string) =>
    refusal(400, `Unknown engine: ${quoted(value)}. Known engines: ${engineIds.join(', ')}`),
  databaseUnavailable: () => refusal(503, 'Database unavailable', { headers: { 'Retry-After': '5' } }),
  internal: (requestId: string) => refusal(500, 'Internal error', { extra: { request_id: requestId } }),
} as const satisfies Record<string, (...args: never[]) => Refusal>;

/** What came, shortened so that an error never carries a page of someone's input back; nothing prints as (empty). */
function quoted(value: string): string {
  if (value === '') return '(empty)';
  return value.length > 80 ? `${value.slice(0, 80)}…` : value;
}
