import { expect } from 'chai';
import { collectingLog } from '../../../rules/support/collecting-log.js';
import { NOW } from '../../../rules/support/records.js';
import { ruleServer } from '../../../rules/support/rule-server.js';
import { OPERATOR_KEY, testServer } from '../../../support/server.js';
import { cookieIn, postForm, signIn, visitor } from './support/visitor.js';

const MINUTE = 60_000;

describe('signing in to the page', () => {
  const server = ruleServer({ clock: 'reset' });
  const readKey = (more = {}) => server.key({ workspace: 'w', kind: 'read', ...more });
  const later = (ms: number) => {
    server.now = new Date(server.now.getTime() + ms);
  };

  it('leads from / to the list, and without a cookie to the form, which keeps the address', async () => {
    const root = await server.request('/', null, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).to.deep.equal([303, './brands']);
    const path = '/brands/first?days=7';
    const page = await server.request(path, null, { redirect: 'manual' });
    const to = new URL(page.headers.get('location')!, server.url + path);
    expect([page.status, to.pathname, to.searchParams.get('to')]).to.deep.equal([303, '/sign-in', path]);
    const form = await (await server.request(to.pathname + to.search, null)).text();
    expect(form).to.contain('name="to" value="/brands/first?days=7"');
    const done = await postForm(server, '/sign-in', { key: await readKey(), to: path });
    expect(new URL(done.headers.get('location')!, `${server.url}/sign-in`).href).to.equal(server.url + path);
  });

  it('leads to no address outside of the page', async () => {
    const key = await readKey();
    for (const to of [
      '/brands/%2e%2e/%2e%2e//evil',
      '/brands/%2E./sign-out',
      '/brands/..%2f../%2e%2e/%2e%2e/x',
      '/brands/\t../..',
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/brands\\..\\..//evil.example',
      '/brandsevil',
      '/brands/../sign-out',
      '/brands\r\nX: y',
    ]) {
      const { status, headers } = await postForm(server, '/sign-in', { key, to });
      const target = new URL(headers.get('location')!, `${server.url}/sign-in`);
      expect([status, target.href], to).to.deep.equal([303, `${server.url}/brands`]);
    }
  });

  it('sets a cookie that only HTTP sees, for twelve hours, without the key', async () => {
    const key = await readKey();
    const response = await postForm(server, '/sign-in', { key });
    const [set] = response.headers.getSetCookie();
    expect(set).to.match(/^svc_session=[\w-]{91}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(response.headers.get('location')).to.not.contain('svc_');
    const bytes = Buffer.from(cookieIn(response).slice('svc_session='.length), 'base64url');
    expect(bytes.includes(Buffer.from(key))).to.equal(false);
    const signedIn = visitor(server, cookieIn(response));
    expect((await signedIn.get('/brands/first')).status).to.equal(200);
    later(12 * 60 * MINUTE);
    expect((await signedIn.get('/brands/first')).status).to.equal(401);
  });

  it('marks the cookie as Secure behind https', async () => {
    const proxied = await testServer({ now: NOW, database: server.database, trustProxyHops: 1 });
    const key = await readKey();
    const [set] = (
      await postForm(proxied, '/sign-in', { key }, { 'X-Forwarded-Proto': 'https' })
    ).headers.getSetCookie();
    expect(set).to.match(/; Secure$/);
    await proxied.close();
  });

  it('ends with the key: its expiry, and within a second its revocation', async () => {
    const expiring = await signIn(server, await readKey({ expires: '2026-11-20T12:30:00Z' }));
    expect((await expiring.get('/brands/first')).status).to.equal(200);
    later(30 * MINUTE);
    const ended = await expiring.get('/brands/first');
    expect([ended.status, ended.headers.getSetCookie()[0]?.split(';')[0]]).to.deep.equal([
      401,
      'svc_session=',
    ]);
    const key = await readKey();
    const revoked = await signIn(server, key);
    await server.database.knex.raw('update api_keys set revoked_at = ? where display = ?', [
      server.now,
      key.slice(0, 12),
    ]);
    server.pass();
    const page = await revoked.get('/brands/first');
    expect(page.status).to.equal(401);
    expect(await page.text()).to.contain('You are not signed in any more.');
  });

  it('refuses a forged cookie, and shows the form again', async () => {
    const { cookie } = await signIn(server, await readKey());
    const at = cookie.length - 20;
    const forged = cookie.slice(0, at) + (cookie[at] === 'A' ? 'B' : 'A') + cookie.slice(at + 1);
    for (const each of [forged, 'svc_session=x', `svc_session=${'A'.repeat(91)}`]) {
      const page = await visitor(server, each).get('/brands/first');
      expect(page.status, each).to.equal(401);
      expect(await page.text()).to.contain('name="key"');
    }
  });

  it('refuses a wrong key with 401, an ingest key with 403 and the reason, an expired one with its date', async () => {
    const ingest = await server.key({ workspace: 'w', kind: 'ingest' });
    const expired = await readKey({ expires: '2026-11-19' });
    const away = await readKey({ allow: ['192.0.2.7'] });
    for (const [key, status, words] of [
      ['svc_nobody', 401, 'This key is not known'],
      ['', 401, 'This key is not known'],
      [ingest, 403, 'This API key is ingest-only'],
      [expired, 401, 'This API key expired on 2026-11-19.'],
      [away, 403, 'This API key may not be used from 127.0.0.1.'],
    ] as const) {
      const response = await postForm(server, '/sign-in', { key });
      const text = await response.text();
      expect(response.status, words).to.equal(status);
      expect(text).to.contain(words).and.contain('name="key"');
      if (key !== '') expect(text).to.not.contain(key);
      expect(response.headers.getSetCookie()).to.deep.equal([]);
    }
  });

  it('takes a token of the reads bucket', async () => {
    const key = await readKey();
    const response = await postForm(server, '/sign-in', { key });
    expect(response.headers.get('x-ratelimit-remaining')).to.equal('119');
  });

  it('refuses forms of another origin, and without one', async () => {
    const key = await readKey();
    for (const origin of ['https://evil.example', 'null', `${server.url}0`]) {
      for (const path of ['/sign-in', '/sign-out']) {
        const response = await postForm(server, path, { key }, { Origin: origin });
        expect(response.status, `${path} ${origin}`).to.equal(403);
        expect(response.headers.getSetCookie()).to.deep.equal([]);
      }
    }
    const bare = await server.request('/sign-in', null, {
      method: 'POST',
      body: new URLSearchParams({ key }),
    });
    expect(bare.status).to.equal(403);
  });

  it('refuses a form that is too large', async () => {
    const response = await postForm(server, '/sign-in', { key: 'x'.repeat(20_000) });
    expect(response.status).to.equal(413);
  });

  it('signs out: the cookie is removed, and a copy of it does not work any more', async () => {
    const key = await readKey();
    const guest = await signIn(server, key);
    const elsewhere = await signIn(server, key);
    expect((await guest.get('/brands/first')).status).to.equal(200);
    const response = await postForm(server, '/sign-out', {}, { Cookie: guest.cookie });
    expect(response.status).to.equal(303);
    expect(response.headers.getSetCookie()[0]).to.match(/^svc_session=; Max-Age=0;/);
    const copy = await guest.get('/brands/first');
    expect([copy.status, copy.headers.getSetCookie()[0]?.split(';')[0]]).to.deep.equal([401, 'svc_session=']);
    expect((await guest.get('/brands/first/visibility.json')).status).to.equal(401);
    expect((await elsewhere.get('/brands/first')).status).to.equal(200);
  });

  it('signs out on every server of the database within a second, and after a restart', async () => {
    const other = await testServer({ now: NOW, database: server.database });
    const guest = await signIn(server, await readKey());
    const there = visitor(other, guest.cookie);
    expect((await there.get('/brands/first')).status).to.equal(200);
    await postForm(server, '/sign-out', {}, { Cookie: guest.cookie });
    other.pass();
    expect((await there.get('/brands/first')).status).to.equal(401);
    await other.close();
    const restarted = await testServer({ now: NOW, database: server.database });
    expect((await visitor(restarted, guest.cookie).get('/brands/first')).status).to.equal(401);
    await restarted.close();
  });

  it('signs out whichever way the bytes of the cookie are written', async () => {
    const guest = await signIn(server, await readKey());
    const bytes = Buffer.from(guest.cookie.slice('svc_session='.length), 'base64url');
    await postForm(server, '/sign-out', {}, { Cookie: guest.cookie });
    const padded = `svc_session=${bytes.toString('base64')}`;
    expect((await visitor(server, padded).get('/brands/first')).status).to.equal(401);
  });

  it('signs out without a cookie, with a forged one and twice', async () => {
    const guest = await signIn(server, await readKey());
    for (const Cookie of ['', 'svc_session=x', guest.cookie, guest.cookie])
      expect((await postForm(server, '/sign-out', {}, { Cookie })).status).to.equal(303);
  });

  it('remembers ended sessions by hash, and only until they would have expired', async () => {
    const rows = async () =>
      (await server.database.knex.raw('select * from ended_sessions')).rows as { session_hash: Buffer }[];
    await server.database.knex.raw('delete from ended_sessions');
    const first = await signIn(server, await readKey());
    await postForm(server, '/sign-out', {}, { Cookie: first.cookie });
    const [row, ...others] = await rows();
    expect([row!.session_hash.length, others]).to.deep.equal([32, []]);
    later(12 * 60 * MINUTE);
    await postForm(server, '/sign-out', {}, { Cookie: first.cookie });
    expect(await rows()).to.have.lengthOf(1);
    const second = await signIn(server, await readKey());
    await postForm(server, '/sign-out', {}, { Cookie: second.cookie });
    const [left, ...more] = await rows();
    expect([left!.session_hash.equals(row!.session_hash), more]).to.deep.equal([false, []]);
  });

  it('a page costs no statement for its session while it is known', async () => {
    const guest = await signIn(server, await readKey());
    await guest.get('/brands/first');
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    server.database.knex.on('query', note);
    for (let at = 0; at < 20; at++) await guest.get('/brands/first');
    server.database.knex.off('query', note);
    expect(statements.filter((sql) => sql.includes('ended_sessions')).length).to.be.at.most(3);
  });

  it('reloads a page that a link from another site opened, since browsers send no cookie with it', async () => {
    const response = await server.request('/brands/first', null, {
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(response.status).to.equal(200);
    expect(await response.text()).to.contain('<meta http-equiv="refresh" content="0; url=../brands/first"/>');
  });
});

describe('a link that signs in once', () => {
  const server = ruleServer({ clock: 'reset' });
  const link = async (key: string, query = '') => {
    const response = await server.request(`/sign-in-links${query}`, key, { method: 'POST' });
    return { response, ...((await response.json()) as { path: string; expires_at: string; error?: string }) };
  };
  /** What a browser states when a person typed the address, or followed it from a terminal. */
  const TYPED = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Dest': 'document' };
  const get = (path: string, headers: Record<string, string> = {}, init = {}) =>
    server.request(path, null, { redirect: 'manual', headers, ...init });
  const open = (path: string, more: Record<string, string> = {}) => get(path, { ...TYPED, ...more });
  /** Presses the button of the page of a link. */
  const press = async (path: string, headers: Record<string, string> = {}) => {
    const html = await (await get(path)).text();
    const action = /<form method="post" action="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    const target = new URL(action!, server.url + path);
    return postForm(server, target.pathname + target.search, {}, headers);
  };

  it('signs in once, to the brand, and states no key', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const { response, path, expires_at } = await link(key, '?brand=second');
    expect([response.status, expires_at]).to.deep.equal([201, '2026-11-20T12:10:00.000Z']);
    expect(path).to.not.contain(key);
    const first = await open(path);
    expect([first.status, new URL(first.headers.get('location')!, server.url + path).pathname]).to.deep.equal(
      [303, '/brands/second'],
    );
    expect((await visitor(server, cookieIn(first)).get('/brands/second')).status).to.equal(200);
    const again = await open(path);
    expect([again.status, again.headers.getSetCookie()]).to.deep.equal([401, []]);
    expect(await again.text()).to.contain('This link does not work any more');
  });

  it('works for one of several at the same time', async () => {
    const { path } = await link(OPERATOR_KEY);
    const all = await Promise.all(Array.from({ length: 5 }, () => open(path)));
    expect(all.map(({ status }) => status).sort()).to.deep.equal([303, 401, 401, 401, 401]);
  });

  it('works for ten minutes', async () => {
    const { path } = await link(OPERATOR_KEY);
    server.now = new Date(NOW.getTime() + 10 * MINUTE - 1);
    expect((await open(path)).status).to.equal(303);
    const late = await link(OPERATOR_KEY);
    server.now = new Date(server.now.getTime() + 10 * MINUTE);
    expect((await open(late.path)).status).to.equal(401);
  });

  it('is not used up by a preview, nor by what a browser loads in advance: they get a button', async () => {
    const { path } = await link(await server.key({ workspace: 'w', kind: 'read' }), '?brand=second');
    for (const [headers, method] of [
      [{}, 'GET'],
      [{}, 'HEAD'],
      [TYPED, 'HEAD'],
      [{ 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Dest': 'image' }, 'GET'],
      [{ ...TYPED, 'Sec-Purpose': 'prefetch;prerender' }, 'GET'],
      [{ ...TYPED, Purpose: 'prefetch' }, 'GET'],
      [{ ...TYPED, 'X-Purpose': 'preview' }, 'GET'],
      [{ ...TYPED, 'X-Moz': 'prefetch' }, 'GET'],
    ] as const) {
      const page = await get(path, headers, { method });
      expect([page.status, page.headers.getSetCookie()], JSON.stringify(headers)).to.deep.equal([200, []]);
      if (method === 'GET') expect(await page.text()).to.contain('This link signs you in.');
    }
    const pressed = await press(path);
    expect([pressed.status, pressed.headers.get('location')]).to.deep.equal([303, '../brands/second']);
    expect((await visitor(server, cookieIn(pressed)).get('/brands/second')).status).to.equal(200);
    expect((await open(path)).status).to.equal(401);
  });

  it('another site cannot replace a session by its own link', async () => {
    const { cookie } = await signIn(server, await server.key({ workspace: 'w', kind: 'read' }));
    const { path } = await link(await server.key({ workspace: 'w', kind: 'full' }));
    for (const site of ['cross-site', 'same-site', 'same-origin']) {
      const page = await open(path, { 'Sec-Fetch-Site': site });
      expect([page.status, page.headers.getSetCookie()], site).to.deep.equal([200, []]);
    }
    // A redirect by another site counts as typed, and browsers send the cookie with it.
    const redirected = await open(path, { Cookie: cookie });
    expect([redirected.status, redirected.headers.getSetCookie()]).to.deep.equal([200, []]);
    expect(await redirected.text()).to.contain('another key than the one with which you are signed in');
    for (const Origin of ['https://evil.example', 'null'])
      expect((await press(path, { Origin })).status, Origin).to.equal(403);
    expect((await press(path, { Cookie: cookie })).status).to.equal(303);
  });

  it('signs in at once where the session is of the same key, or has ended', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const { cookie } = await signIn(server, key);
    expect((await open((await link(key)).path, { Cookie: cookie })).status).to.equal(303);
    await postForm(server, '/sign-out', {}, { Cookie: cookie });
    expect((await open((await link(OPERATOR_KEY)).path, { Cookie: cookie })).status).to.equal(303);
  });

  it('is not used up by a request that is refused: rate limit, address, database', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const { path } = await link(key);
    for (let spent = 0; spent < 119; spent++) await server.request('/api/v1/brands', key);
    const limited = await open(path);
    expect([limited.status, limited.headers.getSetCookie()]).to.deep.equal([429, []]);
    server.now = new Date(server.now.getTime() + MINUTE);
    await server.database.knex.raw("update api_keys set allow = array['192.0.2.7'] where display = ?", [
      key.slice(0, 12),
    ]);
    server.pass();
    expect((await open(path)).status).to.equal(403);
    await server.database.knex.raw('update api_keys set allow = null where display = ?', [key.slice(0, 12)]);
    server.pass();
    const fresh = await testServer({ now: server.now, database: server.database });
    await server.database.knex.raw('alter table secrets rename to elsewhere');
    const failed = await fresh.request(path, null, { redirect: 'manual', headers: TYPED });
    await server.database.knex.raw('alter table elsewhere rename to secrets');
    await fresh.close();
    expect(failed.status).to.equal(500);
    expect((await open(path)).status).to.equal(303);
  });

  it('passes the gates of the API, and does not work after the expiry of its key', async () => {
    const ingest = await server.key({ workspace: 'w', kind: 'ingest' });
    expect((await link(ingest)).response.status).to.equal(403);
    expect((await server.request('/sign-in-links', null, { method: 'POST' })).status).to.equal(401);
    expect((await server.request('/sign-in-links', OPERATOR_KEY)).status).to.equal(405);
    const limited = await server.key({
      workspace: 'w',
      kind: 'read',
      brands: ['first'],
      expires: '2026-11-20T12:05:00Z',
    });
    for (const brand of ['second', 'foreign', 'nobody'])
      expect((await link(limited, `?brand=${brand}`)).error, brand).to.equal('Unknown brand');
    const { path } = await link(limited);
    server.now = new Date(NOW.getTime() + 6 * MINUTE);
    expect((await open(path)).status).to.equal(401);
  });

  it('stores neither the link nor the key', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const { path } = await link(key);
    const { rows } = await server.database.knex.raw('select * from sign_in_links');
    const stored = Buffer.concat(
      rows.flatMap((row: Record<string, unknown>) => [row.link_hash, row.secret_hash]),
    );
    expect(stored.includes(Buffer.from(path.split(/[/?]/)[2]!))).to.equal(false);
    expect(stored.includes(Buffer.from(key))).to.equal(false);
  });

  it('is in no log line, not even when the database fails', async () => {
    const { log, lines } = collectingLog();
    const failing = await testServer({ now: NOW, log, database: server.database });
    const { path } = await link(OPERATOR_KEY);
    await server.database.knex.raw('alter table sign_in_links rename to elsewhere');
    const response = await failing.request(path, null, { redirect: 'manual', headers: TYPED });
    await server.database.knex.raw('alter table elsewhere rename to sign_in_links');
    await failing.close();
    expect([response.status, lines.length]).to.deep.equal([500, 1]);
    expect(lines[0]).to.contain('/sign-in/:token').and.not.contain(path.split(/[/?]/)[2]);
  });
});
