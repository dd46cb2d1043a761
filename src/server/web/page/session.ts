/**
 * Who is signed in to the page. The cookie has the hash of the key and an expiry, encrypted and authenticated; the key is not
 * in it.
 */
import { createHash, type KeyObject } from 'node:crypto';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import type { Access } from '../../accounts/access.js';
import { batchedRefresh, REMEMBER_MS } from '../../accounts/directory.js';
import type { Stopwatch } from '../../base/clock.js';
import { opened, sealed } from '../../base/sealed.js';
import { statement } from '../../base/statement.js';
import { type GateEnvironment, passGates } from '../gates.js';
import { requireRead } from '../http/routing.js';
import type { Context } from '../state.js';

const COOKIE = 'svc_session';
export const SESSION_SECRET = 'page-sessions';
/** A session ends with its key, and at the latest after this time. */
export const SESSION_HOURS = 12;

const HASH_BYTES = 32;
const TIME_BYTES = 8;

/** What a cookie holds. */
interface Session {
  /** SHA-256 of the key. */
  readonly secretHash: Buffer;
  readonly expiresAt: Date;
}

/** The text of the cookie of a session. */
export function seal(secret: KeyObject, { secretHash, expiresAt }: Session): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigInt64BE(BigInt(expiresAt.getTime()));
  return sealed(secret, Buffer.concat([secretHash, time]));
}

/** A session with its id: the SHA-256 of the bytes of its cookie in hex, since several texts may stand for the same bytes. */
interface OpenSession extends Session {
  readonly id: string;
}

/** The session in a cookie; null: it was not made with this secret, or was changed. */
export function unseal(secret: KeyObject, text: string): OpenSession | null {
  const bytes = Buffer.from(text, 'base64url');
  const plain = opened(secret, bytes);
  if (plain?.length !== HASH_BYTES + TIME_BYTES) return null;
  const expiresAt = new Date(Number(plain.readBigInt64BE(HASH_BYTES)));
  const id = createHash('sha256').update(bytes).digest('hex');
  return { secretHash: plain.subarray(0, HASH_BYTES), expiresAt, id };
}

export const cookieOf = (ctx: Context): string | undefined => ctx.cookies.get(COOKIE);

/** Sets the cookie, for some seconds: the clock of the browser may differ from that of the server. */
export function setCookie(ctx: Context, value: string, seconds: number, publicUrl: string | null): void {
  ctx.append('Set-Cookie', `${COOKIE}=${value}; Max-Age=${seconds}${attributes(ctx, publicUrl)}`);
}

export function clearCookie(ctx: Context, publicUrl: string | null): void {
  ctx.append('Set-Cookie', `${COOKIE}=; Max-Age=0${attributes(ctx, publicUrl)}`);
}

const attributes = (ctx: Context, publicUrl: string | null): string =>
  `; Path=/; HttpOnly; SameSite=Strict${isSecure(ctx, publicUrl) ? '; Secure' : ''}`;

/** Whether the browser reached the server by https. */
export const isSecure = (ctx: Context, publicUrl: string | null): boolean =>
  ctx.secure || (publicUrl?.startsWith('https:') === true && new URL(publicUrl).host === ctx.host);

// Which sessions have ended by signing out.

/** Notes that a session has ended, until it would have expired. */
const insertEndedSession = statement<never, { sessionHash: Buffer; expiresAt: Date }>(
  'insert_ended_session',
  `insert into ended_sessions (session_hash, expires_at) values (:sessionHash, :expiresAt)
   on conflict do nothing`,
);

/** Which of some sessions have ended. Hashes are in hex. */
const endedSessions = statement<{ hash: string }, { hashes: readonly string[] }>(
  'ended_sessions',
  `select encode(session_hash, 'hex') as hash from ended_sessions
   where session_hash in (select decode(h.hash, 'hex') from unnest(cast(:hashes as text[])) as h(hash))`,
);

const deleteExpiredSessions = statement<never, { now: Date }>(
  'delete_expired_sessions',
  'delete from ended_sessions where expires_at <= :now',
);

interface Sessions {
  /** The session in a cookie, ended or not; null: there is none, or it has expired. */
  read(cookie: string, now: Date): Promise<OpenSession | null>;
  /** Whether it was not ended by signing out: on this server at once, on all others within a second. */
  isOpen(session: OpenSession): Promise<boolean | null>;
  /** Ends a session on all servers of the database, whoever has a copy of its cookie. */
  end(session: OpenSession, now: Date): Promise<void>;
}

const MAX_SESSIONS = 10_000;

/** Keeps decrypted sessions, because decrypting costs as much as a gate, and looks up those in use by one statement a second. */
export function createSessions(db: Knex, secret: () => Promise<KeyObject>, elapsed: Stopwatch): Sessions {
  const sessions = new LRUCache<string, OpenSession>({ max: MAX_SESSIONS });
  const stillOpen = async (ids: readonly string[]) => {
    const ended = new Set((await endedSessions(db, { hashes: ids })).map(({ hash }) => hash));
    return new Map(ids.filter((id) => !ended.has(id)).map((id) => [id, true]));
  };
  const open = batchedRefresh(stillOpen, REMEMBER_MS, elapsed);
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

// The gates of the API in their order, for the key of a cookie.

export interface SignedInEnvironment extends GateEnvironment {
  readonly sessions: Sessions;
}

/** The access of the key of the request's cookie; null: no cookie, or one whose session has ended. */
export async function identifySession(
  { sessions, clock, directory }: SignedInEnvironment,
  ctx: Context,
): Promise<Access | null> {
  const cookie = cookieOf(ctx);
  const session = cookie === undefined ? null : await sessions.read(cookie, clock());
  if (session === null) return null;
  const [isOpen, access] = await Promise.all([
    sessions.isOpen(session),
    directory.identifyHash(session.secretHash),
  ]);
  if (!isOpen || access === null) return null;
  ctx.state.signedIn = access;
  return access;
}

/** Passes a request through the gates with the key of its cookie. */
export const passSignedIn = (
  env: SignedInEnvironment,
  ctx: Context,
  checks: readonly ((ctx: Context) => void)[] = [requireRead],
): Promise<Access> =>
  passGates(env, ctx, {
    checks,
    // Nobody guesses a cookie.
    identify: async () => (await identifySession(env, ctx)) ?? undefined,
  });
