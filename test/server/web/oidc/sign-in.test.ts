import { expect } from 'chai';
import type { IdentityProvider } from '../../../../src/server/accounts/identity-provider.js';
import { rulesOf } from '../../../../src/server/accounts/identity-provider.js';
import { dropInactivePeople, listPeople, revokePerson } from '../../../../src/server/accounts/people.js';
import { collectingLog } from '../../../rules/support/collecting-log.js';
import { NOW, records } from '../../../rules/support/records.js';
import { type TestServer, testServer } from '../../../support/server.js';
import {
  authorizationOf,
  brandsSeen,
  callAt,
  exchange,
  newVerifier,
  oauthSettings,
  Person,
  PUBLIC_URL,
  refresh,
  registered,
} from '../oauth/support/person.js';
import {
  atProvider,
  CLIENT_ID,
  CLIENT_SECRET,
  openIdProvider,
  type TestProvider,
} from './support/provider.js';

const DAY = 86_400_000;
const CALLBACK = `${PUBLIC_URL}/sign-in/callback`;
const anna = { email: 'anna@example.com', email_verified: true, name: 'Anna' };

describe('signing in by an OpenID provider', () => {
  let provider: TestProvider;
  let server: TestServer;
  const { log, lines } = collectingLog();

  const settings = (access: string, changed: Partial<IdentityProvider> = {}): IdentityProvider => ({
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    rules: rulesOf(access)!,
    scope: 'openid email profile groups',
    groupsClaim: 'groups',
    ...changed,
  });
  const serverWith = (identityProvider: IdentityProvider, database = server?.database) =>
    testServer({ now: NOW, database, log, logLevel: 'trace', identityProvider, ...oauthSettings });
  const RULES = 'group:chiefs=w/full, domain:example.com=w/read';

  before(async () => {
    provider = await openIdProvider({ callback: CALLBACK });
    server = await serverWith(settings(RULES), undefined);
    await server.load(records);
  });
  after(async () => {
    await server?.close();
    await provider?.close();
  });
  beforeEach(async () => {
    server.now = NOW;
    for (const each of [provider.accounts, provider.changed, provider.replaced]) each.clear();
    provider.accounts.set('anna', anna);
    provider.present = 'anna';
    lines.length = 0;
    await server.database.knex('people').delete();
  });

  /** Goes to the provider, and returns the address at which it sends the person back. */
  async function back(person: Person, to?: string): Promise<string> {
    const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
    const response = await person.open(`/sign-in/account${query}`);
    if (response.status !== 303) throw new Error(`begin: ${response.status} ${await response.text()}`);
    return atProvider(response.headers.get('location')!, provider);
  }
  /** All of the way, and the page at the end of it. */
  async function come(person: Person, to?: string): Promise<{ status: number; text: string }> {
    const response = await person.open(await back(person, to));
    return { status: response.status, text: await response.text() };
  }
  const isIn = async (person: Person) =>
    (await person.open('/brands')).status < 400 && !(await leads(person));
  const leads = async (person: Person) =>
    (await person.open('/brands')).headers.get('location')?.includes('sign-in') ?? false;

  it('lets a person in by the domain of a verified email, as what the rule says, without a key', async () => {
    const person = new Person(server);
    const form = await (await person.open('/sign-in?to=%2Fbrands%2Fa')).text();
    expect(form).to.contain('href="./sign-in/account?to=%2Fbrands%2Fa"');
    const { status, text } = await come(person, '/brands/a?days=7');
    expect([status, text.includes('0; url=../brands/a?days=7')]).to.deep.equal([200, true]);
    const page = await person.open('/brands');
    expect(page.headers.get('x-svc-key-kind')).to.equal('read');
    expect(await (await person.open('/brands/nobody')).text()).to.contain('anna@example.com, who only reads');
  });

  it('asks with PKCE, state and nonce, and for its own address only', async () => {
    const response = await new Person(server).open('/sign-in/account');
    const asked = new URL(response.headers.get('location')!);
    expect(Object.fromEntries(asked.searchParams)).to.include({
      redirect_uri: CALLBACK,
      code_challenge_method: 'S256',
      response_type: 'code',
      client_id: CLIENT_ID,
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(asked.searchParams.get(name)!.length, name).to.be.at.least(43);
    expect(response.headers.get('set-cookie')).to.match(
      /^svc_sign_in=[\w-]+; Max-Age=600; Path=\/sign-in; HttpOnly; SameSite=Lax$/,
    );
  });

  it('reads claims of the ID token alone where it has them', async () => {
    const other = await openIdProvider({ callback: CALLBACK, inIdToken: true });
    other.accounts.set('bert', { ...anna, groups: ['chiefs'] });
    other.present = 'bert';
    const second = await serverWith(settings(RULES, { issuer: other.issuer }));
    const person = new Person(second);
    const response = await person.open('/sign-in/account');
    await person.open(await atProvider(response.headers.get('location')!, other));
    expect((await person.open('/brands')).headers.get('x-svc-key-kind')).to.equal('full');
    expect(other.requests).to.not.include('/me');
    await second.close();
    await other.close();
  });

  it('takes the first rule that fits', async () => {
    provider.accounts.set('anna', { ...anna, groups: ['others', 'chiefs'] });
    const person = new Person(server);
    await come(person);
    expect((await person.open('/brands')).headers.get('x-svc-key-kind')).to.equal('full');
  });

  it('tells whom nothing fits what came and whom to ask, and forgets them', async () => {
    for (const claims of [
      { ...anna, email: 'anna@example.org' },
      { ...anna, email: 'anna@example.com.evil.example' },
      { ...anna, email: 'anna@sub.example.com' },
      { ...anna, email: 'example.com' },
      { ...anna, email: '' },
      { ...anna, email_verified: false },
      { ...anna, email_verified: 'true' },
      { ...anna, email_verified: 1 },
      { email: 'anna@example.com', name: 'A<script>' },
      { groups: ['Chiefs', 'chief', '<b>'] },
      { groups: 'none' },
      { groups: { chiefs: true } },
      {},
    ]) {
      provider.accounts.set('anna', claims);
      const person = new Person(server);
      const { status, text } = await come(person);
      expect(status, JSON.stringify(claims)).to.equal(403);
      expect(text)
        .to.contain('Ask whoever operates this server')
        .and.not.contain('<script>')
        .and.not.contain('<b>');
      expect(await leads(person)).to.equal(true);
    }
    expect(await listPeople(server.database.knex, NOW)).to.deep.equal([]);
  });

  it('compares domains without case and as punycode', async () => {
    const second = await serverWith(settings('domain:Bücher.Example=w/read'));
    for (const email of ['x@bücher.example', 'x@XN--BCHER-KVA.example', '"odd@name"@bücher.EXAMPLE']) {
      provider.accounts.set('anna', { email, email_verified: true });
      const person = new Person(second);
      await come(person);
      expect(await isIn(person), email).to.equal(true);
    }
    await second.close();
  });

  it('says so if the workspace of the rule does not exist', async () => {
    const second = await serverWith(settings('domain:example.com=missing/full'));
    const { status, text } = await come(new Person(second));
    expect([status, text.includes('a workspace that does not exist here')]).to.deep.equal([403, true]);
    await second.close();
  });

  it('ends sessions when the rule is gone from the settings, and when what the provider says does not fit any more', async () => {
    const person = new Person(server);
    await come(person);
    for (const [access, works] of [
      ['domain:example.com=w/full', true],
      ['domain:example.com=w2/full', false],
      ['domain:other.example=w/read', false],
    ] as const) {
      const changed = await serverWith(settings(access));
      expect(await isIn(person.on(changed)), access).to.equal(works);
      await changed.close();
    }
    const elsewhere = await serverWith(settings(RULES, { issuer: 'https://other.example' }));
    expect(await isIn(person.on(elsewhere))).to.equal(false);
    await elsewhere.close();
    const without = await testServer({ now: NOW, database: server.database, ...oauthSettings });
    expect(await isIn(person.on(without))).to.equal(false);
    await without.close();
    expect(await isIn(person)).to.equal(true);
    provider.accounts.set('anna', { ...anna, email: 'anna@gone.example' });
    await come(new Person(server));
    server.pass();
    expect(await isIn(person)).to.equal(false);
  });

  it('ends within a second of a revocation, lets nobody back in, and lets them in when it is taken back', async () => {
    const person = new Person(server);
    await come(person);
    const { knex } = server.database;
    const [row] = await listPeople(knex, NOW);
    expect(row).to.include({ email: 'anna@example.com', workspaceId: 'w', revokedAt: null });
    expect(await revokePerson(knex, { id: row!.id, revokedAt: NOW })).to.have.lengthOf(1);
    expect(await revokePerson(knex, { id: row!.id, revokedAt: NOW })).to.deep.equal([]);
    server.pass();
    expect(await isIn(person)).to.equal(false);
    const { status, text } = await come(person);
    expect([status, text.includes('has ended your access')]).to.deep.equal([403, true]);
    await revokePerson(knex, { id: row!.id, revokedAt: null });
    await come(person);
    expect(await isIn(person)).to.equal(true);
  });

  it('ends a session after twelve hours, and signing out ends it at once', async () => {
    const [one, two] = [new Person(server), new Person(server)];
    await come(one);
    await come(two);
    const copy = one.on(server);
    await one.open('/sign-out', new URLSearchParams());
    server.pass();
    expect([await isIn(copy), await isIn(two)]).to.deep.equal([false, true]);
    server.pass(12 * 3_600_000);
    expect(await isIn(two)).to.equal(false);
  });

  it('has a bucket for each person', async () => {
    const person = new Person(server);
    await come(person);
    const left = async () => Number((await person.open('/brands')).headers.get('x-ratelimit-remaining'));
    const before = await left();
    expect(await left()).to.equal(before - 1);
    provider.accounts.set('bert', { ...anna, email: 'bert@example.com' });
    provider.present = 'bert';
    const other = new Person(server);
    await come(other);
    expect(Number((await other.open('/brands')).headers.get('x-ratelimit-remaining'))).to.be.greaterThan(
      before - 2,
    );
  });

  describe('an assistant that a person connects', () => {
    async function connect(person: Person) {
      const clientId = await registered(server);
      const verifier = newVerifier();
      const consent = await person.begin(
        authorizationOf(clientId, verifier, { scope: 'svc:read svc:fact-check' }),
      );
      await come(person, consent);
      const page = await (await person.open(consent)).text();
      const answer = await person.decide(consent, { which: 'all', decision: 'allow' });
      const { body } = await exchange(server, clientId, answer.searchParams.get('code')!, verifier);
      return { clientId, body, page };
    }

    it('reads what the person may, without a key', async () => {
      const { body, page } = await connect(new Person(server));
      expect(page).to.contain('as anna@example.com');
      expect(body.scope).to.equal('svc:read');
      expect(await brandsSeen(server, body.access_token)).to.include('first');
    });

    it('ends with the person: revoked, moved, or not signed in for thirty days', async () => {
      const { clientId, body } = await connect(new Person(server));
      const works = async (on = server) =>
        (await callAt(on, body.access_token, 'list_brands')).status === 200;
      const moved = await serverWith(settings('domain:example.com=w2/full'));
      expect([await works(), await works(moved)]).to.deep.equal([true, false]);
      await moved.close();
      const { knex } = server.database;
      const [row] = await listPeople(knex, NOW);
      await revokePerson(knex, { id: row!.id, revokedAt: NOW });
      server.pass();
      expect(await works()).to.equal(false);
      await revokePerson(knex, { id: row!.id, revokedAt: null });
      server.pass(29 * DAY);
      const next = await refresh(server, clientId, body.refresh_token);
      expect(next.status).to.equal(200);
      server.pass(DAY);
      expect((await refresh(server, clientId, next.body.refresh_token)).body.error).to.equal('invalid_grant');
      await dropInactivePeople(knex, server.now);
      expect(await listPeople(knex, server.now)).to.deep.equal([]);
    });
  });

  describe('attacks and failures: a clear page, and nothing granted', () => {
    const refused = async (person: Person, address: string, status: number, words: string) => {
      const response = await person.open(address);
      expect([response.status, await response.text()].join(' '), address).to.match(
        new RegExp(`^${status} .*${words}`, 's'),
      );
      expect(await isIn(person)).to.equal(false);
      expect(await listPeople(server.database.knex, NOW)).to.deep.equal([]);
    };
    /** Changes the ID token on the way. */
    const withToken = (change: (token: string) => string | undefined) =>
      provider.changed.set('/token', (body) => ({ ...body, id_token: change(String(body.id_token)) }));

    it('a state that is not that of the browser', async () => {
      const [one, other] = [new Person(server), new Person(server)];
      const address = await back(one);
      await refused(other, address, 400, 'began in another browser');
      await back(other);
      await refused(other, address, 502, 'cannot be used');
      const wrong = new URL(await back(one));
      wrong.searchParams.set('state', 'x'.repeat(43));
      await refused(one, wrong.href, 502, 'cannot be used');
    });

    it('an answer of another issuer, or of none', async () => {
      for (const iss of ['https://evil.example', null]) {
        const person = new Person(server);
        const address = new URL(await back(person));
        if (iss === null) address.searchParams.delete('iss');
        else address.searchParams.set('iss', iss);
        await refused(person, address.href, 502, 'iss');
      }
    });

    it('a code that was used, by the same browser or by another attempt', async () => {
      const person = new Person(server);
      const address = await back(person);
      const copy = person.on(server);
      expect((await person.open(address)).status).to.equal(200);
      await server.database.knex('people').delete();
      server.pass();
      await refused(person, address, 400, 'used already');
      await refused(copy, address, 400, 'used already');
    });

    it('an attempt that is older than ten minutes', async () => {
      const person = new Person(server);
      const address = await back(person);
      server.pass(600_000);
      await refused(person, address, 400, 'has expired');
    });

    it('an ID token of another audience, nonce, issuer, time or key, or none', async () => {
      const now = Math.floor(Date.now() / 1000);
      for (const [words, change] of [
        ['aud', (token) => provider.signed(token, { aud: 'other' })],
        ['claim', (token) => provider.signed(token, { nonce: 'other' })],
        ['claim', (token) => provider.signed(token, { iss: 'https://evil.example' })],
        ['timestamp', (token) => provider.signed(token, { exp: now - 90 })],
        ['signature', (token) => provider.signed(token, {}, false)],
        ['invalid', () => undefined],
        ['sub', (token) => provider.signed(token, { sub: '' })],
      ] as [string, (token: string) => string | undefined][]) {
        withToken(change);
        const person = new Person(server);
        await refused(person, await back(person), 502, 'cannot be used');
        expect(lines.join('').includes('eyJ'), words).to.equal(false);
      }
    });

    it('takes a clock that differs by less than a minute', async () => {
      const now = Math.floor(Date.now() / 1000);
      for (const claims of [{ exp: now - 30 }, { iat: now + 40, nbf: now + 40, exp: now + 90 }]) {
        withToken((token) => provider.signed(token, claims));
        expect((await come(new Person(server))).status).to.equal(200);
      }
    });

    it('an error of the provider, said without its text', async () => {
      provider.present = null;
      const person = new Person(server);
      await refused(person, await back(person), 403, 'access_denied');
      const address = new URL(await back(person));
      address.searchParams.set('error', '<script>');
      await refused(person, address.href, 403, '&lt;script>');
      expect(lines.join('')).to.not.contain('script');
    });

    it('a client that the provider does not know, and a person whose id differs between its answers', async () => {
      const second = await serverWith(settings(RULES, { clientSecret: 'wrong' }));
      const person = new Person(second);
      await refused(person, await back(person), 502, 'invalid_client');
      await second.close();
      provider.changed.set('/me', (body) => ({ ...body, sub: 'bert' }));
      const other = new Person(server);
      await refused(other, await back(other), 502, 'cannot be used');
    });

    it('a provider that is down, or says nonsense of itself', async () => {
      const document = '/.well-known/openid-configuration';
      const state = async () => {
        const fresh = await serverWith(settings(RULES));
        const response = await new Person(fresh).open('/sign-in/account');
        await fresh.close();
        if (response.status !== 303) expect(await response.text()).to.contain('API key');
        return response.status;
      };
      for (const change of [
        () => 'nonsense',
        () => ({}),
        (body: object) => ({ ...body, issuer: 'https://evil.example' }),
        (body: object) => ({ ...body, authorization_endpoint: 'javascript:alert(1)' }),
        (body: object) => ({ ...body, token_endpoint: undefined }),
        (body: object) => ({ ...body, jwks_uri: 'ftp://x' }),
      ]) {
        provider.changed.set(document, change);
        expect(await state(), String(change)).to.equal(502);
      }
      provider.changed.clear();
      provider.replaced.set(document, (response) =>
        response.writeHead(302, { Location: 'https://evil.example' }).end(),
      );
      expect(await state()).to.equal(502);
      provider.replaced.set(document, (response) => response.destroy());
      expect(await state()).to.equal(503);
      provider.replaced.clear();
      expect(await state(), 'what failed is not kept').to.equal(303);
      const gone = await openIdProvider({ callback: CALLBACK });
      await gone.close();
      const nowhere = await serverWith(settings(RULES, { issuer: gone.issuer }));
      expect((await new Person(nowhere).open('/sign-in/account')).status).to.equal(503);
      await nowhere.close();
    });

    it('a provider that fails between the way there and the way back', async () => {
      for (const [end, status] of [
        ['/token', 503],
        ['/me', 503],
        ['/jwks', 503],
      ] as const) {
        const fresh = await serverWith(settings(RULES));
        const person = new Person(fresh);
        const address = await back(person);
        provider.replaced.set(end, (response) => response.destroy());
        await refused(person, address, status, 'does not answer');
        provider.replaced.set(end, (response) => response.writeHead(500).end('oh'));
        const again = await back(person);
        await refused(person, again, 502, 'cannot be used');
        provider.replaced.clear();
        await fresh.close();
      }
    });

    it('leads to pages of its own only', async () => {
      for (const to of [
        'https://evil.example/',
        '//evil.example/brands',
        '/\\evil.example',
        '/sign-out',
        'javascript:1',
      ]) {
        const { text } = await come(new Person(server), to);
        expect(text, to).to.contain('0; url=../brands"').and.not.contain('evil');
      }
    });

    it('another site does not choose when somebody signs in', async () => {
      const response = await server.request('/sign-in/account', null, {
        redirect: 'manual',
        headers: { 'Sec-Fetch-Site': 'cross-site' },
      });
      expect([response.status, response.headers.get('set-cookie')]).to.deep.equal([200, null]);
    });

    it('no secret, code or token is in the log or in the database', async () => {
      const tokens: string[] = [];
      provider.changed.set('/token', (body) => {
        tokens.push(String(body.access_token), String(body.id_token));
        return body;
      });
      const person = new Person(server);
      const address = await back(person);
      const response = await person.open(address);
      expect(response.headers.get('referrer-policy')).to.equal('no-referrer');
      await person.open(address);
      const { searchParams } = new URL(address);
      const secrets = [CLIENT_SECRET, searchParams.get('code')!, searchParams.get('state')!, ...tokens];
      const stored = JSON.stringify(await server.database.knex('people'));
      for (const secret of secrets) {
        expect(lines.join('').includes(secret)).to.equal(false);
        expect(stored.includes(secret)).to.equal(false);
      }
      expect([tokens.length, lines.length >= 3]).to.deep.equal([2, true]);
    });
  });

  it('is not there without the settings', async () => {
    const without = await testServer({ now: NOW, database: server.database, ...oauthSettings });
    expect((await without.request('/sign-in/callback?code=x', null)).status).to.equal(401);
    expect(await (await without.request('/sign-in', null)).text()).to.not.contain('your account at');
    await without.close();
  });
});
