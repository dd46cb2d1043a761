/** Links that sign in once. */

import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { SIGN_IN_LINK_MINUTES } from '../../../contract/limits.js';
import { hashSecret } from '../../accounts/keys.js';
import { statement } from '../../statement.js';

interface StoredLink {
  linkHash: Buffer;
  secretHash: Buffer;
  expiresAt: Date;
}

const insertLink = statement<never, StoredLink & Record<string, unknown>>(
  'insert_sign_in_link',
  'insert into sign_in_links (link_hash, secret_hash, expires_at) values (:linkHash, :secretHash, :expiresAt)',
);

interface WantedLink extends Record<string, unknown> {
  linkHash: Buffer;
  now: Date;
}

const findLink = statement<Pick<StoredLink, 'secretHash'>, WantedLink>(
  'find_sign_in_link',
  'select secret_hash as "secretHash" from sign_in_links where link_hash = :linkHash and expires_at > :now',
);

/** Deletes the link, so that of several requests only one gets it. */
const takeLink = statement<Pick<StoredLink, 'secretHash'>, WantedLink>(
  'take_sign_in_link',
  `delete from sign_in_links where link_hash = :linkHash and expires_at > :now
   returning secret_hash as "secretHash"`,
);

const deleteExpiredLinks = statement<never, { now: Date }>(
  'delete_expired_sign_in_links',
  'delete from sign_in_links where expires_at <= :now',
);

const TOKEN_BYTES = 32;

interface NewLink {
  /** The unguessable part of the link. */
  readonly token: string;
  readonly expiresAt: Date;
}

/** Makes a link for a key, and deletes links that expired. */
export async function createLink(db: Knex, secretHash: Buffer, now: Date): Promise<NewLink> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(now.getTime() + SIGN_IN_LINK_MINUTES * 60_000);
  await deleteExpiredLinks(db, { now });
  await insertLink(db, { linkHash: hashSecret(token), secretHash, expiresAt });
  return { token, expiresAt };
}

/** The hash of the key of a link, which it leaves unused; null: unknown, used or expired. */
export async function keyOfLink(db: Knex, token: string, now: Date): Promise<Buffer | null> {
  const [link] = await findLink(db, { linkHash: hashSecret(token), now });
  return link?.secretHash ?? null;
}

/** Uses a link up. Of several calls one returns true. */
export async function useLink(db: Knex, token: string, now: Date): Promise<boolean> {
  const taken = await takeLink(db, { linkHash: hashSecret(token), now });
  return taken.length > 0;
}
