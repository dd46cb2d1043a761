/** Links that sign in once. */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { hashSecret } from '../../accounts/keys.js';
import { deleteExpiredLinks, insertLink, takeLink } from '../../queries/sign-in-links.js';

const TOKEN_BYTES = 32;
const LINK_MINUTES = 10;

export interface NewLink {
  /** The unguessable part of the link. */
  readonly token: string;
  readonly expiresAt: Date;
}

/** Makes a link for a key, and deletes links that expired. */
export async function createLink(db: Knex, secretHash: Buffer, now: Date): Promise<NewLink> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(now.getTime() + LINK_MINUTES * 60_000);
  await deleteExpiredLinks(db, { now });
  await insertLink(db, { linkHash: hashSecret(token), secretHash, expiresAt });
  return { token, expiresAt };
}

/** The hash of the key of a link, which no later call returns; null: unknown, used or expired. */
export async function useLink(db: Knex, token: string, now: Date): Promise<Buffer | null> {
  const [link] = await takeLink(db, { linkHash: hashSecret(token) });
  return link && link.expiresAt > now ? link.secretHash : null;
}
