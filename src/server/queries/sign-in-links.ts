import { statement } from './statement.js';

interface StoredLink {
  linkHash: Buffer;
  secretHash: Buffer;
  expiresAt: Date;
}

export const insertLink = statement<never, StoredLink & Record<string, unknown>>(
  'insert_sign_in_link',
  'insert into sign_in_links (link_hash, secret_hash, expires_at) values (:linkHash, :secretHash, :expiresAt)',
);

interface WantedLink extends Record<string, unknown> {
  linkHash: Buffer;
  now: Date;
}

export const findLink = statement<Pick<StoredLink, 'secretHash'>, WantedLink>(
  'find_sign_in_link',
  'select secret_hash as "secretHash" from sign_in_links where link_hash = :linkHash and expires_at > :now',
);

/** Deletes the link, so that of several requests only one gets it. */
export const takeLink = statement<Pick<StoredLink, 'secretHash'>, WantedLink>(
  'take_sign_in_link',
  `delete from sign_in_links where link_hash = :linkHash and expires_at > :now
   returning secret_hash as "secretHash"`,
);

export const deleteExpiredLinks = statement<never, { now: Date }>(
  'delete_expired_sign_in_links',
  'delete from sign_in_links where expires_at <= :now',
);
