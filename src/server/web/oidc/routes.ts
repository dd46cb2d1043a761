/** Signing in by the account that people have at an OpenID provider: the way there, and the way back. */
import type { KeyObject } from 'node:crypto';
import { errors } from '../../../contract/errors.js';
import { callbackOf, hostOf, type IdentityProvider } from '../../accounts/identity-provider.js';
import { type Admission, admit, type Identity } from '../../accounts/people.js';
import type { Stopwatch } from '../../base/clock.js';
import { deploymentSecret } from '../../base/deployment-secret.js';
import { RefusedError, refuse } from '../../base/errors.js';
import { opened, sealed } from '../../base/sealed.js';
import { type Route, requireRead } from '../http/routing.js';
import { PAGE_PATHS, relativeTo, targetOf } from '../page/paths.js';
import { reloadPage } from '../page/plain-pages.js';
import { inWords, refusalIn, sendPage, sendSignIn } from '../page/respond.js';
import { createSessions, isSecure, SESSION_SECRET } from '../page/session.js';
import { type SignInEnvironment, startSession } from '../page/sign-in.js';
import type { Context, Handler } from '../state.js';
import { type Attempt, createIdentities, type Identities, newAttempt } from './identity.js';
import { notAdmittedPage } from './not-admitted.js';

export interface AccountEnvironment extends Omit<SignInEnvironment, 'sessionSecret' | 'sessions'> {
  readonly elapsed: Stopwatch;
  readonly identityProvider: IdentityProvider;
  readonly publicUrl: string;
}

interface Way extends SignInEnvironment {
  readonly identityProvider: IdentityProvider;
  readonly publicUrl: string;
  readonly identities: Identities;
  readonly attemptSecret: () => Promise<KeyObject>;
}

export function accountRoutes(options: AccountEnvironment): Route[] {
  const { db, elapsed, log, identityProvider } = options;
  const sessionSecret = deploymentSecret(db, SESSION_SECRET);
  const env: Way = {
    ...options,
    sessionSecret,
    sessions: createSessions(db, sessionSecret, elapsed),
    identities: createIdentities(identityProvider, elapsed, log),
    attemptSecret: deploymentSecret(db, 'sign-in-attempts'),
  };
  return [
    [PAGE_PATHS.signInByAccount, inWords(env, withForm(env, begin(env)))],
    [PAGE_PATHS.signInCallback, inWords(env, withForm(env, finish(env)))],
  ];
}

/** A handler whose refusals are said above the form to sign in: people try again there, or use a key. */
const withForm =
  (env: Way, handle: Handler): Handler =>
  async (ctx) => {
    try {
      await handle(ctx);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const { status, message: reason, headers = {} } = refusalIn(error);
      ctx.set({ ...headers, ...PRIVATE });
      sendSignIn(env, ctx, { to: targetOf(ctx.query.to), reason }, status);
    }
  };

/** The address of the way back has a code. */
const PRIVATE = { 'Referrer-Policy': 'no-referrer' };

const begin =
  (env: Way): Handler =>
  async (ctx) => {
    requireRead(ctx);
    const to = targetOf(ctx.query.to);
    // Another site must not choose when somebody signs in.
    if (ctx.get('Sec-Fetch-Site') === 'cross-site') return sendSignIn(env, ctx, { to });
    if (!env.enabled) throw refuse(errors.apiDisabled());
    const attempt = newAttempt();
    const address = await env.identities.begin(attempt, callbackOf(env.publicUrl));
    const until = env.clock().getTime() + ATTEMPT_SECONDS * 1000;
    const text = JSON.stringify({ ...attempt, to, until } satisfies KeptAttempt);
    setAttempt(env, ctx, sealed(await env.attemptSecret(), Buffer.from(text)), ATTEMPT_SECONDS);
    ctx.status = 303;
    ctx.set({ Location: address.href, 'Cache-Control': 'no-store', ...PRIVATE });
    ctx.body = '';
  };

const finish =
  (env: Way): Handler =>
  async (ctx) => {
    requireRead(ctx);
    const attempt = await takeAttempt(env, ctx);
    if (attempt === null) throw refuse(errors.signInExpired());
    // By the public address: the Host of the request may be anything.
    const address = new URL(callbackOf(env.publicUrl));
    address.search = ctx.search;
    const identity = await env.identities.finish(attempt, address);
    const admission = await admit(env.db, env.identityProvider, identity, env.clock());
    if (!('secretHash' in admission)) return notAdmitted(env, ctx, identity, admission);
    const { secretHash, id } = admission;
    env.directory.forget();
    await startSession(env, ctx, { secretHash });
    env.log.info({ person: id }, 'signed in by the OpenID provider');
    // By the page and not by a redirect: browsers send the cookie of a session only with what begins here.
    sendPage(ctx, reloadPage(relativeTo(ctx.path), attempt.to ?? PAGE_PATHS.brands), 200, PRIVATE);
  };

function notAdmitted(
  { identityProvider, log }: Way,
  ctx: Context,
  identity: Identity,
  { refused, ...more }: Exclude<Admission, { secretHash: Buffer }>,
): void {
  log.info({ refused, ...more }, 'a person was not let in');
  const page = { host: hostOf(identityProvider), identity, refused };
  sendPage(ctx, notAdmittedPage(relativeTo(ctx.path), page), 403, PRIVATE);
}

// The attempt, in a cookie of its own: that of the session does not come with the way back from another site.

const COOKIE = 'svc_sign_in';
const ATTEMPT_SECONDS = 600;

interface KeptAttempt extends Attempt {
  readonly to?: string | undefined;
  /** Milliseconds since 1970. */
  readonly until: number;
}

function setAttempt({ publicUrl }: Way, ctx: Context, value: string, seconds: number): void {
  const path = new URL(`${publicUrl}${PAGE_PATHS.signIn}`).pathname;
  const secure = isSecure(ctx, publicUrl) ? '; Secure' : '';
  const attributes = `Max-Age=${seconds}; Path=${path}; HttpOnly; SameSite=Lax${secure}`;
  ctx.append('Set-Cookie', `${COOKIE}=${value}; ${attributes}`);
}

/** The attempt of the browser, which it forgets; null: it has none, or one that is too old. */
async function takeAttempt(env: Way, ctx: Context): Promise<KeptAttempt | null> {
  const cookie = ctx.cookies.get(COOKIE);
  if (cookie === undefined) return null;
  setAttempt(env, ctx, '', 0);
  const text = opened(await env.attemptSecret(), Buffer.from(cookie, 'base64url'));
  if (text === null) return null;
  const attempt = JSON.parse(text.toString()) as KeptAttempt;
  return attempt.until > env.clock().getTime() ? attempt : null;
}
