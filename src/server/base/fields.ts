/** Field schemas that several record types share. Their messages say what was expected. */
import { z } from 'zod';
import { engineIds } from '../../contract/engines.js';
import { isDay } from './days.js';
import { isStorable } from './statement.js';

const NOT_STORABLE = 'expected text without NUL characters and without lone surrogates';

export const text = z.string().refine(isStorable, NOT_STORABLE);
export const name = text.refine((value) => value.trim() !== '', 'expected text that is not blank');
export const id = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'expected 1 to 64 characters out of A-Z a-z 0-9 _ . : -');
export const engine = z.enum(engineIds as readonly [string, ...string[]], {
  error: `expected one of ${engineIds.join(', ')}`,
});

const INT32_MAX = 2_147_483_647;
export const positive = z.int().min(1).max(INT32_MAX);
export const countField = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
/** A count that is stored in 32 bits. */
export const smallCount = z.int().min(0).max(INT32_MAX);
export const amount = z.number();
export const volume = z.number().min(0);
const shareOf = (maximum: number) => z.number().min(0).max(maximum);
export const fraction = shareOf(1);
export const score = shareOf(100);

/** The longest name in DNS with a port. */
const MAX_DOMAIN = 253 + ':65535'.length;

const hasPossiblePort = (value: string): boolean => {
  const port = /:(\d{1,5})$/.exec(value)?.[1];
  return port === undefined || value.endsWith(']') || (Number(port) >= 1 && Number(port) <= 65_535);
};
/** A host or host:port, stored as written for display. */
export const domain = text
  .regex(
    /^(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/u,
    'expected a host or host:port',
  )
  .max(MAX_DOMAIN, `expected a host or host:port of at most ${MAX_DOMAIN} characters`)
  .refine(hasPossiblePort, 'expected a port from 1 to 65535');

/** The address of a page, as answers cite it. */
export const webPage = text.refine(
  (value) => /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value),
  'expected the address of a page, such as https://example.com/guide',
);

export const day = z
  .string()
  .regex(/^(?:19[7-9]|2\d\d)\d-\d\d-\d\d$/, { error: 'expected a date YYYY-MM-DD', abort: true })
  .refine(isDay, { error: 'expected a date that exists', abort: true });
export const monday = day.refine(
  (value) => new Date(`${value}T00:00:00Z`).getUTCDay() === 1,
  'expected the Monday of the week',
);

const RFC3339 =
  /^((?:19[7-9]|2\d\d)\d-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
/** Times are kept to the millisecond. */
export const time = z
  .string()
  .regex(RFC3339, {
    error: 'expected an RFC 3339 time with offset, such as 2026-11-20T08:30:00Z',
    abort: true,
  })
  .refine((value) => isDay(value.slice(0, 10)), {
    error: 'expected a time on a date that exists',
    abort: true,
  })
  .refine((value) => RFC3339.test(isoTime(value)), 'expected a time of the years 1970 to 2999 in UTC');

/** A field that is absent or null is not stated. */
export const optional = <S extends z.ZodType>(schema: S) => schema.nullish();

/** Whole seconds in UTC, as most times are. */
const UTC_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** Converts an accepted time to the form that the database and the export use. */
export const isoTime = (value: string): string =>
  UTC_SECONDS.test(value) ? `${value.slice(0, 19)}.000Z` : new Date(value.toUpperCase()).toISOString();
