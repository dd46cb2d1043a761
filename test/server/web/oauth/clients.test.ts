import { createServer, type RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import {
  auth,
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { get } from '../../../../src/server/base/guarded-request.js';
import type { FetchDocument } from '../../../../src/server/web/oauth/provider.js';
import { NOW, records } from '../../../rules/support/records.js';
import { type Listening, listening } from '../../../support/listening.js';
import { type TestServer, testServer } from '../../../support/server.js';
import {
  authorizationOf,
  exchange,
  fetchAt,
  newVerifier,
  oauthSettings,
  Person,
  REDIRECT,
  RESOURCE,
} from './support/person.js';

const DOCUMENT = 'https://assistant.example/client.json';
const metadata = {
  client_id: DOCUMENT,
  client_name: 'Documented',
  redirect_uris: [REDIRECT],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

/** What a client of the SDK keeps. @param document The address of its metadata document; if omitted, it registers. */
function assistant(document?: string): OAuthClientProvider & { readonly sentTo: () => URL } {
  let client: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
  let tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  let verifier = '';
  let sentTo: URL | undefined;
  return {
    redirectUrl: REDIRECT,
    ...(document && { clientMetadataUrl: document }),
    clientMetadata: { client_name: 'Registered', redirect_uris: [REDIRECT] },
    clientInformation: () => client,
    saveClientInformation: (information) => {
      client = information;
    },
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    redirectToAuthorization: (url) => {
      sentTo = url;
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    sentTo: () => sentTo!,
  };
}

describe('assistants that connect by OAuth', () => {
  let site: Listening;
  let server: TestServer;
  let answer: RequestListener;
  let requests: string[] = [];

  /** As on the public internet, but at the address of the site of the test. */
  const fetchDocument: FetchDocument = async (url, signal) => {
    const options = { allowPrivate: true, signal, secureWithinMs: 1000, userAgent: 'test' };
    const message = await get(new URL(url.pathname, site.url), options);
    const headers = Object.entries(message.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return new Response(Readable.toWeb(message) as ReadableStream, { status: message.statusCode!, headers });
  };

  const open = async (documents: FetchDocument | undefined) => {
    const opened = await testServer({ now: NOW, ...oauthSettings, fetchDocument: documents });
    await opened.load(records);
    return opened;
  };
  /** A second server, which has not fetched anything yet. */
  const another = () => testServer({ now: NOW, ...oauthSettings, fetchDocument, database: server.database });

  beforeEach(async () => {
    requests = [];
    answer = (_, response) => response.end(JSON.stringify(metadata));
    site = await listening(
      createServer((request, response) => {
        requests.push(request.url ?? '');
        answer(request, response);
      }),
    );
    server = await open(fetchDocument);
  });
  afterEach(async () => {
    await Promise.all([site.close(), server.close()]);
  });

  for (const [way, document] of [
    ['a metadata document', DOCUMENT],
    ['registration', undefined],
  ] as const)
    it(`the client of the SDK connects with ${way}, lists the tools and calls one`, async () => {
      const fetchFn = fetchAt(server);
      const provider = assistant(document);
      expect(await auth(provider, { serverUrl: RESOURCE, fetchFn })).to.equal('REDIRECT');
      const person = new Person(server);
      await person.signIn(await server.key({ workspace: 'w', kind: 'read' }));
      const callback = await person.allow(provider.sentTo());
      const authorizationCode = callback.searchParams.get('code')!;
      const iss = callback.searchParams.get('iss')!;
      const result = await auth(provider, { serverUrl: RESOURCE, authorizationCode, iss, fetchFn });
      expect(result).to.equal('AUTHORIZED');
      const client = new Client({ name: 'test', version: '0' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider: provider, fetch: fetchFn }),
      );
      expect((await client.listTools()).tools.map(({ name }) => name)).to.include('get_overview');
      expect((await client.callTool({ name: 'list_brands', arguments: {} })).isError).to.not.equal(true);
      await client.close();
      expect(requests).to.deep.equal(document ? ['/client.json'] : []);
    });

  const refusal = async (clientId = DOCUMENT) => {
    const response = await new Person(server).open(authorizationOf(clientId, newVerifier()));
    return { status: response.status, to: response.headers.get('location'), text: await response.text() };
  };

  it('a metadata document names its host on the consent', async () => {
    const person = new Person(server);
    await person.signIn(await server.key({ workspace: 'w', kind: 'read' }));
    const consent = await person.begin(authorizationOf(DOCUMENT, newVerifier()));
    expect(await (await person.open(consent)).text()).to.contain(
      'It is described by</p><p class="host">assistant.example</p>',
    );
  });

  const broken: Record<string, RequestListener> = {
    'of another client': (_, response) =>
      response.end(JSON.stringify({ ...metadata, client_id: `${DOCUMENT}?x` })),
    'with a secret': (_, response) => response.end(JSON.stringify({ ...metadata, client_secret: 'secret' })),
    'with a redirect of a program': (_, response) =>
      response.end(JSON.stringify({ ...metadata, redirect_uris: [REDIRECT, 'cursor://x/y'] })),
    'that is no JSON': (_, response) => response.end('<html>'),
    'that leads elsewhere': (_, response) => response.writeHead(302, { Location: '/other.json' }).end(),
    'that is not there': (_, response) => response.writeHead(404).end(),
    'over five kilobytes': (_, response) =>
      response.end(JSON.stringify({ ...metadata, x: 'x'.repeat(6000) })),
    'without an end': (_, response) => {
      const more = () => response.write('x'.repeat(1024), (error) => error ?? setImmediate(more));
      more();
    },
  };
  for (const [what, listener] of Object.entries(broken))
    it(`a metadata document ${what} is refused`, async () => {
      answer = listener;
      const { status, to, text } = await refusal();
      expect([status, to]).to.deep.equal([400, null]);
      expect(text).to.contain('Not connected');
      // The library asks again before it says who is unknown.
      expect(requests).to.deep.equal(['/client.json', '/client.json']);
    });

  it('a metadata document that comes slowly, or not at all, is given up after five seconds', async () => {
    answer = (request, response) => {
      if (request.url !== '/trickle.json') return;
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(timer));
    };
    const replies = await Promise.all(
      ['never', 'trickle'].map((name) => refusal(`https://assistant.example/${name}.json`)),
    );
    expect(replies.map(({ status, to }) => [status, to])).to.deep.equal([
      [400, null],
      [400, null],
    ]);
  });

  const described =
    (changed: object): RequestListener =>
    (_, response) =>
      response.end(JSON.stringify({ ...metadata, ...changed }));

  for (const [what, listener] of Object.entries(broken))
    it(`a metadata document that is changed, on the way to a grant, to one ${what} ends the way`, async () => {
      const verifier = newVerifier();
      const person = new Person(server);
      await person.signIn(await server.key({ workspace: 'w', kind: 'read' }));
      const consent = await person.begin(authorizationOf(DOCUMENT, verifier));
      const code = (await person.allow(authorizationOf(DOCUMENT, verifier))).searchParams.get('code')!;
      answer = listener;
      const second = await another();
      const page = await person.on(second).open(consent);
      expect([page.status, await page.text()]).to.satisfy(
        ([status, text]: [number, string]) =>
          status === 404 && text.includes('Start again in your assistant'),
      );
      const { status, body } = await exchange(second, DOCUMENT, code, verifier);
      expect([status, body.access_token]).to.deep.equal([400, undefined]);
      expect(body.error).to.match(/^invalid_(client|client_metadata|redirect_uri)$/);
      answer = described({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } });
      const third = await another();
      expect((await exchange(third, DOCUMENT, code, verifier)).body.error).to.equal('invalid_client');
      await Promise.all([second.close(), third.close()]);
    });

  it('a metadata document with another redirect takes nothing to it that was allowed before', async () => {
    const verifier = newVerifier();
    const person = new Person(server);
    await person.signIn(await server.key({ workspace: 'w', kind: 'read' }));
    const consent = await person.begin(authorizationOf(DOCUMENT, verifier));
    const elsewhere = 'https://elsewhere.example/callback';
    answer = described({ client_name: 'Renamed', redirect_uris: [elsewhere] });
    const second = await another();
    const moved = person.on(second);
    expect(await (await moved.open(consent)).text())
      .to.contain('Renamed')
      .and.contain('assistant.example</p>');
    const to = await moved.decide(consent, { which: 'all', decision: 'allow' });
    expect(to.href.startsWith(`${REDIRECT}?`)).to.equal(true);
    const code = to.searchParams.get('code')!;
    const wrong = await exchange(second, DOCUMENT, code, verifier, { redirect_uri: elsewhere });
    expect(wrong.body.error).to.equal('invalid_grant');
    await second.close();
  });

  it('a metadata document on a private address is not fetched', async () => {
    await server.close();
    server = await open(undefined);
    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '10.0.0.1', 'localhost']) {
      const { status, to } = await refusal(`https://${host}/client.json`);
      expect([status, to], host).to.deep.equal([400, null]);
    }
    expect(requests).to.deep.equal([]);
  });
});
