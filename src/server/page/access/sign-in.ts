/** Signing in, by a key or by a link that works once, and signing out. */
import type { Knex } from 'knex';
import { errors } from '../../../contract/errors.js';
import type { SignInLink } from '../../../contract/paths.js';
import type { Access } from '../../accounts/access.js';
import { requireBrand } from '../../accounts/find-brand.js';
import { hashSecret } from '../../accounts/keys.js';
import { requireMethod } from '../../http/methods.js';
import { type BodyTimeouts, readBody } from '../../http/read-body.js';
import { type GateOptions, passGates } from '../../middleware/gates.js';
import { bearerSecret } from '../../middleware/identify-key.js';
import type { Context, Handler } from '../../state.js';
import { brandPath, PAGE_PATHS, relativeTo, targetOf, withQuery } from '../paths.js';
import { signInPage } from '../plain-pages.js';
import { type ResponseEnvironment, redirect, refusalIn, sendPage } from '../respond.js';
import type { SignedInEnvironment } from './gates.js';
import { createLink, useLink } from './links.js';
import { requireOwnOrigin } from './origin.js';
import { clearCookie, SESSION_HOURS, seal, setCookie } from './session.js';

export interface SignInEnvironment extends SignedInEnvironment, ResponseEnvironment {
  readonly db: Knex;
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
    const link = relativeTo(ctx.path);
    if (ctx.method !== 'POST') return sendPage(ctx, signInPage(link, { to: targetOf(ctx.query.to) }));
    checkOrigin(ctx);
    const form = new URLSearchParams(Buffer.concat(await bodyOf(env, ctx)).toString('utf8'));
    const to = targetOf(form.get('to'));
    const secretHash = hashSecret((form.get('key') ?? '').trim());
    await signIn(env, ctx, { secretHash, to, unknown: 'No key is like this one, or it was revoked.' });
  };
}

interface Attempt {
  /** Null: there is no key. */
  readonly secretHash: Buffer | null;
  /** Where it leads. */
  readonly to: string | undefined;
  /** The message for an unknown key. */
  readonly unknown: string;
}

/** Starts a session and leads to a page, or shows the form with the reason why not. */
async function signIn(
  env: SignInEnvironment,
  ctx: Context,
  { secretHash, to, unknown }: Attempt,
): Promise<void> {
  try {
    await startSession(env, ctx, secretHash);
  } catch (error) {
    const { status, message, headers = {} } = refusalIn(error);
    ctx.set(headers);
    const reason = message === errors.unauthorized().message ? unknown : message;
    return sendPage(ctx, signInPage(relativeTo(ctx.path), { to, reason }), status);
  }
  redirect(ctx, to ?? PAGE_PATHS.brands);
}

const bodyOf = (env: SignInEnvironment, ctx: Context): Promise<Buffer[]> =>
  readBody(ctx.req, {
    maxBytes: FORM_BYTES,
    timeouts: env.bodyTimeouts,
    tooLarge: errors.formTooLarge,
  });

const USED_LINK =
  'This link does not work any more: it works once, for ten minutes. Make another with svc open, or sign in.';

/** GET /sign-in/TOKEN: signs in once. */
export const signInOnce =
  (env: SignInEnvironment): Handler =>
  async (ctx) => {
    requireMethod(['GET'])(ctx);
    const token = String((ctx as unknown as { params: { token: string } }).params.token);
    const secretHash = env.enabled ? await useLink(env.db, token, env.clock()) : null;
    await signIn(env, ctx, { secretHash, to: targetOf(ctx.query.to), unknown: USED_LINK });
  };

/** Passes the key through the gates, and sets the cookie. */
async function startSession(env: SignInEnvironment, ctx: Context, secretHash: Buffer | null): Promise<void> {
  const options: GateOptions = {
    surface: 'reads',
    checks: [],
    disabled: errors.apiDisabled,
    identify: async (directory) => (secretHash === null ? null : directory.identifyHash(secretHash)),
  };
  const access = await passGates(env, ctx, options);
  const now = env.clock();
  const expiresAt = sessionEnd(access, now);
  const seconds = Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
  setCookie(
    ctx,
    seal(await env.sessionSecret(), { secretHash: secretHash!, expiresAt }),
    seconds,
    env.publicUrl,
  );
}

function sessionEnd({ expiresAt }: Access, now: Date): Date {
  const latest = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  return expiresAt !== null && expiresAt < latest ? expiresAt : latest;
}

/** POST /sign-in-links with an API key: a link that signs in once, to the list of brands or the page of one. */
export function createSignInLink(env: SignInEnvironment): Handler {
  const options: GateOptions = {
    surface: 'reads',
    checks: [requireMethod(['POST'])],
    disabled: errors.apiDisabled,
  };
  return async (ctx) => {
    const access = await passGates(env, ctx, options);
    const { brand: given } = ctx.query;
    const to = typeof given !== 'string' ? undefined : brandPath(await visibleId(env, access, given));
    const { token, expiresAt } = await createLink(env.db, hashSecret(bearerSecret(ctx)!), env.clock());
    ctx.status = 201;
    ctx.set({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    const path = withQuery(PAGE_PATHS.signInOnce.replace(':token', token), { to });
    const link: SignInLink = { path, expires_at: expiresAt.toISOString() };
    ctx.body = JSON.stringify(link);
  };
}

const visibleId = async (env: SignInEnvironment, access: Access, id: string): Promise<string> =>
  requireBrand(await env.directory.brand(access, id), false).id;

/** POST /sign-out. */
export function signOut(env: SignInEnvironment): Handler {
  const checks = [requireMethod(['POST']), requireOwnOrigin(env.publicUrl)];
  return (ctx) => {
    for (const check of checks) check(ctx);
    clearCookie(ctx, env.publicUrl);
    redirect(ctx, PAGE_PATHS.signIn);
  };
}
