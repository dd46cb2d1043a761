/** The sessions of the page: those in cookies, and which of them have ended by signing out. */

import type { KeyObject } from 'node:crypto';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { REMEMBER_MS, refreshedTogether } from '../../accounts/directory.js';
import { statement } from '../../statement.js';
import { type OpenSession, unseal } from './session.js';

/** Notes that a session has ended, until it would have expired. */
const insertEndedSession = statement<never, { sessionHash: Buffer; expiresAt: Date }>(
  'insert_ended_session',
  `insert into ended_sessions (session_hash, expires_at) values (:sessionHash, :expiresAt)
   on conflict do nothing`,
);

/** Those of some sessions that have ended. Hashes are in hex. */
const endedSessions = statement<{ hash: string }, { hashes: readonly string[] }>(
  'ended_sessions',
  `select encode(session_hash, 'hex') as hash from ended_sessions
   where session_hash in (select decode(h.hash, 'hex') from unnest(cast(:hashes as text[])) as h(hash))`,
);

const deleteExpiredSessions = statement<never, { now: Date }>(
  'delete_expired_sessions',
  'delete from ended_sessions where expires_at <= :now',
);

export interface Sessions {
  /** The session in a cookie, ended or not; null: there is none, or it has expired. */
  read(cookie: string, now: Date): Promise<OpenSession | null>;
  /** Whether it was not ended by signing out: on this server at once, on all others within a second. */
  isOpen(session: OpenSession): Promise<boolean | null> | boolean | null;
  /** Ends a session on all servers of the database, whoever has a copy of its cookie. */
  end(session: OpenSession, now: Date): Promise<void>;
}

/** Decrypted sessions that are kept. */
const MOST_SESSIONS = 10_000;

/** Keeps decrypted sessions, because decrypting costs as much as a gate, and looks up those in use by one statement a second. */
export function createSessions(db: Knex, secret: () => Promise<KeyObject>): Sessions {
  const sessions = new LRUCache<string, OpenSession>({ max: MOST_SESSIONS });
  const open = refreshedTogether(async (ids) => {
    const ended = new Set((await endedSessions(db, { hashes: ids })).map(({ hash }) => hash));
    return new Map(ids.filter((id) => !ended.has(id)).map((id) => [id, true]));
  }, REMEMBER_MS);
  return {
    async read(cookie, now) {
      const session = sessions.get(cookie) ?? unseal(await secret(), cookie);
      if (session) sessions.set(cookie, session);
      return session !== null && session.expiresAt > now ? session : null;
    },
    isOpen: ({ id }) => open.get(id),
    async end({ id, expiresAt }, now) {
      await deleteExpiredSessions(db, { now });
      await insertEndedSession(db, { sessionHash: Buffer.from(id, 'hex'), expiresAt });
      open.forget(id);
    },
  };
}
