import { statement } from './statement.js';

/** Notes that a session has ended, until it would have expired. */
export const insertEndedSession = statement<never, { sessionHash: Buffer; expiresAt: Date }>(
  'insert_ended_session',
  `insert into ended_sessions (session_hash, expires_at) values (:sessionHash, :expiresAt)
   on conflict do nothing`,
);

/** Those of some sessions that have ended. Hashes are in hex. */
export const endedSessions = statement<{ hash: string }, { hashes: readonly string[] }>(
  'ended_sessions',
  `select encode(session_hash, 'hex') as hash from ended_sessions
   where session_hash in (select decode(h.hash, 'hex') from unnest(cast(:hashes as text[])) as h(hash))`,
);

export const deleteExpiredSessions = statement<never, { now: Date }>(
  'delete_expired_sessions',
  'delete from ended_sessions where expires_at <= :now',
);
