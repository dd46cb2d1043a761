/** Responses of the page: documents and their cache, redirects, and errors in words. */
import type { VNode } from 'preact';
import { errorCode, type Refusal } from '../../../contract/errors.js';
import { hostOf, type IdentityProvider } from '../../accounts/identity-provider.js';
import { RefusedError, refusalOf } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import type { Validated } from '../../base/validated.js';
import { sendValidated } from '../http/response.js';
import type { Context, Handler } from '../state.js';
import { documentOf } from './html.js';
import { PAGE_PATHS, relativeTo, targetOf, withQuery } from './paths.js';
import { deadLinkPage, failurePage, linkFailurePage, reloadPage, signInPage } from './plain-pages.js';
import { clearCookie, cookieOf } from './session.js';

export interface ResponseEnvironment {
  readonly log: Logger;
  readonly publicUrl: string | null;
  /** By which people may sign in too; if omitted or null, by none. */
  readonly identityProvider?: IdentityProvider | null;
}

/** @param formTarget An origin, besides that of the page, to which a form may lead. */
export const contentPolicy = (formTarget = ''): string =>
  [
    "default-src 'none'",
    "script-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    `form-action 'self' ${formTarget}`.trim(),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': contentPolicy(),
  'Cross-Origin-Opener-Policy': 'same-origin',
  // With no-referrer a browser states the Origin of a form as null.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-cache',
  Vary: 'Cookie',
} as const;

const HTML = 'text/html; charset=utf-8';
const CACHED_HEADERS = { ...PAGE_HEADERS, 'Content-Type': HTML };

/** What is sent to the viewer of a link: kept by nobody, and its address stated to nobody. */
export const SHARED_HEADERS = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
} as const;

/** Sends a page that may be kept, or 304 if the client has it. */
export const sendCached = (
  ctx: Context,
  page: Validated,
  more: Readonly<Record<string, string>> = {},
): void => sendValidated(ctx, page, { ...CACHED_HEADERS, ...more });

/** Sends a page that is made for the request. */
export function sendPage(
  ctx: Context,
  page: VNode,
  status = 200,
  more: Readonly<Record<string, string>> = {},
): void {
  ctx.status = status;
  ctx.set({ ...PAGE_HEADERS, 'Content-Type': HTML, 'Cache-Control': 'no-store', ...more });
  ctx.body = documentOf(page);
}

/** 303 to an address of the page. */
export function redirect(ctx: Context, path: string): void {
  ctx.status = 303;
  ctx.set(PAGE_HEADERS);
  ctx.set('Location', relativeTo(ctx.path)(path));
  ctx.body = '';
}

/** A handler whose errors become pages. A user who is not signed in gets the form. */
export const inWords =
  (env: ResponseEnvironment, handle: Handler): Handler =>
  async (ctx) => {
    try {
      await handle(ctx);
    } catch (error) {
      const { signedIn } = ctx.state;
      const refusal = loggedRefusal(error, ctx, env.log);
      ctx.set(refusal.headers ?? {});
      const { status } = refusal;
      // Whoever may not use the key from here does not learn whose it is.
      const access = status === 403 ? undefined : signedIn;
      const back = status === 400 ? targetOf(ctx.path) : undefined;
      if (status !== 401) sendPage(ctx, failurePage(relativeTo(ctx.path), { refusal, access, back }), status);
      else if (cookieOf(ctx) === undefined) leadToForm(ctx);
      else endSession(env, ctx, refusal);
    }
  };

/** A handler for the viewers of links, whose errors become pages: one page for all that is not there, whatever the reason. */
export const inWordsOfLinks =
  ({ log }: Pick<ResponseEnvironment, 'log'>, handle: Handler): Handler =>
  async (ctx) => {
    try {
      await handle(ctx);
    } catch (error) {
      const refusal = loggedRefusal(error, ctx, log);
      ctx.set(refusal.headers ?? {});
      const page =
        refusal.status === 404
          ? deadLinkPage(relativeTo(ctx.path))
          : linkFailurePage(relativeTo(ctx.path), refusal);
      sendPage(ctx, page, refusal.status, SHARED_HEADERS);
    }
  };

/** The refusal in an error. An unexpected error is logged, with the pattern of an address that has a token. */
function loggedRefusal(error: unknown, { state, method, path }: Context, log: Logger): Refusal {
  const { requestId, route = '' } = state;
  return refusalOf(error, { requestId, method, path: route.includes(':token') ? route : path }, log);
}

/** Leads a browser without a cookie to the form. */
function leadToForm(ctx: Context): void {
  const to = targetOf(ctx.path + ctx.search) ?? PAGE_PATHS.brands;
  ctx.remove('WWW-Authenticate');
  // A browser sends no cookie with a link from another site. A reload by the page itself has it.
  const isFromElsewhere = ctx.get('Sec-Fetch-Site') === 'cross-site';
  if (isFromElsewhere) sendPage(ctx, reloadPage(relativeTo(ctx.path), to));
  else redirect(ctx, withQuery(PAGE_PATHS.signIn, { to }));
}

/** Shows the form to a browser whose cookie is not valid, and removes the cookie. */
function endSession(env: ResponseEnvironment, ctx: Context, refusal: Refusal): void {
  clearCookie(ctx, env.publicUrl);
  const isUnknown = refusal.code === errorCode('unauthorized');
  const reason = isUnknown ? 'You are not signed in any more. Sign in again.' : refusal.message;
  sendSignIn(env, ctx, { to: targetOf(ctx.path + ctx.search), reason }, refusal.status);
}

/** The form to sign in, with all the ways that this server has. */
export function sendSignIn(
  { identityProvider }: Pick<ResponseEnvironment, 'identityProvider'>,
  ctx: Context,
  { to, reason }: { readonly to: string | undefined; readonly reason?: string },
  status = 200,
): void {
  const provider = identityProvider ? hostOf(identityProvider) : undefined;
  sendPage(ctx, signInPage(relativeTo(ctx.path), { to, reason, provider }), status);
}

/** The refusal in an error; any other error is thrown. */
export function refusalIn(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  throw error;
}
