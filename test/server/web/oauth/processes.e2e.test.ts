import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Environment } from '../../../cli/support/run.js';
import { serving } from '../../../cli/support/serving.js';
import { createDatabaseUrl, serverUrl } from '../../../support/database.js';
import {
  authorizationOf,
  callAt,
  exchange,
  newVerifier,
  Person,
  PUBLIC_URL,
  refresh,
  registered,
  type TokenReply,
} from './support/person.js';

const OPERATOR_KEY = 'an-operator-key-that-is-long-enough';

type Server = Awaited<ReturnType<typeof serving>>;

describe('connecting an assistant to servers that are killed', () => {
  let folder: string;
  let env: Environment;
  let server: Server;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-oauth-'));
    env = {
      ...{ SVC_DATA_DIR: folder, API_ACCESS_KEY: OPERATOR_KEY, PUBLIC_URL, OAUTH: 'on', OAUTH_DCR: 'on' },
      ...(serverUrl && { DATABASE_URL: await createDatabaseUrl(serverUrl) }),
    };
    server = await start();
  });
  afterEach(async () => {
    await server.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const start = () => serving(['serve', '--port', '0'], env);
  /** Kills the server without a warning, and starts another on the same data. */
  const killed = async (person?: Person): Promise<Person | undefined> => {
    await server.stop('SIGKILL');
    server = await start();
    return person?.on(server);
  };
  const works = async ({ body }: TokenReply) =>
    (await callAt(server, body.access_token, 'list_brands')).status === 200;
  async function signedIn(): Promise<Person> {
    const person = new Person(server);
    await person.signIn(OPERATOR_KEY);
    return person;
  }

  it('what was done before stays, after each step of the way', async () => {
    let person = await signedIn();
    const clientId = await registered(server);
    const verifier = newVerifier();
    const consent = await person.begin(authorizationOf(clientId, verifier));
    person = (await killed(person))!;
    const answer = await person.decide(consent, { which: 'all', decision: 'allow' });
    await killed();
    const tokens = await exchange(server, clientId, answer.searchParams.get('code')!, verifier);
    await killed();
    expect(await works(tokens)).to.equal(true);
    const next = await refresh(server, clientId, tokens.body.refresh_token);
    await killed();
    expect([await works(next), await works(tokens)]).to.deep.equal([true, true]);
    // It was used before, so its whole family ends.
    expect((await refresh(server, clientId, tokens.body.refresh_token)).body.error).to.equal('invalid_grant');
    await sleep(1100);
    expect([await works(next), await works(tokens)]).to.deep.equal([false, false]);
  });

  it('a step that is cut is done, or not done at all', async () => {
    for (const delay of [0, 10]) {
      const person = await signedIn();
      const clientId = await registered(server);
      const verifier = newVerifier();
      const code = (await person.allow(authorizationOf(clientId, verifier))).searchParams.get('code')!;
      const cut = exchange(server, clientId, code, verifier).catch(() => null);
      await sleep(delay);
      await killed();
      const first = await cut;
      const second = await exchange(server, clientId, code, verifier);
      // Either the reply came, and its use again ends it; or it was lost, and the code may have been used by it.
      expect(second.status, second.body.error).to.be.oneOf([200, 400]);
      if (first?.status === 200) expect(second.body.error).to.equal('invalid_grant');
      if (second.status === 200) expect(await works(second)).to.equal(true);
      const again = await signedIn();
      const verifierAgain = newVerifier();
      const allowed = await again.allow(authorizationOf(clientId, verifierAgain));
      const tokens = await exchange(server, clientId, allowed.searchParams.get('code')!, verifierAgain);
      expect(await works(tokens)).to.equal(true);
    }
  });

  it('of two servers on one database one takes a code or a refresh token, and both know within a second what ended', async function () {
    if (!serverUrl) this.skip();
    const other = await start();
    const person = await signedIn();
    const clientId = await registered(server);
    for (let round = 0; round < 5; round++) {
      const verifier = newVerifier();
      const code = (await person.allow(authorizationOf(clientId, verifier))).searchParams.get('code')!;
      const replies = await Promise.all(
        [server, other, server, other].map((each) => exchange(each, clientId, code, verifier)),
      );
      expect(replies.filter(({ status }) => status === 200).length).to.be.at.most(1);
      expect(replies.filter(({ status }) => status >= 500)).to.deep.equal([]);
    }
    const verifier = newVerifier();
    const code = (await person.allow(authorizationOf(clientId, verifier))).searchParams.get('code')!;
    const tokens = await exchange(other, clientId, code, verifier);
    expect((await callAt(server, tokens.body.access_token, 'list_brands')).status).to.equal(200);
    expect((await callAt(other, tokens.body.access_token, 'list_brands')).status).to.equal(200);
    const renewed = await Promise.all(
      [server, other, server, other].map((each) => refresh(each, clientId, tokens.body.refresh_token)),
    );
    expect(renewed.filter(({ status }) => status === 200).length).to.be.at.most(1);
    expect(renewed.filter(({ status }) => status >= 500)).to.deep.equal([]);
    // Whoever lost the race and tries again ends the family.
    const late = await refresh(server, clientId, tokens.body.refresh_token);
    expect(late.body.error).to.equal('invalid_grant');
    await sleep(1100);
    for (const each of [server, other])
      expect((await callAt(each, tokens.body.access_token, 'list_brands')).status).to.equal(401);
    await other.stop();
  });
});
