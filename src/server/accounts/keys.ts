/** Creates API keys. The database stores their hash; the secret is shown once. */
import { createHash, randomInt, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Knex } from 'knex';
import { KEY_PREFIX, type StoredKeyKind } from '../../contract/keys.js';
import { DAY_MS, isDay } from '../days.js';
import { insertKey } from '../queries/api-keys.js';
import { workspaceBrandIds } from '../queries/workspaces.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 43;
const DISPLAYED_CHARACTERS = 12;

/** `svc_` and 43 base62 characters: 256 bits from the system's random source. */
export const newSecret = (): string =>
  KEY_PREFIX + Array.from({ length: RANDOM_CHARACTERS }, () => BASE62[randomInt(BASE62.length)]).join('');

/** SHA-256 of a secret, as the database stores it. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export interface NewKey {
  readonly workspace: string;
  readonly kind: StoredKeyKind;
  readonly name?: string | undefined;
  /** The brands that the key is limited to; absent or empty: all of the workspace. */
  readonly brands?: readonly string[] | undefined;
  /** A date (works through the end of that UTC day) or an RFC 3339 time. */
  readonly expires?: string | undefined;
  /** Addresses or CIDR ranges. */
  readonly allow?: readonly string[] | undefined;
}

/** An option of a new key is invalid. */
export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError';
}

/**
 * Creates a key and returns its id and its secret, which is not stored.
 * @throws InvalidKeyError for an unknown workspace or brand, a bad expiry or a bad address.
 */
export async function createKey(db: Knex, wanted: NewKey, now: Date): Promise<{ id: string; key: string }> {
  const brandIds = await workspaceBrandIds(db, { workspaceId: wanted.workspace });
  const [known] = brandIds;
  if (!known) throw new InvalidKeyError(`Unknown workspace: ${wanted.workspace}`);
  for (const brand of wanted.brands ?? []) {
    if (!known.brandIds.includes(brand)) {
      throw new InvalidKeyError(`Unknown brand in workspace ${wanted.workspace}: ${brand}`);
    }
  }
  const key = newSecret();
  const id = randomUUID();
  await insertKey(db, {
    id,
    workspaceId: wanted.workspace,
    kind: wanted.kind,
    name: wanted.name ?? null,
    secretHash: hashSecret(key),
    display: key.slice(0, DISPLAYED_CHARACTERS),
    brandIds: wanted.brands?.length ? wanted.brands : null,
    expiresAt: wanted.expires === undefined ? null : expiry(wanted.expires),
    allow: wanted.allow?.length ? wanted.allow.map(checkedRange) : null,
    createdAt: now,
  });
  return { id, key };
}

/** The instant from which the key is refused: for a bare date the end of that UTC day. */
export function expiry(text: string): Date {
  const bareDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const time = Date.parse(bareDate ? `${text}T00:00:00Z` : text);
  const exists = !Number.isNaN(time) && isDay(text.slice(0, 10));
  if (!exists || !/^\d{4}-\d\d-\d\d(?:[Tt].*(?:[Zz]|[+-]\d\d:\d\d))?$/.test(text)) {
    throw new InvalidKeyError(
      `Invalid expiry: ${text}. Give a date YYYY-MM-DD or an RFC 3339 time with offset.`,
    );
  }
  return new Date(bareDate ? time + DAY_MS : time);
}

/**
 * Checks what can be checked without a database.
 * @throws InvalidKeyError for an invalid expiry, one in the past, or an invalid address.
 */
export function requireUsableKey({ expires, allow = [] }: NewKey, now: Date): void {
  if (expires !== undefined) requireFutureExpiry(expires, now);
  for (const range of allow) checkedRange(range);
}

function requireFutureExpiry(text: string, now: Date): void {
  if (expiry(text) > now) return;
  throw new InvalidKeyError(
    `Invalid expiry: ${text} is in the past. It is ${now.toISOString().slice(0, 16)}Z now, and the key would never work.`,
  );
}

function checkedRange(range: string): string {
  const [address = '', bits, more] = range.split('/');
  const longest = isIP(address) === 4 ? 32 : 128;
  const valid = isIP(address) !== 0 && more === undefined && (bits === undefined || isPrefix(bits, longest));
  if (!valid) throw new InvalidKeyError(`Invalid address or CIDR range: ${range}`);
  return range;
}

const isPrefix = (bits: string, longest: number): boolean =>
  /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
