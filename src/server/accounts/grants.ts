/** Grants: what an assistant that somebody connected by OAuth may do with a key. A grant is never more than its key. */
import type { Knex } from 'knex';
import { keyKinds } from '../../contract/keys.js';
import { grantScopes } from '../../contract/oauth.js';
import type { Clock, Stopwatch } from '../base/clock.js';
import { DAY_MS } from '../base/days.js';
import { statement } from '../base/statement.js';
import type { Access } from './access.js';
import { batchedRefresh, byTokenHash, REMEMBER_MS } from './directory.js';
import { hashSecret } from './keys.js';
import { isOfPerson } from './people.js';

export interface NewGrant extends Record<string, unknown> {
  readonly id: string;
  /** SHA-256 of the key. */
  readonly secretHash: Buffer;
  readonly keyId: string;
  readonly clientId: string;
  readonly clientName: string;
  /** Null: every brand that the key can see. */
  readonly brandIds: readonly string[] | null;
  readonly createdAt: Date;
}

export const insertGrant = statement<never, NewGrant>(
  'insert_oauth_grant',
  `insert into oauth_grants (id, secret_hash, key_id, client_id, client_name, brand_ids, created_at)
   values (:id, :secretHash, :keyId, :clientId, :clientName, :brandIds, :createdAt)`,
);

/** The hash of the key of a grant; no row: it was ended. */
export const keyOfGrant = statement<{ secretHash: Buffer }, { id: string }>(
  'key_of_oauth_grant',
  'select secret_hash as "secretHash" from oauth_grants where id = :id',
);

// Access tokens.

interface FoundToken {
  readonly grantId: string;
  /** When the grant was used, to a minute. */
  readonly usedAt: Date | null;
  /** SHA-256 of the key of its grant. */
  readonly secretHash: Buffer;
  readonly brandIds: readonly string[] | null;
  readonly scope: string | null;
  readonly audience: string | null;
  readonly expiresAt: Date;
}

/** The access tokens with these hashes, in hex, whose grants were not ended. */
const tokensByHash = statement<
  Omit<FoundToken, 'secretHash'> & { tokenHash: string; secretHash: string },
  { hashes: readonly string[] }
>(
  'oauth_tokens_by_hash',
  `select encode(t.id_hash, 'hex') as "tokenHash", encode(g.secret_hash, 'hex') as "secretHash",
     g.id as "grantId", g.used_at as "usedAt", g.brand_ids as "brandIds", t.payload ->> 'scope' as scope, t.payload ->> 'aud' as audience,
     t.expires_at as "expiresAt"
   from oauth_records t join oauth_grants g on g.id = t.grant_id
   where t.model = 'AccessToken'
     and t.id_hash in (select decode(h.hash, 'hex') from unnest(cast(:hashes as text[])) as h(hash))`,
);

const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

export interface Tokens {
  /** The access token, expired or not; null: it is unknown, or its grant was ended, by any server within a second. */
  find(token: string): Promise<FoundToken | null>;
}

const noteUse = statement<never, { ids: readonly string[]; now: Date; before: Date }>(
  'note_use_of_oauth_grants',
  `update oauth_grants set used_at = :now
   where id in (select i.id from unnest(cast(:ids as text[])) as i(id)) and (used_at is null or used_at < :before)`,
);

/** How exactly the last use of a grant is known: a change of a row for each call would cost more than the call. */
const USE_MS = 60_000;

/** Keeps tokens for a second, and looks up those in use by one statement. */
export function createTokens(db: Knex, elapsed: Stopwatch, clock: Clock): Tokens {
  const lookUp = async (hashes: readonly string[]) => {
    const rows = await tokensByHash(db, { hashes });
    const now = clock();
    const before = new Date(now.getTime() - USE_MS);
    const ids = rows
      .filter(({ expiresAt, usedAt }) => expiresAt > now && (usedAt === null || usedAt < before))
      .map(({ grantId }) => grantId);
    // A database that takes no changes still answers calls.
    if (ids.length > 0) await noteUse(db, { ids, now, before }).catch(() => undefined);
    return byTokenHash(rows);
  };
  const known = batchedRefresh<FoundToken>(lookUp, REMEMBER_MS, elapsed);
  return {
    find: async (token) => (isToken(token) ? known.get(hashSecret(token).toString('hex')) : null),
  };
}

/**
 * What an access token allows: what its key allows now, of the granted brands, with the granted scopes; null: it has expired,
 * is for another audience, or its key was revoked. The expiry and the addresses of the key are left to the gates.
 */
export function accessOfToken(
  { brandIds, scope, audience, expiresAt }: FoundToken,
  key: Access | null,
  wanted: string,
  now: Date,
): Access | null {
  const scopes = scope?.split(' ') ?? [];
  const isUsable =
    key !== null && expiresAt > now && audience === wanted && scopes.includes(grantScopes.read);
  if (!isUsable || !keyKinds[key.kind].reads) return null;
  const visible = key.brandIds;
  const granted = brandIds?.filter((id) => visible === null || visible.includes(id)) ?? visible;
  const mayCheck = keyKinds[key.kind].factCheck;
  const isFull = mayCheck && scopes.includes(grantScopes.factCheck);
  return {
    ...key,
    kind: isFull ? 'full' : 'read',
    brandIds: granted,
    factCheckNotGranted: mayCheck && !isFull,
  };
}

// Listing and ending grants.

export interface GrantRow {
  readonly id: string;
  readonly keyId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly brandIds: readonly string[] | null;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  /** What the person is called who connected it; null: it was a key. */
  readonly personName: string | null;
  /** When it was last used, to a minute; null: not yet. */
  readonly usedAt: Date | null;
  /** When its newest access token was issued. */
  readonly renewedAt: Date;
  /** When it ends unless it is used before, at the latest with its key. */
  readonly endsAt: Date;
}

/** Whose grants: those of a key or a person, and of a workspace; all if both are null. */
export interface Owner extends Record<string, unknown> {
  /** SHA-256 of the key, or the hash of the person. */
  readonly secretHash: Buffer | null;
  readonly workspaceId: string | null;
}

const isOwned = `((cast(:secretHash as bytea) is null and cast(:workspaceId as text) is null)
    or g.secret_hash = :secretHash
    or exists (select 1 from api_keys k where k.secret_hash = g.secret_hash and k.workspace_id = :workspaceId)
    or exists (select 1 from people p where p.secret_hash = g.secret_hash and p.workspace_id = :workspaceId))`;
const keyWorks = `(g.key_id = 'operator' or exists (
    select 1 from api_keys k where k.secret_hash = g.secret_hash and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > :now)) or ${isOfPerson('g.secret_hash')})`;

/** The grants that an assistant can use, the newest first. */
export const listGrants = statement<GrantRow, Owner & { now: Date }>(
  'list_oauth_grants',
  `select g.id, g.key_id as "keyId", g.client_id as "clientId", g.client_name as "clientName",
     g.brand_ids as "brandIds", g.created_at as "createdAt", g.used_at as "usedAt",
     (select coalesce(p.email, p.name) from people p where p.secret_hash = g.secret_hash) as "personName", t.renewed_at as "renewedAt", t.ends_at as "endsAt",
     string_to_array(t.scope, ' ') as scopes
   from oauth_grants g join (
     select r.grant_id, max(r.created_at) as renewed_at, max(r.expires_at) as ends_at,
       max(r.payload ->> 'scope') as scope
     from oauth_records r
     where r.model in ('AccessToken', 'RefreshToken') and r.consumed_at is null and r.expires_at > :now
     group by r.grant_id
   ) t on t.grant_id = g.id
   where ${isOwned} and ${keyWorks}
   order by g.created_at desc, g.id`,
);

const endGrant = statement<{ id: string }, Owner & { id: string }>(
  'end_oauth_grant',
  `delete from oauth_grants g where g.id = :id and ${isOwned} returning g.id`,
);

const deleteRecordsOfGrant = statement<never, { id: string }>(
  'delete_records_of_oauth_grant',
  'delete from oauth_records where grant_id = :id',
);

/** Ends a grant with all its tokens, on all servers within a second. False: the owner has none of this id. */
export async function revokeGrant(db: Knex, { id, ...owner }: Owner & { id: string }): Promise<boolean> {
  const [ended] = id.includes('\u0000') ? [] : await endGrant(db, { id, ...owner });
  if (ended) await deleteRecordsOfGrant(db, { id });
  return ended !== undefined;
}

// Deleting what nobody can use any more.

const deleteExpiredRecords = statement<never, { now: Date }>(
  'delete_expired_oauth_records',
  'delete from oauth_records where expires_at <= :now',
);

/** Grants without tokens, and grants of keys that do not work. */
const deleteDeadGrants = statement<never, { now: Date; before: Date }>(
  'delete_dead_oauth_grants',
  `delete from oauth_grants g where not ${keyWorks} or (g.created_at < :before and not exists (
     select 1 from oauth_records r where r.grant_id = g.id and r.model <> 'Grant'))`,
);

const deleteOrphans = statement<never, { before: Date }>(
  'delete_oauth_records_without_grant',
  `delete from oauth_records r where r.grant_id is not null and r.created_at < :before
     and not exists (select 1 from oauth_grants g where g.id = r.grant_id)`,
);

const deleteUnusedClients = statement<never, { before: Date }>(
  'delete_unused_oauth_clients',
  `delete from oauth_records r where r.model = 'Client' and r.created_at < :before
     and not exists (select 1 from oauth_grants g where g.client_id = r.payload ->> 'client_id')`,
);

/** Longer than the way from a consent to the first token. */
const HOUR_MS = 3_600_000;

/** Deletes what has expired or belongs to a key that does not work, and clients that nobody has connected for a day. */
export async function dropDeadGrants(db: Knex, now: Date): Promise<void> {
  const before = new Date(now.getTime() - HOUR_MS);
  await deleteExpiredRecords(db, { now });
  await deleteDeadGrants(db, { now, before });
  await deleteOrphans(db, { before });
  await deleteUnusedClients(db, { before: new Date(now.getTime() - DAY_MS) });
}
