/** The way of a person from the request of an assistant to a grant: a first page, the sign-in of the page, consent. */
import type { Knex } from 'knex';
import { errors as libraryErrors, type Provider } from 'oidc-provider';
import { errors } from '../../../contract/errors.js';
import { keyKinds } from '../../../contract/keys.js';
import { grantScopes, OAUTH_MCP_PATH } from '../../../contract/oauth.js';
import { type Access, visibleBrands } from '../../accounts/access.js';
import { brandsByAge, type ListedBrand } from '../../accounts/brands.js';
import { insertGrant } from '../../accounts/grants.js';
import { refuse } from '../../base/errors.js';
import { type BodyTimeouts, readBody } from '../http/read-body.js';
import { type Route, requireRead } from '../http/routing.js';
import { readOrPost } from '../page/forms.js';
import { PAGE_PATHS, relativeTo } from '../page/paths.js';
import { contentPolicy, inWords, type ResponseEnvironment, sendPage } from '../page/respond.js';
import { cookieOf, passSignedIn, type SignedInEnvironment } from '../page/session.js';
import type { Context, Handler } from '../state.js';
import { type Assistant, consentPage, fields, startPage } from './connect-pages.js';
import { ACCOUNT } from './provider.js';

export interface ConnectEnvironment extends SignedInEnvironment, ResponseEnvironment {
  readonly db: Knex;
  readonly publicUrl: string;
  readonly bodyTimeouts: BodyTimeouts;
}

const { OIDCProviderError, SessionNotFound } = libraryErrors;

/** Bytes of the form: some hundred ids of brands. */
const FORM_BYTES = 65_536;

export const connectRoutes = (env: ConnectEnvironment, provider: Provider): Route[] => [
  [PAGE_PATHS.connect, inWords(env, refusing(start(provider)))],
  [PAGE_PATHS.consent, inWords(env, refusing(consent(env, provider)))],
];

/** 404 for what the library refuses: the authorization has expired, or its client is not what it was when it began. */
const refusing =
  (handle: Handler): Handler =>
  async (ctx) => {
    try {
      await handle(ctx);
    } catch (error) {
      if (error instanceof SessionNotFound) throw refuse(errors.connectionExpired());
      const isRefused = error instanceof OIDCProviderError && error.statusCode < 500;
      throw isRefused ? refuse(errors.assistantChanged()) : error;
    }
  };

/** What an assistant asks for. */
interface Wish {
  readonly clientId: string;
  readonly assistant: Assistant;
  readonly scopes: readonly string[];
}

/** @throws 404 if it has expired, or the browser has no cookie of it. */
async function wishOf(provider: Provider, ctx: Context): Promise<Wish> {
  const { params, uid } = await provider.interactionDetails(ctx.req, ctx.res);
  const clientId = String(params.client_id);
  const client = await provider.Client.find(clientId);
  if (!client || uid !== ctx.state.params?.token) throw refuse(errors.connectionExpired());
  const host = URL.canParse(clientId) ? new URL(clientId).host : null;
  return {
    clientId,
    assistant: {
      name: client.clientName ?? host ?? clientId,
      host,
      redirect: new URL(String(params.redirect_uri)),
    },
    scopes: String(params.scope ?? '').split(' '),
  };
}

const start =
  (provider: Provider): Handler =>
  async (ctx) => {
    requireRead(ctx);
    const { assistant } = await wishOf(provider, ctx);
    sendPage(ctx, startPage(relativeTo(ctx.path), ctx.state.params!.token!, assistant));
  };

function consent(env: ConnectEnvironment, provider: Provider): Handler {
  const check = readOrPost(env);
  return async (ctx) => {
    const access = await passSignedIn(env, ctx, [check]);
    const wish = await wishOf(provider, ctx);
    if (access.allow !== null) throw refuse(errors.grantAddresses());
    const asksForFactChecks = wish.scopes.includes(grantScopes.factCheck) && keyKinds[access.kind].factCheck;
    const brands = await brandsByAge(env.db, visibleBrands(access));
    const show = (reason?: string): void => {
      const { assistant } = wish;
      const token = ctx.state.params!.token!;
      const page = { token, assistant, access, brands, asksForFactChecks, reason };
      // The redirect to the assistant is a part of what the form does.
      const policy = { 'Content-Security-Policy': contentPolicy(assistant.redirect.origin) };
      sendPage(ctx, consentPage(relativeTo(ctx.path), page), reason === undefined ? 200 : 400, policy);
    };
    if (ctx.method !== 'POST') return show();
    const form = await formOf(env, ctx);
    const decision = form.get(fields.decision);
    if (decision === 'deny') return finish(provider, ctx, { error: 'access_denied' });
    const chosen = chosenBrands(form, brands);
    if (decision !== 'allow' || chosen === undefined) return show('Choose at least one brand, or all.');
    const scopes = [grantScopes.read, ...(asksForFactChecks ? [grantScopes.factCheck] : [])];
    const grantId = await makeGrant(env, provider, ctx, { access, wish, scopes, chosen });
    await finish(provider, ctx, { login: { accountId: ACCOUNT, remember: false }, consent: { grantId } });
  };
}

/** Null: all; undefined: the form does not name any that the key can see. */
function chosenBrands(form: URLSearchParams, brands: readonly ListedBrand[]): string[] | null | undefined {
  const which = form.get(fields.which);
  if (which === 'all') return null;
  const named = form.getAll(fields.brand);
  const isKnown = named.every((id) => brands.some((brand) => brand.id === id));
  return which === 'some' && named.length > 0 && isKnown ? [...new Set(named)] : undefined;
}

interface Decision {
  readonly access: Access;
  readonly wish: Wish;
  readonly scopes: readonly string[];
  readonly chosen: readonly string[] | null;
}

/** Stores the grant, and returns its id. The library cannot use its part before the part of the server is there. */
async function makeGrant(
  { db, clock, sessions, publicUrl }: ConnectEnvironment,
  provider: Provider,
  ctx: Context,
  { access, wish: { clientId, assistant }, scopes, chosen }: Decision,
): Promise<string> {
  const now = clock();
  const session = await sessions.read(cookieOf(ctx) ?? '', now);
  if (session === null) throw refuse(errors.unauthorized());
  const grant = new provider.Grant({ accountId: ACCOUNT, clientId });
  grant.addResourceScope(publicUrl + OAUTH_MCP_PATH, scopes.join(' '));
  const id = await grant.save();
  await insertGrant(db, {
    id,
    secretHash: session.secretHash,
    keyId: access.keyId,
    clientId,
    clientName: assistant.name.slice(0, MAX_NAME),
    brandIds: chosen,
    createdAt: now,
  });
  return id;
}

const MAX_NAME = 200;

/** Leads back to the library, which leads back to the assistant. */
async function finish(
  provider: Provider,
  ctx: Context,
  result: Parameters<Provider['interactionResult']>[2],
): Promise<void> {
  const to = await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
  ctx.status = 303;
  ctx.set({ Location: to, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  ctx.body = '';
}

async function formOf(
  { bodyTimeouts: timeouts }: ConnectEnvironment,
  ctx: Context,
): Promise<URLSearchParams> {
  const chunks = await readBody(ctx.req, { maxBytes: FORM_BYTES, timeouts, tooLarge: errors.formTooLarge });
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
