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

/** Deletes the link, so that of several requests one alone gets it. */
export const takeLink = statement<Pick<StoredLink, 'secretHash' | 'expiresAt'>, { linkHash: Buffer }>(
  'take_sign_in_link',
  `delete from sign_in_links where link_hash = :linkHash
   returning secret_hash as "secretHash", expires_at as "expiresAt"`,
);

export const deleteExpiredLinks = statement<never, { now: Date }>(
  'delete_expired_sign_in_links',
  'delete from sign_in_links where expires_at <= :now',
);
