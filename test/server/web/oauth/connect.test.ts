import { expect } from 'chai';
import { ruleServer } from '../../../rules/support/rule-server.js';
import { testServer } from '../../../support/server.js';
import {
  authorizationOf,
  brandsSeen,
  callAt,
  connected,
  exchange,
  ISSUER,
  newVerifier,
  oauthSettings,
  Person,
  PUBLIC_URL,
  REDIRECT,
  RESOURCE,
  refresh,
  register,
  registered,
} from './support/person.js';

const DAY = 86_400_000;
const METADATA = `${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`;

describe('connecting an assistant by OAuth', () => {
  const server = ruleServer({ clock: 'reset', ...oauthSettings });
  const readKey = (more = {}) => server.key({ workspace: 'w', kind: 'read', ...more });
  const json = async (path: string) =>
    (await (await server.request(path, null)).json()) as Record<string, unknown>;

  it('says where a token is to be had, at its own path only', async () => {
    const refused = await callAt(server, null, 'list_brands');
    expect([refused.status, refused.headers.get('www-authenticate')]).to.deep.equal([
      401,
      `Bearer resource_metadata="${METADATA}", scope="svc:read"`,
    ]);
    expect(await json('/.well-known/oauth-protected-resource/mcp')).to.include({ resource: RESOURCE });
    const found = await json('/.well-known/oauth-authorization-server/oauth');
    expect(found).to.include({
      issuer: ISSUER,
      token_endpoint: `${ISSUER}/token`,
      registration_endpoint: `${ISSUER}/reg`,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    expect(found.code_challenge_methods_supported).to.deep.equal(['S256']);
    expect(found.token_endpoint_auth_methods_supported).to.include('none');
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/api/mcp',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/api/mcp',
      '/.well-known/openid-configuration',
    ])
      expect((await server.request(path, null)).status, path).to.equal(404);
    const other = await server.request('/api/mcp', null, { method: 'POST', body: '{}' });
    expect([other.status, other.headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer']);
  });

  it('is off unless it is switched on', async () => {
    const off = await testServer({ now: server.now, database: server.database, publicUrl: PUBLIC_URL });
    for (const path of ['/mcp', '/oauth/auth', '/.well-known/oauth-protected-resource/mcp', '/connect/x'])
      expect((await off.request(path, null)).status, path).to.equal(404);
    await off.close();
  });

  it('leads over a page of the server and the sign-in to a consent that names the assistant, and to a token', async () => {
    const clientId = await registered(server, { client_name: 'Helpful <b>assistant</b>' });
    const person = new Person(server);
    const verifier = newVerifier();
    const consent = await person.begin(authorizationOf(clientId, verifier));
    const form = (await person.open(consent)).headers.get('location')!;
    expect(new URL(form, PUBLIC_URL + consent).searchParams.get('to')).to.equal(consent);
    const key = await readKey();
    await person.signIn(key);
    const page = await person.open(consent);
    expect(page.headers.get('content-security-policy')).to.contain(
      "form-action 'self' https://assistant.example;",
    );
    const text = await page.text();
    expect(text).to.contain('Helpful &lt;b>assistant').and.contain('<p class="host">assistant.example</p>');
    expect(text).to.contain('read, and nothing else').and.not.contain('fact check');
    const answer = await person.decide(consent, { which: 'all', decision: 'allow' });
    expect(answer.href.startsWith(`${REDIRECT}?`)).to.equal(true);
    expect(Object.fromEntries(answer.searchParams)).to.include({ state: 'state-1', iss: ISSUER });
    const { status, body } = await exchange(server, clientId, answer.searchParams.get('code')!, verifier);
    expect([status, body.expires_in, body.scope]).to.deep.equal([200, 3600, 'svc:read']);
    const asKey = await server.read<{ brands: { id: string }[] }>('/api/v1/brands', key);
    expect(await brandsSeen(server, body.access_token)).to.deep.equal(
      asKey.brands.map(({ id }) => id).sort(),
    );
  });

  it('warns where the assistant is a program on the computer of the person, and takes any port there', async () => {
    const clientId = await registered(server, { redirect_uris: ['http://127.0.0.1/callback'] });
    const person = new Person(server);
    await person.signIn(await readKey());
    const authorization = authorizationOf(clientId, newVerifier(), {
      redirect_uri: 'http://127.0.0.1:49152/callback',
    });
    const consent = await person.begin(authorization);
    expect(await (await person.open(consent)).text()).to.contain('a program on your own computer');
    const answer = await person.decide(consent, { which: 'all', decision: 'allow' });
    expect(answer.host).to.equal('127.0.0.1:49152');
  });

  it('grants the chosen brands, and none that the key does not see', async () => {
    const key = await readKey();
    const [first] = (await server.read<{ brands: { id: string }[] }>('/api/v1/brands', key)).brands;
    const { body } = await connected(server, key, { brands: [first!.id] });
    expect(await brandsSeen(server, body.access_token)).to.deep.equal([first!.id]);
    const person = new Person(server);
    await person.signIn(key);
    const consent = await person.begin(authorizationOf(await registered(server), newVerifier()));
    for (const wrong of [
      [['which', 'some']],
      [
        ['which', 'some'],
        ['brand', 'of-nobody'],
      ],
      [],
    ] as [string, string][][]) {
      const form = new URLSearchParams([...wrong, ['decision', 'allow']]);
      expect((await person.open(consent, form)).status, String(form)).to.equal(400);
    }
  });

  it('tells the assistant of a person who does not allow it', async () => {
    const person = new Person(server);
    await person.signIn(await readKey());
    const consent = await person.begin(authorizationOf(await registered(server), newVerifier()));
    const answer = await person.decide(consent, { decision: 'deny' });
    expect(Object.fromEntries(answer.searchParams)).to.include({ error: 'access_denied', iss: ISSUER });
  });

  it('connects several assistants from one browser, one after the other and at once, in any order', async () => {
    const person = new Person(server);
    await person.signIn(await readKey());
    const begin = async () => {
      const verifier = newVerifier();
      const clientId = await registered(server);
      return { clientId, verifier, consent: await person.begin(authorizationOf(clientId, verifier)) };
    };
    const finish = async ({ clientId, verifier, consent }: Awaited<ReturnType<typeof begin>>) => {
      const answer = await person.decide(consent, { which: 'all', decision: 'allow' });
      const { status } = await exchange(server, clientId, answer.searchParams.get('code')!, verifier);
      expect(status).to.equal(200);
    };
    await finish(await begin());
    const [second, third] = [await begin(), await begin()];
    await finish(third);
    await finish(second);
  });

  it('refuses a key with an address list, with the reason', async () => {
    const person = new Person(server);
    await person.signIn(await readKey({ allow: ['127.0.0.1'] }));
    const consent = await person.begin(authorizationOf(await registered(server), newVerifier()));
    for (const form of [undefined, new URLSearchParams({ which: 'all', decision: 'allow' })]) {
      const page = await person.open(consent, form);
      expect([page.status, await page.text()].join(' ')).to.match(/^403 .*from some addresses only/s);
    }
  });

  it('takes the decision from its own form and the browser that began only', async () => {
    const person = new Person(server);
    const key = await readKey();
    await person.signIn(key);
    const consent = await person.begin(authorizationOf(await registered(server), newVerifier()));
    const foreign = await server.request(consent, null, {
      method: 'POST',
      headers: { Origin: 'https://evil.example' },
      body: new URLSearchParams({ which: 'all', decision: 'allow' }),
    });
    expect(foreign.status).to.equal(403);
    const other = new Person(server);
    await other.signIn(key);
    expect(
      (await other.open(consent, new URLSearchParams({ which: 'all', decision: 'allow' }))).status,
    ).to.equal(404);
  });

  it('asks for fact checks by 403, and grants them for a full key only', async () => {
    const full = await server.key({ workspace: 'w', kind: 'full' });
    const { body } = await connected(server, full);
    const refused = await callAt(server, body.access_token, 'run_fact_check');
    expect([refused.status, refused.headers.get('www-authenticate')]).to.deep.equal([
      403,
      `Bearer error="insufficient_scope", resource_metadata="${METADATA}", scope="svc:read svc:fact-check"`,
    ]);
    const more = await connected(server, full, { scope: 'svc:read svc:fact-check' });
    expect(more.body.scope).to.equal('svc:read svc:fact-check');
    expect((await callAt(server, more.body.access_token, 'run_fact_check')).status).to.equal(200);
    const less = await connected(server, await readKey(), { scope: 'svc:read svc:fact-check' });
    expect(less.body.scope).to.equal('svc:read');
  });

  it('uses the bucket of the key, in which all its grants and its own requests are', async () => {
    const key = await readKey();
    const { body } = await connected(server, key);
    server.pass(60_000);
    const before = Number((await server.request('/api/v1/brands', key)).headers.get('x-ratelimit-remaining'));
    const after = await callAt(server, body.access_token, 'list_brands');
    expect(Number(after.headers.get('x-ratelimit-remaining'))).to.equal(before - 1);
  });

  it('ends access within a second of the revocation of the key, and at its expiry', async () => {
    const expiring = await connected(server, await readKey({ expires: '2026-11-20T12:30:00Z' }));
    expect(expiring.body.expires_in).to.equal(1800);
    const key = await readKey();
    const { clientId, body } = await connected(server, key);
    expect((await callAt(server, body.access_token, 'list_brands')).status).to.equal(200);
    await server.database.knex.raw('update api_keys set revoked_at = ? where display = ?', [
      server.now,
      key.slice(0, 12),
    ]);
    server.pass();
    const refused = await callAt(server, body.access_token, 'list_brands');
    expect(refused.headers.get('www-authenticate')).to.contain('error="invalid_token"');
    expect((await refresh(server, clientId, body.refresh_token)).body.error).to.equal('invalid_grant');
    server.now = new Date('2026-11-20T12:30:00Z');
    expect((await callAt(server, expiring.body.access_token, 'list_brands')).status).to.equal(401);
    const late = await refresh(server, expiring.clientId, expiring.body.refresh_token);
    expect(late.body.error).to.equal('invalid_grant');
  });

  it('renews tokens for thirty days since their last use', async () => {
    const { clientId, body } = await connected(server, await readKey());
    server.pass(29 * DAY);
    expect((await callAt(server, body.access_token, 'list_brands')).status).to.equal(401);
    const next = await refresh(server, clientId, body.refresh_token);
    expect([next.status, next.body.expires_in]).to.deep.equal([200, 3600]);
    expect((await callAt(server, next.body.access_token, 'list_brands')).status).to.equal(200);
    server.pass(30 * DAY);
    expect((await refresh(server, clientId, next.body.refresh_token)).body.error).to.equal('invalid_grant');
  });

  it('goes on after a restart, wherever it happens', async () => {
    const key = await readKey();
    const clientId = await registered(server);
    const again = () => testServer({ now: server.now, database: server.database, ...oauthSettings });
    const verifier = newVerifier();
    const person = new Person(server);
    await person.signIn(key);
    const consent = await person.begin(authorizationOf(clientId, verifier));
    const second = await again();
    const moved = person.on(second);
    const answer = await moved.decide(consent, { which: 'all', decision: 'allow' });
    const third = await again();
    const { body } = await exchange(third, clientId, answer.searchParams.get('code')!, verifier);
    expect((await callAt(second, body.access_token, 'list_brands')).status).to.equal(200);
    expect((await refresh(second, clientId, body.refresh_token)).status).to.equal(200);
    await Promise.all([second.close(), third.close()]);
  });
});

describe('registration of assistants', () => {
  const server = ruleServer({ per: 'test', ...oauthSettings });

  it('takes https and loopback redirects, and no other', async () => {
    for (const uri of [
      'https://a.example/cb',
      'http://localhost:8787/callback',
      'http://127.0.0.1/',
      'http://[::1]/',
    ])
      expect((await register(server, { redirect_uris: [uri] })).status, uri).to.equal(201);
    for (const uri of [
      'http://a.example/cb',
      'cursor://x/cb',
      'javascript:alert(1)',
      'nonsense',
      'https://a.example/#x',
    ])
      for (const application_type of ['web', 'native'])
        expect((await register(server, { redirect_uris: [uri], application_type })).status, uri).to.equal(
          400,
        );
  });

  it('gives no secret, whatever is asked for', async () => {
    for (const token_endpoint_auth_method of [
      'none',
      'client_secret_post',
      'client_secret_basic',
      undefined,
    ]) {
      const { status, body } = await register(server, { token_endpoint_auth_method });
      expect([status, body.token_endpoint_auth_method]).to.deep.equal([201, 'none']);
      expect(body).to.not.have.any.keys('client_secret', 'registration_access_token');
    }
  });

  it('takes twenty an hour', async () => {
    for (let count = 0; count < 20; count++) expect((await register(server)).status).to.equal(201);
    expect((await register(server)).status).to.equal(429);
    server.pass(3_600_001);
    expect((await register(server)).status).to.equal(201);
  });

  it('is off unless it is switched on', async () => {
    const closed = await testServer({
      database: server.database,
      ...oauthSettings,
      oauthRegistration: false,
    });
    const response = await closed.request('/oauth/reg', null, { method: 'POST', body: '{}' });
    expect(response.status).to.equal(404);
    await closed.close();
  });
});
