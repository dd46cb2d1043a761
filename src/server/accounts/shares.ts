/** Links that show a brand to people without a key: read-only, for a limited time, only what the link is limited to. */

import { randomBytes, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { errors } from '../../contract/errors.js';
import { keyKinds } from '../../contract/keys.js';
import { SHARE_LIMITS } from '../../contract/limits.js';
import type { Share } from '../../contract/paths.js';
import type { Stopwatch } from '../base/clock.js';
import { DAY_MS } from '../base/days.js';
import { refuse } from '../base/errors.js';
import { statement } from '../base/statement.js';
import { type Access, isAllowed } from './access.js';
import { batchedRefresh, byTokenHash, REMEMBER_MS } from './directory.js';
import { expiry, hashSecret, InvalidKeyError } from './keys.js';
import { isOfPerson } from './people.js';

export interface ShareRow {
  id: string;
  brandId: string;
  slice: Share['slice'];
  /** The id of the key that made it. */
  keyId: string;
  createdAt: Date;
  expiresAt: Date;
}

const columns = `s.id, s.brand_id as "brandId", s.slice, s.key_id as "keyId", s.created_at as "createdAt",
  s.expires_at as "expiresAt"`;

/** Returns no row if the key has `most` working links already. */
const insertShare = statement<
  { id: string },
  Omit<ShareRow, 'slice'> & { tokenHash: Buffer; secretHash: Buffer; slice: string; now: Date; most: number }
>(
  'insert_share',
  `insert into shares (id, token_hash, secret_hash, key_id, brand_id, slice, created_at, expires_at)
   select :id, cast(:tokenHash as bytea), cast(:secretHash as bytea), :keyId, :brandId, cast(:slice as jsonb),
     cast(:createdAt as timestamptz), cast(:expiresAt as timestamptz)
   where (
     select count(*) from shares
     where secret_hash = :secretHash and revoked_at is null and expires_at > :now
   ) < cast(:most as integer)
   returning id`,
);

const deleteExpiredShares = statement<never, { now: Date }>(
  'delete_expired_shares',
  'delete from shares where expires_at <= :now',
);

interface StoredShare extends ShareRow {
  /** The hash of the token, in hex. */
  tokenHash: string;
  /** The hash of the key that made the link, in hex. */
  secretHash: string;
}

/** The links with these tokens that were not revoked. Hashes are in hex. */
const sharesByToken = statement<StoredShare, { hashes: readonly string[] }>(
  'shares_by_token',
  `select ${columns}, encode(s.token_hash, 'hex') as "tokenHash", encode(s.secret_hash, 'hex') as "secretHash"
   from shares s
   where s.token_hash in (select decode(h.hash, 'hex') from unnest(cast(:hashes as text[])) as h(hash))
     and s.revoked_at is null`,
);

/** Whose links: those of a key, and for the operator those of all keys too. */
interface Owner extends Record<string, unknown> {
  readonly secretHash: Buffer;
  readonly isOperator: boolean;
}

const isOwned = `(s.secret_hash = :secretHash or (cast(:isOperator as boolean) and exists (
    select 1 from api_keys k where k.secret_hash = s.secret_hash and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > :now)))
  or (cast(:isOperator as boolean) and ${isOfPerson('s.secret_hash')}))`;

/** The links that work, the newest first. */
const workingShares = statement<ShareRow, Owner & { now: Date }>(
  'working_shares',
  `select ${columns} from shares s where ${isOwned} and s.revoked_at is null and s.expires_at > :now
   order by s.created_at desc, s.id`,
);

/** Revokes a link that works; no row: the owner has none of this id. */
const revokeById = statement<{ tokenHash: string }, Owner & { id: string; now: Date }>(
  'revoke_share',
  `update shares s set revoked_at = :now
   where s.id = :id and ${isOwned} and s.revoked_at is null and s.expires_at > :now
   returning encode(s.token_hash, 'hex') as "tokenHash"`,
);

// Tokens.

const TOKEN_BYTES = 32;
const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

// From when on a link does not work.

const DAYS = /^([1-9]\d{0,3})d$/;
const { days: USUAL_DAYS, maxDays: MAX_DAYS, perKey: MAX_SHARES } = SHARE_LIMITS;
const WANTED = `days as 30d, a last day as YYYY-MM-DD or an RFC 3339 time with offset, later than now and at most ${MAX_DAYS} days from now`;

/**
 * The instant from which a link does not work.
 * @param text Days as `30d`, a date (works through the end of that UTC day) or an RFC 3339 time; if omitted, the usual days.
 * @throws 400 for any other text, a time that has passed, and one that is too late.
 */
export function shareExpiry(text: string | undefined, now: Date): Date {
  const given = text ?? `${USUAL_DAYS}d`;
  const [, days] = DAYS.exec(given) ?? [];
  const end = days === undefined ? timeOf(given) : new Date(now.getTime() + Number(days) * DAY_MS);
  const latest = now.getTime() + MAX_DAYS * DAY_MS;
  if (end !== null && end > now && end.getTime() <= latest) return end;
  throw refuse(errors.invalidArgument('expires', given, WANTED));
}

function timeOf(text: string): Date | null {
  try {
    return expiry(text);
  } catch (error) {
    if (error instanceof InvalidKeyError) return null;
    throw error;
  }
}

// Making, listing and revoking links, and finding the one of a token.

interface WantedShare {
  readonly brandId: string;
  readonly slice: Share['slice'];
  /** As `shareExpiry` takes it. */
  readonly expires: string | undefined;
}

/** Who makes, lists and revokes links. */
export interface ShareOwner {
  readonly access: Access;
  /** SHA-256 of the key. */
  readonly secretHash: Buffer;
}

/** A link with the key that made it. */
interface FoundShare extends ShareRow {
  readonly secretHash: Buffer;
}

export interface Shares {
  /**
   * Makes a link, which does not outlive its key, and deletes those that have expired.
   * @throws 400 for an expiry, 409 if the key has too many links.
   */
  make(owner: ShareOwner, wanted: WantedShare, now: Date): Promise<ShareRow & { readonly token: string }>;
  list(owner: ShareOwner, now: Date): Promise<ShareRow[]>;
  /**
   * Revokes a link: on this server at once, on all others within a second.
   * @throws 404 if the owner has no link of this id that works.
   */
  revoke(owner: ShareOwner, id: string, now: Date): Promise<void>;
  /**
   * The link of a token, expired or not; null: wrong, malformed or revoked.
   * @param onLookUp Called before a token is looked up that is not in use, and for one that is none.
   */
  find(token: string, onLookUp: () => void): Promise<FoundShare | null>;
}

const ownerOf = ({ access, secretHash }: ShareOwner): Owner => ({
  secretHash,
  isOperator: access.kind === 'operator',
});

/** Keeps links for a second, and looks up those in use by one statement. */
export function createShares(db: Knex, elapsed: Stopwatch): Shares {
  const lookUp = async (hashes: readonly string[]) => byTokenHash(await sharesByToken(db, { hashes }));
  const known = batchedRefresh<FoundShare>(lookUp, REMEMBER_MS, elapsed);
  return {
    async make({ access, secretHash }, { brandId, slice, expires }, now) {
      const end = shareExpiry(expires, now);
      const expiresAt = access.expiresAt !== null && access.expiresAt < end ? access.expiresAt : end;
      const row = { id: randomUUID(), brandId, keyId: access.keyId, createdAt: now, expiresAt };
      const token = newToken();
      await deleteExpiredShares(db, { now });
      const [made] = await insertShare(db, {
        ...row,
        tokenHash: hashSecret(token),
        secretHash,
        slice: JSON.stringify(slice),
        now,
        most: MAX_SHARES,
      });
      if (!made) throw refuse(errors.tooManyShares(MAX_SHARES));
      return { ...row, slice, token };
    },
    list: (owner, now) => workingShares(db, { ...ownerOf(owner), now }),
    async revoke(owner, id, now) {
      const [revoked] = id.includes('\u0000') ? [] : await revokeById(db, { ...ownerOf(owner), id, now });
      if (!revoked) throw refuse(errors.unknownShare(id));
      known.forget(revoked.tokenHash);
    },
    async find(token, onLookUp) {
      if (isToken(token)) return known.get(hashSecret(token).toString('hex'), onLookUp);
      onLookUp();
      return null;
    },
  };
}

/**
 * What a link allows: what its key allows now, of one brand, by a key id of its own; null: the link has expired, or its key
 * may not be used.
 * @param key The access of the key that made it; null: it was revoked.
 * @param address Of the client: the link of a key with an allowlist works only from there.
 */
export function accessOf(share: ShareRow, key: Access | null, address: string, now: Date): Access | null {
  if (key === null || share.expiresAt <= now) return null;
  const { expiresAt, allow, kind, brandIds } = key;
  const isUsable = (expiresAt === null || expiresAt > now) && isAllowed(address, allow);
  const isVisible = brandIds === null || brandIds.includes(share.brandId);
  if (!isUsable || !isVisible || !keyKinds[kind].reads) return null;
  // All links of a key have the turns of one key, apart from those of the key itself, and each is a part of it.
  const keyId = `shares:${key.keyId}/${share.id}`;
  return { ...key, keyId, kind: 'read', brandIds: [share.brandId], shareId: share.id };
}
