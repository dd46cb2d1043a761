/** What an OpenID provider says of a person: `openid-client` with what this server asks of it. */
import * as client from 'openid-client';
import { errors, type Refusal } from '../../../contract/errors.js';
import { hostOf, type IdentityProvider } from '../../accounts/identity-provider.js';
import type { Identity } from '../../accounts/people.js';
import type { Stopwatch } from '../../base/clock.js';
import { RefusedError, refuse } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { isStorable } from '../../base/statement.js';

/** What the browser keeps between the way to the provider and the way back. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Identities {
  /** The address at which the person signs in. */
  begin(attempt: Attempt, redirectUri: string): Promise<URL>;
  /** Who came back. @param address With the answer of the provider in its query. */
  finish(attempt: Attempt, address: URL): Promise<Identity>;
}

const TIMEOUT_SECONDS = 5;
/** How far the clock of the provider may be from that of this machine. */
const TOLERANCE_SECONDS = 60;
/** How long what the provider says of itself is kept. */
const KEPT_MS = 3_600_000;

export const newAttempt = (): Attempt => ({
  state: client.randomState(),
  nonce: client.randomNonce(),
  verifier: client.randomPKCECodeVerifier(),
});

/** How the client proves itself: by the header, the default of OpenID Connect; in the form if the provider takes nothing else. */
const authentication = (secret: string): client.ClientAuth => {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] } = server;
    const isPost = !ways.includes('client_secret_basic') && ways.includes('client_secret_post');
    (isPost ? post : basic)(server, ...rest);
  };
};

/** Asks the provider what it is. @throws Error of `openid-client`; `refusalIn` says it in words. */
export async function discover({
  issuer,
  clientId,
  clientSecret,
}: IdentityProvider): Promise<client.Configuration> {
  const url = new URL(issuer);
  const execute = [client.enableNonRepudiationChecks];
  if (url.protocol === 'http:') execute.push(client.allowInsecureRequests);
  const metadata = { [client.clockTolerance]: TOLERANCE_SECONDS };
  const options = { execute, timeout: TIMEOUT_SECONDS };
  const found = await client.discovery(url, clientId, metadata, authentication(clientSecret), options);
  requireEndpoints(found.serverMetadata(), url.protocol);
  return found;
}

/** Endpoints that a provider may leave out in general, and not here; those by http are on this machine, as the issuer is. */
function requireEndpoints(server: client.ServerMetadata, protocol: string): void {
  const { authorization_endpoint, token_endpoint, jwks_uri } = server;
  for (const [name, value] of Object.entries({ authorization_endpoint, token_endpoint, jwks_uri })) {
    const isUsable = typeof value === 'string' && URL.canParse(value);
    const used = isUsable ? new URL(value).protocol : '';
    if (used !== 'https:' && used !== protocol) throw new Error(`${name} is missing, or no https address`);
  }
}

export function createIdentities(provider: IdentityProvider, elapsed: Stopwatch, log: Logger): Identities {
  let kept: { readonly found: Promise<client.Configuration>; readonly until: number } | undefined;
  const configuration = (): Promise<client.Configuration> => {
    if (kept && elapsed() < kept.until) return kept.found;
    const found = discover(provider);
    const entry = { found, until: elapsed() + KEPT_MS };
    kept = entry;
    found.catch(() => {
      if (kept === entry) kept = undefined;
    });
    return found;
  };
  const inWords = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      const { refusal, detail } = refusalIn(provider, error);
      // Causes have what was sent: codes and tokens.
      log.warn({ provider: hostOf(provider), detail }, 'sign-in by the OpenID provider failed');
      throw refuse(refusal);
    }
  };
  return {
    begin: (attempt, redirectUri) =>
      inWords(async () => {
        const config = await configuration();
        const { state, nonce, verifier } = attempt;
        return client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: provider.scope,
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
      }),
    finish: ({ state, nonce, verifier }, address) =>
      inWords(async () => {
        const config = await configuration();
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        const tokens = await client.authorizationCodeGrant(config, address, checks);
        const claims = tokens.claims()!;
        const isComplete = claims.email_verified !== undefined && claims[provider.groupsClaim] !== undefined;
        if (isComplete || config.serverMetadata().userinfo_endpoint === undefined)
          return identityOf(provider, claims);
        const more = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
        // An email and whether it is verified are of one source.
        const { email, email_verified } = claims.email_verified === undefined ? more : claims;
        return identityOf(provider, { ...more, ...claims, email, email_verified });
      }),
  };
}

const MAX_LENGTH = 255;
const MAX_GROUPS = 1000;

/** An email counts only if the provider says that it is verified. */
function identityOf(provider: IdentityProvider, claims: { readonly [claim: string]: unknown }): Identity {
  const text = (claim: string): string | undefined => {
    const value = claims[claim];
    const isText = typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH;
    return isText && isStorable(value) ? value : undefined;
  };
  const subject = text('sub');
  if (subject === undefined) throw refuse(errors.providerInvalid(hostOf(provider), 'sub'));
  const email = claims.email_verified === true ? text('email') : undefined;
  const listed = [claims[provider.groupsClaim]].flat();
  const groups = listed.filter((each): each is string => typeof each === 'string' && isStorable(each));
  return {
    subject,
    name: text('name') ?? text('preferred_username') ?? text('email') ?? subject,
    email: email ?? null,
    groups: groups.slice(0, MAX_GROUPS),
  };
}

/** Errors of connections, by name or by the codes of Node. */
const UNREACHABLE = /^(OAUTH_TIMEOUT|OAUTH_ABORT|E[A-Z]+|UND_ERR\w*|ERR_SSL\w*|CERT_\w*|\w*SELF_SIGNED\w*)$/;

/** What to tell people, and a detail for the operator without what was sent. */
export function refusalIn(
  provider: IdentityProvider,
  error: unknown,
): { readonly refusal: Refusal; readonly detail: string } {
  const host = hostOf(provider);
  if (error instanceof client.AuthorizationResponseError) {
    const { error: said } = error;
    return { refusal: errors.providerRefused(host, said), detail: named(said) };
  }
  if (error instanceof client.ResponseBodyError) {
    const { error: said } = error;
    const refusal = said === 'invalid_grant' ? errors.signInExpired() : errors.providerInvalid(host, said);
    return { refusal, detail: named(said) };
  }
  if (error instanceof client.WWWAuthenticateChallengeError) {
    const said = error.cause[0]?.parameters.error ?? `status ${error.status}`;
    return { refusal: errors.providerInvalid(host, said), detail: named(said) };
  }
  const { code, cause, message } = error as { code?: string; cause?: Cause; message: string };
  const codes = [code, cause?.code].filter((each) => typeof each === 'string');
  if (codes.some((each) => UNREACHABLE.test(each)))
    return { refusal: errors.providerUnreachable(host), detail: `${message} ${codes.join(' ')}` };
  // The library's own words, and not those of what it read.
  const detail = cause?.name === 'OperationProcessingError' ? cause.message : message;
  return { refusal: errors.providerInvalid(host, detail), detail };
}

interface Cause {
  readonly name?: string;
  readonly code?: string;
  readonly message: string;
}

/** An error as OAuth names it: other texts of a stranger are not logged. */
const named = (code: string): string => (/^[a-z_]{1,60}$/.test(code) ? code : 'an unnamed error');
