/** A person with a browser who connects assistants to a server whose public address is https. */
import { createHash, randomBytes } from 'node:crypto';
import type { TestServer } from '../../../../support/server.js';

/** The public address of the servers in these tests. */
export const PUBLIC_URL = 'https://svc.example';
export const ISSUER = `${PUBLIC_URL}/oauth`;
export const RESOURCE = `${PUBLIC_URL}/mcp`;
export const REDIRECT = 'https://assistant.example/callback';

/** The settings with which people can connect assistants. */
export const oauthSettings = { publicUrl: PUBLIC_URL, oauth: true, oauthRegistration: true } as const;

/** A server, wherever it runs. */
export interface Reachable extends Pick<TestServer, 'url'> {
  /** If omitted, `PUBLIC_URL`. */
  readonly publicUrl?: string;
}

/** Sends what is meant for the public address to the server. */
export const fetchAt =
  (server: Reachable) =>
  (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { origin, pathname, search } = new URL(String(input));
    if (origin !== (server.publicUrl ?? PUBLIC_URL)) throw new Error(`not the server: ${origin}`);
    return fetch(server.url + pathname + search, { redirect: 'manual', ...init });
  };

/** A browser: it keeps cookies by path, and sends those of the page to the page only. */
export class Person {
  readonly #server: Reachable;
  readonly #cookies = new Map<string, { pair: string; path: string }>();

  constructor(server: Reachable) {
    this.#server = server;
  }

  /** The same browser, which reaches another server at the public address. */
  on(server: Reachable): Person {
    const person = new Person(server);
    for (const [name, cookie] of this.#cookies) person.#cookies.set(name, cookie);
    return person;
  }

  async open(address: string | URL, form?: URLSearchParams): Promise<Response> {
    const { publicUrl = PUBLIC_URL } = this.#server;
    const url = new URL(address, publicUrl);
    const cookies = [...this.#cookies].filter(([, { path }]) => url.pathname.startsWith(path));
    const response = await fetchAt(this.#server)(url, {
      headers: {
        Cookie: cookies.map(([, { pair }]) => pair).join('; '),
        Accept: 'text/html',
        ...(form && { Origin: publicUrl }),
      },
      ...(form && { method: 'POST', body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = set.split('; ');
      const [name, value] = pair.split('=');
      const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/';
      if (value === '') this.#cookies.delete(name + path);
      else this.#cookies.set(name + path, { pair, path });
    }
    return response;
  }

  async signIn(key: string): Promise<void> {
    const response = await this.open('/sign-in', new URLSearchParams({ key }));
    if (response.status !== 303) throw new Error(`sign-in: ${response.status} ${await response.text()}`);
  }

  /** Follows an authorization to the first page of the server, and returns the address of the consent. */
  async begin(authorization: string | URL): Promise<string> {
    const response = await this.open(authorization);
    const first = response.headers.get('location');
    if (response.status !== 303 || !first?.startsWith('/connect/'))
      throw new Error(`authorization: ${response.status} ${first} ${await response.text()}`);
    const page = await this.open(first);
    if (page.status !== 200) throw new Error(`first page: ${page.status} ${await page.text()}`);
    return `${first}/consent`;
  }

  /** Decides, and returns the address at which the assistant gets the answer. */
  async decide(consent: string, form: Record<string, string> | [string, string][]): Promise<URL> {
    const decided = await this.open(consent, new URLSearchParams(form));
    const resume = decided.headers.get('location');
    if (decided.status !== 303 || resume === null)
      throw new Error(`consent: ${decided.status} ${await decided.text()}`);
    const answer = await this.open(resume);
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`resume: ${answer.status} ${await answer.text()}`);
    return new URL(location);
  }

  /** From an authorization to the answer: allows all brands. */
  async allow(authorization: string | URL): Promise<URL> {
    return this.decide(await this.begin(authorization), { which: 'all', decision: 'allow' });
  }
}

/** Registers an assistant, and returns the body of the response. */
export async function register(
  server: Reachable,
  metadata: object = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetchAt(server)(`${server.publicUrl ?? PUBLIC_URL}/oauth/reg`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Assistant', redirect_uris: [REDIRECT], ...metadata }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

export const registered = async (server: Reachable, metadata?: object): Promise<string> =>
  String((await register(server, metadata)).body.client_id);

export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

export const newVerifier = (): string => randomBytes(32).toString('base64url');

/** The address of an authorization with PKCE; a parameter that is null is left out. */
export function authorizationOf(
  clientId: string,
  verifier: string,
  changed: Record<string, string | null> = {},
): URL {
  const url = new URL(`${ISSUER}/auth`);
  const parameters = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    scope: 'svc:read',
    resource: RESOURCE,
    state: 'state-1',
    ...changed,
  };
  for (const [name, value] of Object.entries(parameters))
    if (value !== null) url.searchParams.set(name, value);
  return url;
}

export interface TokenReply {
  readonly status: number;
  readonly body: {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly expires_in: number;
    readonly scope: string;
    readonly error?: string;
  };
}

export async function token(server: Reachable, fields: Record<string, string>): Promise<TokenReply> {
  const response = await fetchAt(server)(`${ISSUER}/token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  return { status: response.status, body: (await response.json()) as TokenReply['body'] };
}

export const exchange = (
  server: Reachable,
  clientId: string,
  code: string,
  verifier: string,
  changed: Record<string, string> = {},
): Promise<TokenReply> =>
  token(server, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
    resource: RESOURCE,
    ...changed,
  });

export const refresh = (server: Reachable, clientId: string, refreshToken: string): Promise<TokenReply> =>
  token(server, { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });

export interface Connected extends Pick<TokenReply, 'body'> {
  readonly clientId: string;
}

/** Connects an assistant for a key: all of the way. */
export async function connected(
  server: TestServer,
  key: string,
  { scope = 'svc:read', brands }: { scope?: string; brands?: readonly string[] } = {},
): Promise<Connected> {
  const clientId = await registered(server);
  const person = new Person(server);
  await person.signIn(key);
  const verifier = newVerifier();
  const consent = await person.begin(authorizationOf(clientId, verifier, { scope }));
  const which: [string, string][] = brands
    ? [['which', 'some'], ...brands.map((id): [string, string] => ['brand', id])]
    : [['which', 'all']];
  const answer = await person.decide(consent, [...which, ['decision', 'allow']]);
  const { status, body } = await exchange(server, clientId, answer.searchParams.get('code')!, verifier);
  if (status !== 200) throw new Error(`token: ${status} ${JSON.stringify(body)}`);
  return { clientId, body };
}

/** Calls a tool at the endpoint for tokens. */
export const callAt = (
  server: Reachable,
  bearer: string | null,
  name: string,
  args: object = {},
): Promise<Response> =>
  fetchAt(server)(RESOURCE, {
    method: 'POST',
    headers: bearer === null ? {} : { Authorization: `Bearer ${bearer}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });

/** The ids of the brands that a token sees. */
export async function brandsSeen(server: TestServer, bearer: string): Promise<string[]> {
  const response = await callAt(server, bearer, 'list_brands');
  if (response.status !== 200) throw new Error(`list_brands: ${response.status} ${await response.text()}`);
  const { result } = (await response.json()) as { result: { content: { text: string }[] } };
  const { brands } = JSON.parse(result.content[0]!.text) as { brands: { id: string }[] };
  return brands.map(({ id }) => id).sort();
}
