import { expect } from 'chai';
import { NOW } from '../../../rules/support/records.js';
import { ruleServer } from '../../../rules/support/rule-server.js';
import { testServer } from '../../../support/server.js';
import { callAt, connected, oauthSettings, Person, PUBLIC_URL, refresh } from '../oauth/support/person.js';

describe('the page of connected assistants', () => {
  const server = ruleServer({ per: 'test', now: NOW, ...oauthSettings });
  const key = (workspace: string, kind: 'full' | 'read', more = {}) =>
    server.key({ workspace, kind, ...more });
  const visitor = async (secret: string) => {
    const person = new Person(server);
    await person.signIn(secret);
    return person;
  };
  /** The page, and the ids of its forms. */
  const listed = async (person: Person) => {
    const response = await person.open('/assistants');
    const text = await response.text();
    const ids = [...text.matchAll(/action="\.\/assistants\/([\w-]+)\/end"/g)].map(([, id]) => id!);
    return { status: response.status, text, ids };
  };

  it('says which, by whom, of which brands, since when, until when and when it was last used', async () => {
    const full = await key('w', 'full');
    const reading = await key('w', 'read');
    const { body } = await connected(server, reading, { brands: ['first'] });
    const before = (await listed(await visitor(full))).text;
    expect(before).to.contain('not used yet').and.contain('registered itself').and.contain('Brand first');
    expect(before).to.contain('datetime="2026-11-20T12:00:00.000Z"').and.contain('by the key ');
    expect(before).to.contain(`value="${PUBLIC_URL}/mcp"`);
    server.pass(300_000);
    await callAt(server, body.access_token, 'list_brands');
    expect((await listed(await visitor(full))).text).to.contain(
      'last used <time datetime="2026-11-20T12:05:00.000Z"',
    );
  });

  it('shows a full key those of its workspace, a read key and one that is limited to brands its own', async () => {
    const [full, reading, other] = [
      await key('w', 'full'),
      await key('w', 'read'),
      await key('other', 'full'),
    ];
    const narrow = await key('w', 'full', { brands: ['first'] });
    for (const each of [full, reading, narrow, other]) await connected(server, each);
    const count = async (secret: string) => (await listed(await visitor(secret))).ids.length;
    expect([await count(full), await count(reading), await count(narrow), await count(other)]).to.deep.equal([
      3, 1, 1, 1,
    ]);
    const silent = await key('w', 'read');
    expect((await listed(await visitor(silent))).text).to.contain('None.');
  });

  it('ends one by a form of its own page, and nobody ends what is not theirs to see', async () => {
    const [full, reading, other] = [
      await key('w', 'full'),
      await key('w', 'read'),
      await key('other', 'full'),
    ];
    const { clientId, body } = await connected(server, full);
    const mine = await visitor(full);
    const [id] = (await listed(mine)).ids;
    const end = `/assistants/${id}/end`;
    for (const stranger of [await visitor(reading), await visitor(other)])
      expect((await stranger.open(end, new URLSearchParams())).status).to.equal(404);
    expect((await mine.open(end)).status).to.equal(405);
    const foreign = await server.request(end, null, {
      method: 'POST',
      headers: { Origin: 'https://evil.example' },
    });
    expect(foreign.status).to.equal(403);
    expect((await mine.open('/assistants/%00/end', new URLSearchParams())).status).to.equal(404);
    expect((await callAt(server, body.access_token, 'list_brands')).status).to.equal(200);
    const ended = await mine.open(end, new URLSearchParams());
    expect([ended.status, ended.headers.get('location')]).to.deep.equal([303, '../../assistants']);
    server.pass();
    expect((await callAt(server, body.access_token, 'list_brands')).status).to.equal(401);
    expect((await refresh(server, clientId, body.refresh_token)).body.error).to.equal('invalid_grant');
    expect((await listed(mine)).ids).to.deep.equal([]);
    expect((await mine.open(end, new URLSearchParams())).status).to.equal(404);
  });

  it('leads to the sign-in and back, and says so where assistants cannot be connected', async () => {
    const form = await server.request('/assistants', null, { redirect: 'manual' });
    expect(form.headers.get('location')).to.equal('./sign-in?to=%2Fassistants');
    const off = await testServer({ now: NOW, database: server.database, publicUrl: PUBLIC_URL });
    const person = new Person(off);
    await person.signIn(await key('w', 'read'));
    expect(await (await person.open('/assistants')).text())
      .to.contain('with an API key')
      .and.not.contain('/mcp"');
    await off.close();
  });
});
