/** The authorization server: `oidc-provider`, with what this server offers of it. */
import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import {
  type Account,
  type Configuration,
  type ErrorOut,
  interactionPolicy,
  type JWK,
  errors as libraryErrors,
  Provider,
} from 'oidc-provider';
import { errors } from '../../../contract/errors.js';
import { GRANT_DAYS, grantScopes, ISSUER_PATH, OAUTH_MCP_PATH } from '../../../contract/oauth.js';
import { isLoopback } from '../../../contract/paths.js';
import { keyOfGrant } from '../../accounts/grants.js';
import type { Clock } from '../../base/clock.js';
import { bodyOf } from '../../base/errors.js';
import { get } from '../../base/guarded-request.js';
import type { Logger } from '../../base/log.js';
import type { GateEnvironment } from '../gates.js';
import { html } from '../page/html.js';
import { layout } from '../page/parts/layout.js';
import { userText } from '../page/parts/text.js';
import { PAGE_PATHS, relativeTo } from '../page/paths.js';
import { sendPage } from '../page/respond.js';
import type { Context } from '../state.js';
import { recordsIn } from './records.js';

export interface ProviderEnvironment extends GateEnvironment {
  readonly db: Knex;
  readonly log: Logger;
  readonly publicUrl: string;
  /** Whether clients may register themselves. */
  readonly registration: boolean;
  /** Fetches a document of a client; if omitted, from public addresses only. */
  readonly fetchDocument?: FetchDocument | undefined;
}

/** Returns the response to a GET, without following redirects. */
export type FetchDocument = (url: URL, signal: AbortSignal) => Promise<Response>;

const DOCUMENT_MS = 5000;
const DOCUMENT_BYTES = 5 * 1024;
const KEYS_BYTES = 64 * 1024;

const fetchPublic: FetchDocument = async (url, signal) => {
  const options = { allowPrivate: false, signal, secureWithinMs: DOCUMENT_MS, userAgent: 'svc' };
  const message = await get(url, options);
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return new Response(Readable.toWeb(message) as ReadableStream, { status: message.statusCode!, headers });
};

/**
 * The one account of the library: whose grant it is, the grant knows. With accounts by key, a person who signs in with another
 * key would be asked to sign out of the library first.
 */
export const ACCOUNT = 'svc';

interface GrantAccount extends Account {
  /** When the key of the grant expires; null: it does not. */
  readonly endsAt: Date | null;
}

const accountUntil = (endsAt: Date | null): GrantAccount => ({
  accountId: ACCOUNT,
  claims: () => ({ sub: ACCOUNT }),
  endsAt,
});

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const CODE_SECONDS = 60;
const INTERACTION_SECONDS = 15 * 60;

/** A time in seconds, and less if the key of the grant expires before. */
const withinKey =
  (seconds: number, clock: Clock) =>
  ({ oidc }: { oidc: { account?: Account | undefined } }): number => {
    const { endsAt = null } = (oidc.account ?? {}) as Partial<GrantAccount>;
    if (endsAt === null) return seconds;
    return Math.max(1, Math.min(seconds, Math.floor((endsAt.getTime() - clock().getTime()) / 1000)));
  };

/** Asks for consent at every authorization: a grant is never extended in silence. */
function policy(): interactionPolicy.DefaultPolicy {
  const prompts = interactionPolicy.base();
  const consent = prompts.get('consent')!;
  const { Check } = interactionPolicy;
  consent.checks.clear();
  consent.checks.add(
    new Check('no_consent', 'consent is required', 'consent_required', ({ oidc }) =>
      oidc.result?.consent ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
    ),
  );
  return prompts;
}

type Metadata = Record<string, unknown>;

/** 400 for a redirect that is neither https nor loopback. All clients are native: those on loopback may use any port. */
function requireRedirects(metadata: Metadata): void {
  metadata.application_type = 'native';
  const uris = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris : [];
  for (const uri of uris) {
    const { protocol, hostname } = URL.canParse(uri) ? new URL(uri) : { protocol: '', hostname: '' };
    const isAllowed = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
    if (!isAllowed)
      throw new libraryErrors.InvalidRedirectUri(
        'redirect_uris must be https, or http on a loopback address',
      );
  }
}

/** Clients that register themselves get what they need here, whatever they ask for; none gets a secret. */
function asPublic(metadata: Metadata): void {
  metadata.token_endpoint_auth_method = 'none';
  delete metadata.client_secret;
  delete metadata.client_secret_expires_at;
}

function onlyCodes(metadata: Metadata): void {
  metadata.grant_types = ['authorization_code', 'refresh_token'];
  metadata.response_types = ['code'];
  metadata.id_token_signed_response_alg = 'ES256';
  delete metadata.scope;
}

/** Tokens are opaque, and nothing is signed. The library takes no client without a key for it. */
const unusedKey = () =>
  ({
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
    alg: 'ES256',
  }) as JWK;

/** What went wrong, for a person whose assistant sent a request that cannot be answered to it. */
function errorPage(ctx: Context, { error, error_description: reason = '' }: ErrorOut): void {
  const link = relativeTo(ISSUER_PATH + ctx.path);
  const { status } = ctx;
  const page = layout(
    { link, title: 'Not connected · Answer visibility' },
    html`
    <section class="card narrow">
      <h1>Not connected</h1>
      <p class="problem">${userText(`${error}: ${reason}`)}</p>
      <p>Nothing was granted. Start again in your assistant.</p>
      <p><a href=${link(PAGE_PATHS.brands)}>All brands</a></p>
    </section>`,
  );
  sendPage(ctx, page, status);
}

export function createProvider(env: ProviderEnvironment): Provider {
  const { db, clock, directory, publicUrl } = env;
  const resource = publicUrl + OAUTH_MCP_PATH;
  const cookie = { httpOnly: true, sameSite: 'lax', secure: true, signed: false } as const;
  const fetchDocument = env.fetchDocument ?? fetchPublic;

  /** Undefined: the grant was ended, or its key does not work any more. */
  async function accountOf(grantId: string): Promise<GrantAccount | undefined> {
    const [grant] = await keyOfGrant(db, { id: grantId });
    const key = grant ? await directory.identifyHash(grant.secretHash) : null;
    const works = key !== null && (key.expiresAt === null || key.expiresAt > clock());
    return works ? accountUntil(key.expiresAt) : undefined;
  }

  const configuration: Configuration = {
    adapter: recordsIn(db, clock),
    jwks: { keys: [unusedKey()] },
    scopes: [],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'private_key_jwt'],
    clientDefaults: {
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    pkce: { required: () => true },
    cookies: {
      names: { session: 'svc_oauth', interaction: 'svc_connect', resume: 'svc_connect_resume' },
      long: { ...cookie, path: ISSUER_PATH },
      short: cookie,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      registration: { enabled: env.registration, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        // Documents are fetched as often as one key may read, whoever asks for them.
        allowFetch: async () => (await env.buckets.take('reads', 'oauth:documents')).granted,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_, __, oneOf) => oneOf?.[0] ?? resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, indicator) => {
          if (indicator !== resource) throw new libraryErrors.InvalidTarget();
          return {
            scope: Object.values(grantScopes).join(' '),
            audience: resource,
            accessTokenFormat: 'opaque',
            accessTokenTTL: HOUR_SECONDS,
          };
        },
      },
    },
    extraClientMetadata: {
      // The validator is called for each client once, with all of its metadata.
      properties: ['software_id'],
      validator: (ctx, _, __, metadata) => {
        requireRedirects(metadata);
        if (ctx !== undefined) asPublic(metadata);
        onlyCodes(metadata);
      },
    },
    ttl: {
      AccessToken: withinKey(HOUR_SECONDS, clock),
      RefreshToken: withinKey(GRANT_DAYS * DAY_SECONDS, clock),
      AuthorizationCode: CODE_SECONDS,
      Interaction: INTERACTION_SECONDS,
      Session: INTERACTION_SECONDS,
      // It ends with its refresh tokens.
      Grant: 3650 * DAY_SECONDS,
    },
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId ? oidc.provider.Grant.find(grantId) : undefined;
    },
    findAccount: (_, __, token) => {
      const grantId = (token as { grantId?: string } | undefined)?.grantId;
      return grantId === undefined ? accountUntil(null) : accountOf(grantId);
    },
    interactions: {
      policy: policy(),
      url: (_, { uid }) => PAGE_PATHS.connect.replace(':token', uid),
    },
    renderError: (ctx, out) => errorPage(ctx as unknown as Context, out),
    clientBasedCORS: () => true,
    fetch: (url) => fetchDocument(new URL(String(url)), AbortSignal.timeout(DOCUMENT_MS)),
    fetchResponseBodyLimits: {
      'client_id metadata document': DOCUMENT_BYTES,
      jwks_uri: KEYS_BYTES,
      sector_identifier_uri: DOCUMENT_BYTES,
    },
  } as Configuration;
  const provider = new Provider(publicUrl + ISSUER_PATH, configuration);
  // Its requests came by https, whatever is between the proxy and this process: see `routes.ts`.
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.status !== 404 || ctx.body) return;
    ctx.body = bodyOf(errors.notFound());
    ctx.status = 404;
  });
  provider.on('server_error', (_, error) => env.log.error({ err: error }, 'authorization server failed'));
  return provider;
}
