import { expect } from 'chai';
import { dropDeadGrants, listGrants, revokeGrant } from '../../../../src/server/accounts/grants.js';
import { collectingLog } from '../../../rules/support/collecting-log.js';
import { NOW } from '../../../rules/support/records.js';
import { ruleServer } from '../../../rules/support/rule-server.js';
import {
  authorizationOf,
  callAt,
  connected,
  exchange,
  fetchAt,
  ISSUER,
  newVerifier,
  oauthSettings,
  Person,
  REDIRECT,
  refresh,
  registered,
} from './support/person.js';

const DAY = 86_400_000;

describe('attacks on the connection of an assistant', () => {
  const { log, lines } = collectingLog();
  const server = ruleServer({ per: 'test', now: NOW, log, logLevel: 'trace', ...oauthSettings });
  const readKey = (more = {}) => server.key({ workspace: 'w', kind: 'read', ...more });
  const works = async (bearer: string) => {
    server.pass();
    return (await callAt(server, bearer, 'list_brands')).status === 200;
  };
  /** A person who is signed in, with the code of an assistant that was allowed. */
  const allowed = async () => {
    const person = new Person(server);
    await person.signIn(await readKey());
    const clientId = await registered(server);
    const verifier = newVerifier();
    const answer = await person.allow(authorizationOf(clientId, verifier));
    return { person, clientId, verifier, code: answer.searchParams.get('code')! };
  };

  it('tokens are taken at their own path only, and keys are no tokens', async () => {
    const key = await readKey();
    const { body } = await connected(server, key);
    const asToken = await callAt(server, key, 'list_brands');
    expect([asToken.status, asToken.headers.get('www-authenticate')?.split(',')[0]]).to.deep.equal([
      401,
      'Bearer error="invalid_token"',
    ]);
    for (const path of ['/api/mcp', '/api/v1/brands'])
      expect(
        (await server.request(path, body.access_token, { method: 'POST', body: '{}' })).status,
      ).to.be.oneOf([401, 405]);
    expect((await server.request('/api/v1/brands', body.access_token)).status).to.equal(401);
    for (const other of [body.refresh_token, 'x'.repeat(43), 'x', ''])
      expect((await callAt(server, other, 'list_brands')).status).to.equal(401);
  });

  it('another audience gets no code, a request without one gets the one that exists', async () => {
    const person = new Person(server);
    await person.signIn(await readKey());
    const clientId = await registered(server);
    for (const resource of [
      'https://other.example/mcp',
      'https://svc.example/api/mcp',
      'https://svc.example/mcp/',
    ]) {
      const response = await person.open(authorizationOf(clientId, newVerifier(), { resource }));
      const answer = new URL(response.headers.get('location')!);
      expect([answer.searchParams.get('error'), answer.searchParams.has('code')]).to.deep.equal([
        'invalid_target',
        false,
      ]);
    }
    const verifier = newVerifier();
    const answer = await person.allow(authorizationOf(clientId, verifier, { resource: null, scope: null }));
    const { body } = await exchange(server, clientId, answer.searchParams.get('code')!, verifier);
    expect([body.scope, await works(body.access_token)]).to.deep.equal(['svc:read', true]);
  });

  it('a code is not exchanged for another audience', async () => {
    for (const resource of ['https://other.example/mcp', 'https://svc.example/api/mcp', 'x']) {
      const { code, clientId, verifier } = await allowed();
      const { body } = await exchange(server, clientId, code, verifier, { resource });
      expect([body.error, body.access_token]).to.deep.equal(['invalid_target', undefined]);
    }
  });

  it('the state comes back as it was sent, and is not made up', async () => {
    const person = new Person(server);
    await person.signIn(await readKey());
    const clientId = await registered(server);
    for (const state of [null, ' &=?#%00+ü\n"<script>', 'x'.repeat(2000)]) {
      const allowedAnswer = await person.allow(authorizationOf(clientId, newVerifier(), { state }));
      const refused = await person.open(authorizationOf(clientId, newVerifier(), { state, resource: 'x' }));
      for (const { searchParams } of [allowedAnswer, new URL(refused.headers.get('location')!)])
        expect(searchParams.get('state')).to.equal(state);
    }
  });

  it('a redirect that is not registered gets nothing, not even an error', async () => {
    const clientId = await registered(server);
    for (const redirect_uri of [
      'https://evil.example/callback',
      `${REDIRECT}/../x`,
      `${REDIRECT}?x=1`,
      'https://assistant.example.evil.example/callback',
      'http://assistant.example/callback',
      'http://127.0.0.1/callback',
    ]) {
      const response = await new Person(server).open(
        authorizationOf(clientId, newVerifier(), { redirect_uri }),
      );
      expect([response.status, response.headers.get('location')], redirect_uri).to.deep.equal([400, null]);
      expect(await response.text()).to.contain('Not connected');
    }
  });

  it('without S256 there is no code, and without the verifier no token', async () => {
    const clientId = await registered(server);
    for (const changed of [
      { code_challenge: null, code_challenge_method: null },
      { code_challenge_method: 'plain' },
      { code_challenge_method: null },
    ]) {
      const response = await new Person(server).open(authorizationOf(clientId, newVerifier(), changed));
      const answer = new URL(response.headers.get('location')!);
      expect(answer.searchParams.get('error'), JSON.stringify(changed)).to.equal('invalid_request');
    }
    const { code, clientId: allowedClient } = await allowed();
    const wrong = await exchange(server, allowedClient, code, newVerifier());
    expect([wrong.status, wrong.body.error]).to.deep.equal([400, 'invalid_grant']);
  });

  it('a code works once; its second use ends what the first one got', async () => {
    const { code, clientId, verifier } = await allowed();
    const { body } = await exchange(server, clientId, code, verifier);
    expect(await works(body.access_token)).to.equal(true);
    expect((await exchange(server, clientId, code, verifier)).body.error).to.equal('invalid_grant');
    expect(await works(body.access_token)).to.equal(false);
    expect((await refresh(server, clientId, body.refresh_token)).body.error).to.equal('invalid_grant');
  });

  it('of simultaneous uses of a code one gets a token', async () => {
    const { code, clientId, verifier } = await allowed();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => exchange(server, clientId, code, verifier)),
    );
    expect(replies.filter(({ status }) => status === 200).length).to.be.at.most(1);
    expect(replies.filter(({ status }) => status >= 500)).to.deep.equal([]);
  });

  it('a code is of its client, its redirect and its minute', async () => {
    const { code, clientId, verifier } = await allowed();
    expect((await exchange(server, await registered(server), code, verifier)).body.error).to.equal(
      'invalid_grant',
    );
    const other = await exchange(server, clientId, code, verifier, {
      redirect_uri: 'https://evil.example/callback',
    });
    expect(other.body.error).to.equal('invalid_grant');
    server.pass(61_000);
    expect((await exchange(server, clientId, code, verifier)).body.error).to.equal('invalid_grant');
  });

  it('a refresh token that was used before ends its family', async () => {
    const { clientId, body } = await connected(server, await readKey());
    const next = await refresh(server, clientId, body.refresh_token);
    expect(await works(next.body.access_token)).to.equal(true);
    expect((await refresh(server, clientId, body.refresh_token)).body.error).to.equal('invalid_grant');
    expect(await works(next.body.access_token)).to.equal(false);
    expect((await refresh(server, clientId, next.body.refresh_token)).body.error).to.equal('invalid_grant');
  });

  it('revocation by the assistant, and by the owner or the operator, ends a grant', async () => {
    const { knex } = server.database;
    const mine = await connected(server, await readKey());
    const other = await connected(server, await readKey());
    const grants = await listGrants(knex, { secretHash: null, workspaceId: null, now: server.now });
    expect(grants.map(({ clientName, scopes }) => [clientName, scopes])).to.deep.equal([
      ['Assistant', ['svc:read']],
      ['Assistant', ['svc:read']],
    ]);
    const revoked = await fetchAt(server)(`${ISSUER}/token/revocation`, {
      method: 'POST',
      body: new URLSearchParams({ token: mine.body.refresh_token, client_id: mine.clientId }),
    });
    expect([revoked.status, await works(mine.body.access_token)]).to.deep.equal([200, false]);
    const { id } = grants.find(({ clientId }) => clientId === other.clientId)!;
    expect(await revokeGrant(knex, { id, secretHash: Buffer.alloc(32), workspaceId: null })).to.equal(false);
    expect(await works(other.body.access_token)).to.equal(true);
    expect(await revokeGrant(knex, { id, secretHash: null, workspaceId: null })).to.equal(true);
    expect(await works(other.body.access_token)).to.equal(false);
    expect((await refresh(server, other.clientId, other.body.refresh_token)).body.error).to.equal(
      'invalid_grant',
    );
    expect(await listGrants(knex, { secretHash: null, workspaceId: null, now: server.now })).to.deep.equal(
      [],
    );
  });

  it('what has expired is deleted, and what works stays', async () => {
    const { knex } = server.database;
    const count = async (table: string) => Number((await knex(table).count({ n: '*' }))[0]!.n);
    await registered(server);
    const { clientId, body } = await connected(server, await readKey());
    server.pass(2 * DAY);
    await dropDeadGrants(knex, server.now);
    expect((await knex('oauth_records').where({ model: 'Client' })).length).to.equal(1);
    const next = await refresh(server, clientId, body.refresh_token);
    expect(await works(next.body.access_token)).to.equal(true);
    server.pass(31 * DAY);
    await dropDeadGrants(knex, server.now);
    await dropDeadGrants(knex, server.now);
    expect([await count('oauth_grants'), await count('oauth_records')]).to.deep.equal([0, 0]);
  });

  it('no secret is stored or logged', async () => {
    const key = await readKey();
    const person = new Person(server);
    await person.signIn(key);
    const clientId = await registered(server);
    const verifier = newVerifier();
    const consent = await person.begin(authorizationOf(clientId, verifier));
    const answer = await person.decide(consent, { which: 'all', decision: 'allow' });
    const code = answer.searchParams.get('code')!;
    const { body } = await exchange(server, clientId, code, verifier);
    await refresh(server, clientId, body.refresh_token);
    await callAt(server, body.access_token, 'list_brands');
    await callAt(server, `${body.access_token}x`, 'list_brands');
    await person.open(consent);
    const stored = JSON.stringify([
      await server.database.knex('oauth_records'),
      await server.database.knex('oauth_grants'),
    ]);
    const secrets = {
      key,
      code,
      verifier,
      access: body.access_token,
      refresh: body.refresh_token,
      consent: consent.split('/')[2]!,
    };
    for (const [name, secret] of Object.entries(secrets)) {
      expect(lines.join('').includes(secret), `${name} in the log`).to.equal(false);
      expect(stored.includes(secret), `${name} in the database`).to.equal(false);
    }
    expect(lines.length).to.be.greaterThan(5);
  });

  it('nonsense gets a clear refusal', async () => {
    const clientId = await registered(server);
    for (const changed of [
      { client_id: 'unknown' },
      { client_id: 'a\u0000b' },
      { response_type: 'token' },
      { scope: '\u0000' },
      { state: '\u0000' },
      { resource: 'x' },
      { redirect_uri: '\u0000' },
      { prompt: 'none' },
      { response_mode: 'fragment' },
    ]) {
      const response = await new Person(server).open(authorizationOf(clientId, newVerifier(), changed));
      expect(response.status, JSON.stringify(changed)).to.be.within(300, 499);
    }
    for (const [path, method] of [
      ['/oauth/token', 'POST'],
      ['/oauth/reg', 'POST'],
      ['/oauth/auth', 'GET'],
      ['/oauth/auth/x', 'GET'],
      ['/oauth/x', 'GET'],
      ['/oauth//', 'GET'],
      ['/oauth//evil.example/auth', 'GET'],
      ['/oauth', 'GET'],
      ['/oauth/jwks', 'GET'],
      ['/oauth/me', 'GET'],
    ] as const)
      for (const body of method === 'POST'
        ? ['', '{', 'a=%00&b', '[]', 'grant_type=password']
        : [undefined]) {
        const headers = {
          'Content-Type': body?.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded',
        };
        const response = await server.request(path, null, {
          method,
          headers,
          ...(body !== undefined && { body }),
        });
        expect(response.status, `${method} ${path} ${body}`).to.be.below(500);
      }
  });
});
