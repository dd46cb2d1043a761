import { expect } from 'chai';
import fc from 'fast-check';
import { CAPABILITIES_META, VERSION_META } from '../../../../src/contract/mcp-headers.js';
import { collectingLog } from '../../../rules/support/collecting-log.js';
import { NOW } from '../../../rules/support/records.js';
import { ruleServer } from '../../../rules/support/rule-server.js';
import { mutated, type Parts, type Reply, send } from './support/mutated.js';
import {
  authorizationOf,
  callAt,
  connected,
  newVerifier,
  oauthSettings,
  Person,
  PUBLIC_URL,
  REDIRECT,
  RESOURCE,
  refresh,
  registered,
} from './support/person.js';

/** MUTATIONS=100000 for a longer test. */
const MUTATIONS = Number(process.env.MUTATIONS ?? 2000);
const SEED = 20_261_120;

const FORM = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
const JSON_BODY = ['Content-Type', 'application/json'] as const;
const VERSION = '2026-07-28';

describe('mutated requests of strangers, at every path of OAuth and MCP', () => {
  const { log, lines } = collectingLog();
  const server = ruleServer({ now: NOW, log, logLevel: 'trace', ...oauthSettings });

  /** What somebody can send who saw codes, tokens and pages of others, but has not the other half that each of them needs. */
  async function requestsOfStrangers() {
    const key = await server.key({ workspace: 'w', kind: 'full' });
    const { clientId, body: tokens } = await connected(server, key);
    const stranger = await registered(server, { client_name: 'Stranger' });
    const owner = new Person(server);
    await owner.signIn(key);
    const verifier = newVerifier();
    const allowed = await owner.allow(authorizationOf(clientId, verifier));
    const code = allowed.searchParams.get('code')!;
    const consent = await owner.begin(authorizationOf(clientId, newVerifier()));
    const uid = consent.split('/')[2]!;
    const bearer = (secret: string) => ['Authorization', `Bearer ${secret}`] as const;
    const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const meta = { [VERSION_META]: VERSION, [CAPABILITIES_META]: {} };
    const call = rpc('tools/call', { name: 'list_brands', arguments: {}, _meta: meta });
    const authorization = authorizationOf(stranger, newVerifier());
    const query = [...authorization.searchParams];
    const post = (
      path: string,
      form: [string, string][],
      ...headers: (readonly [string, string])[]
    ): Parts => ({
      method: 'POST',
      path,
      headers: [FORM, ...headers],
      form,
    });
    const originals: Parts[] = [
      { method: 'GET', path: '/oauth/auth', query },
      post('/oauth/auth', query),
      {
        method: 'GET',
        path: '/oauth/auth',
        query: query.map(([n, v]) => [n, n === 'client_id' ? 'https://127.0.0.1/c.json' : v]),
      },
      { method: 'GET', path: `/oauth/auth/${uid}` },
      post('/oauth/token', [
        ...Object.entries({
          grant_type: 'authorization_code',
          client_id: clientId,
          code,
          redirect_uri: REDIRECT,
        }),
        ...Object.entries({ code_verifier: newVerifier(), resource: RESOURCE }),
      ]),
      post('/oauth/token', [
        ...Object.entries({
          grant_type: 'authorization_code',
          client_id: stranger,
          code,
          redirect_uri: REDIRECT,
        }),
        ...Object.entries({ code_verifier: verifier, resource: RESOURCE }),
      ]),
      post(
        '/oauth/token',
        Object.entries({
          grant_type: 'refresh_token',
          client_id: stranger,
          refresh_token: tokens.refresh_token,
        }),
      ),
      post('/oauth/token/revocation', Object.entries({ token: tokens.refresh_token, client_id: stranger })),
      {
        method: 'POST',
        path: '/oauth/reg',
        headers: [JSON_BODY],
        text: JSON.stringify({
          client_name: 'Assistant',
          redirect_uris: [REDIRECT],
          logo_uri: 'https://a.example/l',
        }),
      },
      { method: 'GET', path: `/connect/${uid}` },
      { method: 'GET', path: consent },
      post(consent, Object.entries({ which: 'all', decision: 'allow' }), ['Origin', PUBLIC_URL]),
      { method: 'GET', path: '/.well-known/oauth-protected-resource/mcp' },
      { method: 'GET', path: '/.well-known/oauth-authorization-server/oauth' },
      { method: 'GET', path: '/oauth/.well-known/openid-configuration' },
      { method: 'POST', path: '/mcp', headers: [JSON_BODY, bearer(key)], text: call },
      { method: 'POST', path: '/mcp', headers: [JSON_BODY, bearer(tokens.refresh_token)], text: call },
      { method: 'POST', path: '/api/mcp', headers: [JSON_BODY, bearer(tokens.access_token)], text: call },
    ];
    // With a token of their own, but without the scope of the tool.
    const own = bearer(tokens.access_token);
    for (const [method, name] of [
      ['tools/list', ''],
      ['tools/call', 'run_fact_check'],
      ['prompts/get', 'how_are_we_doing'],
      ['server/discover', ''],
    ] as const)
      originals.push({
        method: 'POST',
        path: '/mcp',
        headers: [
          JSON_BODY,
          own,
          ['MCP-Protocol-Version', VERSION],
          ['Mcp-Method', method],
          ['Mcp-Name', name],
        ],
        text: rpc(method, { ...(name && { name }), _meta: meta }),
      });
    const session = { uid, key, code, access: tokens.access_token, refresh: tokens.refresh_token };
    return { originals, clientId, tokens, secrets: session };
  }

  const granted = async () => {
    const { rows } = await server.database.knex.raw(
      `select model, count(*)::int as n from oauth_records
       where model in ('AccessToken', 'RefreshToken', 'AuthorizationCode', 'Grant') group by model order by model`,
    );
    const [{ n }] = (await server.database.knex('oauth_grants').count({ n: '*' })) as [{ n: string }];
    return JSON.stringify([rows, n]);
  };

  it(`of ${MUTATIONS} none is granted, lost or answered by 500, and no secret gets into the log`, async () => {
    const { originals, clientId, tokens, secrets } = await requestsOfStrangers();
    const before = await granted();
    const answered = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(mutated(originals), async (parts) => {
        // Enough for registrations too, of which twenty an hour are taken.
        server.pass(30_000);
        const reply = await send(server.url, parts);
        expectRefusal(reply, parts.method);
        answered.set(reply.status, (answered.get(reply.status) ?? 0) + 1);
      }),
      { numRuns: MUTATIONS, seed: SEED, endOnFailure: true },
    );
    console.log(answered);
    expect(await granted()).to.equal(before);
    for (const status of [200, 201, 303, 400, 401, 404, 405])
      expect(answered.get(status), `replies with ${status}`).to.be.greaterThan(0);
    const next = await refresh(server, clientId, tokens.refresh_token);
    expect(next.status).to.equal(200);
    expect((await callAt(server, next.body.access_token, 'list_brands')).status).to.equal(200);
    expect(lines.length).to.be.greaterThan(MUTATIONS);
    for (const [name, secret] of Object.entries(secrets))
      expect(
        lines.filter((line) => line.includes(secret)),
        name,
      ).to.deep.equal([]);
  });
});

/** A refusal says what is wrong, and nothing leads to a token. */
function expectRefusal({ status, location, type, body }: Reply, method: string): void {
  expect(status, body).to.be.within(200, 499);
  expect(body).to.not.match(/access_token"|node_modules|at \w+ \(/);
  if (location) expect(location).to.not.match(/[?&#](code|access_token|id_token)=/);
  if (status < 400 || method === 'HEAD') return;
  if (type.startsWith('text/html')) expect(body).to.match(/<h1>[^<]+<\/h1>\s*<p/);
  else if (type.startsWith('application/json'))
    expect(JSON.parse(body)).to.have.property('error').that.is.not.empty;
  else throw new Error(`${status} with ${type}: ${body.slice(0, 100)}`);
}
