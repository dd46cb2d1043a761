/** Creates API keys. The database stores their hash; the secret is shown once. */

import { createHash, randomInt, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Knex } from 'knex';
import { ExpectedError } from '../../contract/failure.js';
import { KEY_PREFIX, type Plan, type StoredKeyKind } from '../../contract/keys.js';
import { DAY_MS, isDay } from '../base/days.js';
import { statement } from '../base/statement.js';

export interface KeyRow {
  id: string;
  workspaceId: string;
  kind: StoredKeyKind;
  name: string | null;
  /** The first characters of the key, shown to identify it. */
  display: string;
  brandIds: string[] | null;
  expiresAt: Date | null;
  allow: string[] | null;
  createdAt: Date;
  revokedAt: Date | null;
}

const columns = `k.id, k.workspace_id as "workspaceId", k.kind, k.name, k.display, k.brand_ids as "brandIds",
  k.expires_at as "expiresAt", k.allow, k.created_at as "createdAt", k.revoked_at as "revokedAt"`;

/** The keys with these secrets and the plans of their workspaces; no row: unknown or revoked. Hashes are in hex. */
export const keysBySecret = statement<
  KeyRow & { plan: Plan; workspaceName: string; secretHash: string },
  { hashes: readonly string[] }
>(
  'keys_by_secret',
  `select encode(k.secret_hash, 'hex') as "secretHash", ${columns}, w.plan, w.name as "workspaceName"
   from api_keys k join workspaces w on w.id = k.workspace_id
   where k.secret_hash in (select decode(h.hash, 'hex') from unnest(cast(:hashes as text[])) as h(hash))
     and k.revoked_at is null`,
);

export const listKeys = statement<KeyRow, Record<string, never>>(
  'list_keys',
  `select ${columns} from api_keys k order by k.created_at, k.id`,
);

export const insertKey = statement<
  never,
  {
    id: string;
    workspaceId: string;
    kind: StoredKeyKind;
    name: string | null;
    secretHash: Buffer;
    display: string;
    brandIds: readonly string[] | null;
    expiresAt: Date | null;
    allow: readonly string[] | null;
    createdAt: Date;
  }
>(
  'insert_key',
  `insert into api_keys (id, workspace_id, kind, name, secret_hash, display, brand_ids, expires_at, allow, created_at)
   values (:id, :workspaceId, :kind, :name, :secretHash, :display, :brandIds, :expiresAt, :allow, :createdAt)`,
);

/** Revokes a key; no row: no unrevoked key has this id. */
export const revokeKey = statement<{ id: string }, { id: string; now: Date }>(
  'revoke_key',
  'update api_keys set revoked_at = :now where id = :id and revoked_at is null returning id',
);

/** The workspace's brand ids; no row: the workspace does not exist. */
export const workspaceBrandIds = statement<{ brandIds: string[] }, { workspaceId: string }>(
  'workspace_brand_ids',
  `select array(select b.id from brands b where b.workspace_id = w.id order by b.id) as "brandIds"
   from workspaces w where w.id = :workspaceId`,
);

export const listWorkspaces = statement<
  { id: string; name: string; plan: string; brands: number },
  Record<string, never>
>(
  'list_workspaces',
  `select w.id, w.name, w.plan, (select count(*) from brands b where b.workspace_id = w.id) as brands
   from workspaces w order by w.id`,
);

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
  /** The brands that the key is limited to; if omitted or empty, all of the workspace. */
  readonly brands?: readonly string[] | undefined;
  /** A date (works through the end of that UTC day) or an RFC 3339 time. */
  readonly expires?: string | undefined;
  readonly allow?: readonly string[] | undefined;
}

export class InvalidKeyError extends ExpectedError {
  constructor(message: string) {
    super('usage', message);
  }
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

/** The first of the remembered keys that is still a full one of the workspace, else a new one. */
export async function keyOfThisMachine(
  db: Knex,
  remembered: readonly string[],
  { workspace, name }: Pick<NewKey, 'workspace' | 'name'>,
  now: Date,
): Promise<string> {
  for (const key of remembered) {
    const [row] = await keysBySecret(db, { hashes: [hashSecret(key).toString('hex')] });
    if (row && row.workspaceId === workspace && row.kind === 'full') return key;
  }
  const { key } = await createKey(db, { workspace, kind: 'full', name }, now);
  return key;
}

/** The workspace of a brand; no row: the brand does not exist. */
export const workspaceOfBrand = statement<{ workspace: string }, { brandId: string }>(
  'workspace_of_brand',
  'select workspace_id as workspace from brands where id = :brandId',
);

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
 * @throws InvalidKeyError for an invalid expiry, one in the past, an invalid address, or a feed of several brands.
 */
export function requireUsableKey(
  { kind, brands = [], expires, allow = [] }: Omit<NewKey, 'workspace'>,
  now: Date,
): void {
  if (kind === 'feed' && brands.length !== 1)
    throw new InvalidKeyError(`A feed is about one brand: give --brand once, not ${brands.length} times.`);
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
