/** Signing in, by a key or by a link that works once, and signing out. */
import { type KeyObject, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { errorCode, errors } from '../../../contract/errors.js';
import { SIGN_IN_LINK_MINUTES } from '../../../contract/limits.js';
import type { SignInLink } from '../../../contract/paths.js';
import { linkLife } from '../../../contract/wording.js';
import { type Access, requireBrand } from '../../accounts/access.js';
import { hashSecret } from '../../accounts/keys.js';
import { refuse } from '../../base/errors.js';
import { statement } from '../../base/statement.js';
import { bearerSecret, passGates } from '../gates.js';
import { type BodyTimeouts, readBody } from '../http/read-body.js';
import { requireMethod } from '../http/routing.js';
import type { Context, Handler } from '../state.js';
import { answerPath, brandPath, PAGE_PATHS, promptPath, relativeTo, targetOf, withQuery } from './paths.js';
import { linkPage } from './plain-pages.js';
import { type ResponseEnvironment, redirect, refusalIn, sendPage, sendSignIn } from './respond.js';
import {
  clearCookie,
  cookieOf,
  identifySession,
  SESSION_HOURS,
  type SignedInEnvironment,
  seal,
  setCookie,
} from './session.js';

export interface SignInEnvironment extends SignedInEnvironment, ResponseEnvironment {
  readonly db: Knex;
  readonly sessionSecret: () => Promise<KeyObject>;
  readonly bodyTimeouts: BodyTimeouts;
}

/** Bytes of the form: a key and an address. */
const FORM_BYTES = 16_384;

/** GET and POST /sign-in. */
export function signInForm(env: SignInEnvironment): Handler {
  const checkMethod = requireMethod(['GET', 'HEAD', 'POST']);
  const checkOrigin = requireOwnOrigin(env.publicUrl);
  return async (ctx) => {
    checkMethod(ctx);
    if (ctx.method !== 'POST') return sendSignIn(env, ctx, { to: targetOf(ctx.query.to) });
    checkOrigin(ctx);
    const form = new URLSearchParams(Buffer.concat(await bodyOf(env, ctx)).toString('utf8'));
    const to = targetOf(form.get('to'));
    const secretHash = hashSecret((form.get('key') ?? '').trim());
    await signIn(env, ctx, { secretHash, to, unknown: UNKNOWN_KEY });
  };
}

const UNKNOWN_KEY = 'This key is not known: it was mistyped, or it was revoked.';

interface Attempt {
  /** Of a key or a person; null: there is none. */
  readonly secretHash: Buffer | null;
  readonly to: string | undefined;
  readonly unknown: string;
  /** The last step before the session begins, which tells whether it may. */
  readonly confirm?: () => Promise<boolean>;
}

/** Starts a session and leads to a page, or shows the form with the reason why not. */
async function signIn(env: SignInEnvironment, ctx: Context, attempt: Attempt): Promise<void> {
  const { to, unknown, confirm } = attempt;
  try {
    await startSession(env, ctx, attempt);
  } catch (error) {
    const { status, code, message, headers = {} } = refusalIn(error);
    // A refused link was not used: it may be opened again, so the page says what stands in its way.
    if (confirm && status !== 401) throw error;
    ctx.set(headers);
    const reason = code === errorCode('unauthorized') ? unknown : message;
    return sendSignIn(env, ctx, { to, reason }, status);
  }
  redirect(ctx, to ?? PAGE_PATHS.brands);
}

const bodyOf = (env: SignInEnvironment, ctx: Context): Promise<Buffer[]> =>
  readBody(ctx.req, {
    maxBytes: FORM_BYTES,
    timeouts: env.bodyTimeouts,
    tooLarge: errors.formTooLarge,
  });

const USED_LINK = `This link does not work any more: it works ${linkLife}. Ask for another one, or sign in with an API key.`;

/**
 * /sign-in/TOKEN: signs in once. A person who opened the link is signed in at once; who came from another page gets a
 * button, because that page must not choose whose session the browser has, and so does any other program, because the
 * preview of a link must not use it up.
 */
export function signInOnce(env: SignInEnvironment): Handler {
  const checkMethod = requireMethod(['GET', 'HEAD', 'POST']);
  const checkOrigin = requireOwnOrigin(env.publicUrl);
  return async (ctx) => {
    checkMethod(ctx);
    const isButton = ctx.method === 'POST';
    if (isButton) checkOrigin(ctx);
    const token = ctx.state.params?.token ?? '';
    const to = targetOf(ctx.query.to);
    const secretHash = env.enabled ? await keyOfLink(env.db, token, env.clock()) : null;
    if (secretHash && !isButton) {
      const isAnother = await replacesSession(env, ctx, secretHash);
      if (isAnother || !isOpenedByPerson(ctx))
        return sendPage(ctx, linkPage(relativeTo(ctx.path), ctx.path, { to, isAnother }));
    }
    const confirm = () => useLink(env.db, token, env.clock());
    await signIn(env, ctx, { secretHash, to, unknown: USED_LINK, confirm });
  };
}

/**
 * Whether a person typed the address or chose it outside of web pages. Browsers state it to https and loopback
 * addresses; where they do not, and for what they load in advance, it is not known.
 */
const isOpenedByPerson = (ctx: Context): boolean =>
  ctx.method === 'GET' &&
  ctx.get('Sec-Fetch-Site') === 'none' &&
  ['', 'document'].includes(ctx.get('Sec-Fetch-Dest')) &&
  LOADED_IN_ADVANCE.every((header) => ctx.get(header) === '');

/** Headers of what a browser loads before a person asks for it: the present one, and those of older browsers. */
const LOADED_IN_ADVANCE = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'];

/** Whether the browser is signed in by another key. A redirect by another site counts as opened by a person too. */
async function replacesSession(env: SignInEnvironment, ctx: Context, secretHash: Buffer): Promise<boolean> {
  const current = await identifySession(env, ctx);
  return current !== null && current.keyId !== (await env.directory.identifyHash(secretHash))?.keyId;
}

/** Passes the key through the gates, and sets the cookie. */
export async function startSession(
  env: SignInEnvironment,
  ctx: Context,
  { secretHash, confirm }: Pick<Attempt, 'secretHash' | 'confirm'>,
): Promise<void> {
  const access = await passGates(env, ctx, {
    checks: [],
    identify: async (directory, _, onLookUp) =>
      secretHash === null ? undefined : directory.identifyHash(secretHash, onLookUp),
  });
  const secret = await env.sessionSecret();
  if (confirm && !(await confirm())) throw refuse(errors.unauthorized());
  const now = env.clock();
  const expiresAt = sessionEnd(access, now);
  const seconds = Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
  setCookie(ctx, seal(secret, { secretHash: secretHash!, expiresAt }), seconds, env.publicUrl);
}

function sessionEnd({ expiresAt }: Access, now: Date): Date {
  const latest = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  return expiresAt !== null && expiresAt < latest ? expiresAt : latest;
}

/**
 * POST /sign-in-links with an API key: a link that signs in once, to the list of brands, the page of one, or that of one of its
 * prompts or answers.
 */
export function createSignInLink(env: SignInEnvironment): Handler {
  const checks = [requireMethod(['POST'])];
  return async (ctx) => {
    const access = await passGates(env, ctx, { checks });
    const { brand, prompt, answer } = ctx.query;
    const id = typeof brand === 'string' ? await visibleId(env, access, brand) : undefined;
    const to = id === undefined ? undefined : pathOf(id, prompt, answer);
    const { token, expiresAt } = await createLink(env.db, hashSecret(bearerSecret(ctx)!), env.clock());
    ctx.status = 201;
    ctx.set({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    const path = withQuery(PAGE_PATHS.signInOnce.replace(':token', token), { to });
    const link: SignInLink = { path, expires_at: expiresAt.toISOString() };
    ctx.body = JSON.stringify(link);
  };
}

const pathOf = (brand: string, prompt: unknown, answer: unknown): string => {
  if (typeof answer === 'string') return answerPath(brand, answer);
  return typeof prompt === 'string' ? promptPath(brand, prompt) : brandPath(brand);
};

const visibleId = async (env: SignInEnvironment, access: Access, id: string): Promise<string> =>
  requireBrand(await env.directory.brand(access, id), false).id;

/** POST /sign-out: ends the session, also for copies of its cookie. */
export function signOut(env: SignInEnvironment): Handler {
  const checks = [requireMethod(['POST']), requireOwnOrigin(env.publicUrl)];
  return async (ctx) => {
    for (const check of checks) check(ctx);
    const cookie = cookieOf(ctx);
    const session = cookie === undefined ? null : await env.sessions.read(cookie, env.clock());
    if (session) await env.sessions.end(session, env.clock());
    clearCookie(ctx, env.publicUrl);
    redirect(ctx, PAGE_PATHS.signIn);
  };
}

// Links that sign in once, in the database.

const insertLink = statement<never, { linkHash: Buffer; secretHash: Buffer; expiresAt: Date }>(
  'insert_sign_in_link',
  'insert into sign_in_links (link_hash, secret_hash, expires_at) values (:linkHash, :secretHash, :expiresAt)',
);

const findLink = statement<{ secretHash: Buffer }, { linkHash: Buffer; now: Date }>(
  'find_sign_in_link',
  'select secret_hash as "secretHash" from sign_in_links where link_hash = :linkHash and expires_at > :now',
);

/** Deletes the link, so that of several requests only one gets it. */
const takeLink = statement<{ secretHash: Buffer }, { linkHash: Buffer; now: Date }>(
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
async function createLink(db: Knex, secretHash: Buffer, now: Date): Promise<NewLink> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(now.getTime() + SIGN_IN_LINK_MINUTES * 60_000);
  await deleteExpiredLinks(db, { now });
  await insertLink(db, { linkHash: hashSecret(token), secretHash, expiresAt });
  return { token, expiresAt };
}

/** The hash of the key of a link, which it leaves unused; null: unknown, used or expired. */
async function keyOfLink(db: Knex, token: string, now: Date): Promise<Buffer | null> {
  const [link] = await findLink(db, { linkHash: hashSecret(token), now });
  return link?.secretHash ?? null;
}

/** Uses a link up. Of several calls one returns true. */
async function useLink(db: Knex, token: string, now: Date): Promise<boolean> {
  const taken = await takeLink(db, { linkHash: hashSecret(token), now });
  return taken.length > 0;
}

/**
 * Protects forms: a page of another origin must not send them with the cookie of its visitor.
 * 403 for an Origin that is neither the host of the request nor the public address. Every browser states it with a form
 * that is posted. The scheme is not compared, because a proxy may have removed TLS.
 */
export const requireOwnOrigin =
  (publicUrl: string | null) =>
  (ctx: Context): void => {
    const origin = ctx.get('Origin');
    const host = URL.canParse(origin) ? new URL(origin).host : undefined;
    const isOwn =
      host !== undefined && (host === ctx.host || (publicUrl !== null && host === new URL(publicUrl).host));
    if (!isOwn) throw refuse(errors.originNotAllowed(origin));
  };
