/** A real OpenID provider on this machine, which a test can make answer wrongly. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type JWK } from 'oidc-provider';

export const CLIENT_ID = 'svc';
export const CLIENT_SECRET = 'secret-of-the-client-0123456789';

/** The claims of an account, besides `sub`. */
export type Claims = Readonly<Record<string, unknown>>;

export interface TestProvider {
  readonly issuer: string;
  /** The accounts by `sub`. */
  readonly accounts: Map<string, Claims>;
  /** Who is at the keyboard; null: somebody who declines. */
  present: string | null;
  /** What is done to the body of a response, by the end of its path. */
  readonly changed: Map<string, (body: Record<string, unknown>) => Record<string, unknown> | string>;
  /** Handles a request instead of the library, by the end of its path. */
  readonly replaced: Map<string, (response: ServerResponse) => void>;
  /** The paths that were requested. */
  readonly requests: string[];
  /** An ID token of the provider with other claims, signed by its key or by another one. */
  signed(token: string, claims: Claims, own?: boolean): string;
  close(): Promise<void>;
}

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

interface Options {
  readonly callback: string;
  /** Whether the ID token has all claims; else the person's own endpoint has them. */
  readonly inIdToken?: boolean;
}

export async function openIdProvider({ callback, inIdToken = false }: Options): Promise<TestProvider> {
  const [own, foreign] = [pair(), pair()];
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const jwk = { ...own.privateKey.export({ format: 'jwk' }), alg: 'RS256', kid: 'own' } as JWK;
  const library = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [callback] }],
    jwks: { keys: [jwk] },
    cookies: { keys: ['keys of the cookies of a test'] },
    scopes: ['openid'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    conformIdTokenClaims: !inIdToken,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => {
      const claims = provider.accounts.get(sub);
      return claims && { accountId: sub, claims: () => ({ ...claims, sub }) };
    },
  });
  const callLibrary = library.callback();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', issuer).pathname;
    provider.requests.push(path);
    for (const [end, replacement] of provider.replaced) if (path.endsWith(end)) return replacement(response);
    for (const [end, change] of provider.changed) if (path.endsWith(end)) changeBody(response, change);
    if (path.startsWith('/interaction/')) return decide(request, response);
    return void callLibrary(request, response);
  }

  /** Signs in who is present, and consents to all. */
  async function decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await library.interactionDetails(request, response);
    const accountId = provider.present;
    if (accountId === null) return library.interactionFinished(request, response, { error: 'access_denied' });
    const grant = new library.Grant({ accountId, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const consent = { grantId: await grant.save() };
    await library.interactionFinished(request, response, { login: { accountId, remember: false }, consent });
  }

  const provider: TestProvider = {
    issuer,
    accounts: new Map(),
    present: null,
    changed: new Map(),
    replaced: new Map(),
    requests: [],
    signed: (token, claims, isOwn = true) => {
      const [head = '', body = ''] = token.split('.');
      const all = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), ...claims };
      const text = `${head}.${Buffer.from(JSON.stringify(all)).toString('base64url')}`;
      const key = (isOwn ? own : foreign).privateKey;
      return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return provider;
}

/** Changes the JSON that the library sends. */
function changeBody(
  response: ServerResponse,
  change: (body: Record<string, unknown>) => Record<string, unknown> | string,
): void {
  const end = response.end.bind(response) as (text: string) => ServerResponse;
  response.end = ((text: string) => {
    const changed = change(JSON.parse(String(text)) as Record<string, unknown>);
    const body = typeof changed === 'string' ? changed : JSON.stringify(changed);
    response.setHeader('Content-Length', Buffer.byteLength(body));
    return end(body);
  }) as typeof response.end;
}

/** A browser at the provider: follows its redirects, and returns the address at which it sends the person back. */
export async function atProvider(address: string, { issuer }: Pick<TestProvider, 'issuer'>): Promise<string> {
  const cookies = new Map<string, string>();
  let at = address;
  for (let steps = 0; steps < 10; steps++) {
    if (!at.startsWith(issuer)) return at;
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${at}: ${response.status} ${await response.text()}`);
    at = new URL(location, at).href;
  }
  throw new Error('too many redirects');
}
