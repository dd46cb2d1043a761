import { expect } from 'chai';
import { cookieIn, postForm, signIn, type Visitor, visitor } from '../server/web/page/support/visitor.js';
import { OPERATOR_KEY, testServer } from '../support/server.js';
import { NOW, prompt, records, run } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { send } from './support/wire.js';

const trial = [
  { type: 'workspace', id: 'small', name: 'small', plan: 'trial' },
  { type: 'brand', id: 'tiny', workspace: 'small', name: 'Tiny', domain: 'tiny.example' },
  prompt('tiny', 'p1'),
  run('tiny', 'r1', '2026-11-17T08:00:00Z'),
];

const titleOf = (html: string) => /<h1>([^<]*)<\/h1>/.exec(html)?.[1];
const wordsOf = (html: string) => /<p class="problem"[^>]*>([^<]*)</.exec(html)?.[1];

describe('rule: the page has the gates of the API', () => {
  const server = ruleServer({ data: [...records, ...trial], clock: 'refill' });

  const answer = async (visit: Visitor, path: string) => {
    const response = await visit.get(path);
    const html = await response.text();
    return {
      status: response.status,
      html,
      title: titleOf(html),
      words: wordsOf(html),
      headers: response.headers,
    };
  };
  const visit = async (more: object = {}) =>
    signIn(server, await server.key({ workspace: 'w', kind: 'read', ...more }));

  it('a foreign brand, one outside of the key’s scope and an unknown one are the same page', async () => {
    const one = await visit({ brands: ['first'] });
    const pages = await Promise.all(
      ['second', 'foreign', 'nobody', '%00', '%E2%80%AE'].map((id) => answer(one, `/brands/${id}`)),
    );
    const [known, ...others] = pages;
    expect([known!.status, known!.words]).to.deep.equal([404, 'Unknown brand']);
    for (const each of others) expect(each.html).to.equal(known!.html);
    expect((await answer(one, '/brands/first')).status).to.equal(200);
    const inner = await Promise.all(
      ['second', 'nobody'].map((id) => answer(one, `/brands/${id}/prompts/p1`)),
    );
    expect(inner.map(({ status, words }) => [status, words])).to.deep.equal([
      [404, 'Unknown brand'],
      [404, 'Unknown brand'],
    ]);
  });

  it('lists only the brands of the key, in the list and in the menu', async () => {
    const two = await visit({ brands: ['first', 'second'] });
    for (const path of ['/brands', '/brands/first']) {
      const { html } = await answer(two, path);
      expect(html, path).to.contain('Brand second').and.not.contain('stopped').and.not.contain('foreign');
    }
    const only = await (await visit({ brands: ['second'] })).get('/brands');
    expect([only.status, only.headers.get('location')]).to.deep.equal([303, './brands/second']);
  });

  it('a key whose plan is too low sees the page, and the reason in place of the block', async () => {
    const { status, html } = await answer(
      await signIn(server, await server.key({ workspace: 'small', kind: 'read' })),
      '/brands/tiny/crawlers',
    );
    expect(status).to.equal(200);
    expect(html).to.contain('Crawler analytics needs the Growth plan or above; this workspace is on Trial.');
  });

  it('the address is checked for every page', async () => {
    const proxied = await testServer({ now: NOW, database: server.database, trustProxyHops: 1 });
    const key = await server.key({ workspace: 'w', kind: 'read', allow: ['192.0.2.7'] });
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const cookie = cookieIn(await postForm(proxied, '/sign-in', { key }, from('192.0.2.7')));
    const guest = visitor(proxied, cookie);
    expect((await guest.get('/brands/first', from('192.0.2.7'))).status).to.equal(200);
    const away = await guest.get('/brands/first', from('192.0.2.8'));
    expect([away.status, wordsOf(await away.text())]).to.deep.equal([
      403,
      'This API key may not be used from 192.0.2.8.',
    ]);
    await proxied.close();
  });

  it('a page takes one token of the key’s reads; without one it is 429 with Retry-After', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const guest = await signIn(server, key);
    const left = async () =>
      Number((await answer(guest, '/brands/first')).headers.get('x-ratelimit-remaining'));
    const before = await left();
    expect(await left()).to.equal(before - 1);
    const api = await server.request('/api/v1/overview?brand=first', key);
    expect(Number(api.headers.get('x-ratelimit-remaining'))).to.equal(before - 2);
    for (let spent = before - 2; spent > 0; spent--) await guest.get('/brands/nobody');
    const empty = await answer(guest, '/brands/first');
    expect([empty.status, empty.title, empty.headers.get('retry-after')]).to.deep.equal([
      429,
      'Too many requests',
      '1',
    ]);
  });

  it('a bad slice is 400 with the words of the API', async () => {
    const guest = await visit();
    for (const [query, words] of [
      ['days=8', 'Invalid days: 8. Give one of 7, 14, 28, 56.'],
      ['engine=bing', /^Unknown engine: bing/],
      ['from=2026-11-01', /to/],
      ['from=2026-11-05&to=2026-11-01', /2026-11-05/],
      ['from=2026-02-30&to=2026-03-01', /2026-02-30/],
      ['days=7&days=14', 'Parameter days was given 2 times. Give it once.'],
    ] as const) {
      for (const path of ['/brands/first', '/brands/first/prompts/p1']) {
        const { status, words: shown } = await answer(guest, `${path}?${query}`);
        expect(status, query).to.equal(400);
        if (typeof words === 'string') expect(shown).to.equal(words);
        else expect(shown).to.match(words);
      }
    }
    for (const query of ['days=&engine=', 'from=&to=&days=7', 'other=x'])
      expect((await answer(guest, `/brands/first?${query}`)).status, query).to.equal(200);
  });

  it('other methods are 405, and unknown paths below /brands are 404, as a page', async () => {
    const guest = await visit();
    for (const path of ['/', '/brands', '/brands/first']) {
      const posted = await server.request(path, null, { method: 'POST', headers: { Cookie: guest.cookie } });
      expect([posted.status, posted.headers.get('allow')], path).to.deep.equal([405, 'GET, HEAD']);
    }
    for (const path of [
      '/brands/first/x',
      '/brands/first/visibility',
      '/brands/first/prompts/nobody',
      '/brands/first/visibility.xml',
    ])
      expect((await answer(guest, path)).words, path).to.equal('Not found');
  });

  it('without an operator key every page is 503, and no key is looked up', async () => {
    const off = await testServer({ now: NOW, operatorKey: null, database: server.database });
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const guest = visitor(off, (await signIn(server, key)).cookie);
    const page = await guest.get('/brands/first');
    expect([page.status, wordsOf(await page.text())]).to.deep.equal([
      503,
      'API disabled — set API_ACCESS_KEY',
    ]);
    expect((await postForm(off, '/sign-in', { key })).status).to.equal(503);
    await off.close();
  });

  it('PAGE=off: there is no page', async () => {
    const off = await testServer({ now: NOW, page: false, database: server.database });
    for (const path of ['/', '/brands', '/brands/first', '/sign-in', '/sign-in-links', '/sign-out']) {
      const response = await off.request(path, OPERATOR_KEY, { method: 'POST' });
      expect([response.status, await response.json()], path).to.deep.equal([
        404,
        { error: 'Not found', code: 'not_found' },
      ]);
    }
    await off.close();
  });

  it('pages of an empty workspace, of a brand never collected and of an archived one are designed', async () => {
    const bare = await answer(
      await signIn(server, await server.key({ workspace: 'bare', kind: 'read' })),
      '/brands',
    );
    expect([bare.status, bare.title]).to.deep.equal([404, 'No brands exist']);
    const guest = await visit();
    const never = await answer(guest, '/brands/uncollected');
    expect([never.status, never.html.includes('Nothing collected yet')]).to.deep.equal([200, true]);
    expect((await answer(guest, '/brands/stopped')).html).to.contain(
      'This brand is archived: its collection has ended',
    );
    expect((await answer(guest, '/brands/first')).html).to.contain(
      'Collection has stalled: no answers since <time datetime="2026-11-17">17 Nov 2026</time>.',
    );
  });
});

describe('rule: a page changes with the data behind it', () => {
  const server = ruleServer({ per: 'test' });

  it('has an ETag that stays with the data, and 304 for it', async () => {
    const guest = await signIn(server, OPERATOR_KEY);
    for (const path of [
      '/brands',
      '/brands/first',
      '/brands/first/prompts/p1',
      '/brands/first/visibility.json',
      '/brands/first/visibility.csv',
    ]) {
      const page = await guest.get(path);
      const etag = page.headers.get('etag')!;
      expect(etag, path).to.match(/^"[\w-]+"$/);
      expect(page.headers.get('cache-control')).to.equal('private, no-cache');
      // fetch adds Cache-Control: no-cache to a conditional request.
      for (const more of [{}, { 'Cache-Control': 'no-cache' }]) {
        const again = await send(server.url, path, {
          headers: { Cookie: guest.cookie, 'If-None-Match': etag, ...more },
        });
        expect([again.status, again.body, again.headers.etag], path).to.deep.equal([304, '', etag]);
      }
    }
  });

  it('shows new data, and a new fact check', async () => {
    const guest = await signIn(server, OPERATOR_KEY);
    const tagOf = async () => (await guest.get('/brands/first')).headers.get('etag');
    const before = await tagOf();
    await server.load([run('first', 'r9', '2026-11-20T08:00:00Z')]);
    server.pass();
    const after = await tagOf();
    expect(after).to.not.equal(before);
    const { rows } = await server.database.knex.raw("select brand_key from brands where id = 'first'");
    await server.database.knex.raw(
      `insert into fact_checks (brand_key, checked_at, answers_checked, discrepancies) values (?, '2026-11-01T00:00:00Z', 3, '[]')`,
      [rows[0].brand_key],
    );
    server.pass();
    const page = await guest.html('/brands/first');
    expect(page).to.contain('answers may have changed');
    server.now = new Date(server.now.getTime() + 86_400_000);
    const nextDay = await signIn(server, OPERATOR_KEY);
    expect(await nextDay.html('/brands/first')).to.match(
      /value="20" data-field="briefing\.needs\.\d\.facts\.count">20<\/data> days old/,
    );
  });

  it('a block whose runs were deleted says so, and the others stay', async () => {
    await server.database.knex.raw("update brands set runs_since = '2026-11-18' where id = 'first'");
    const guest = await signIn(server, OPERATOR_KEY);
    const slice = 'from=2026-11-17&to=2026-11-20&engine=chatgpt';
    expect(await guest.html(`/brands/first?${slice}`)).to.contain('data-field="overview.visibility"');
    expect(await guest.html(`/brands/first/sources?${slice}`))
      .to.contain('runs before 2026-11-18 were deleted')
      .and.contain('id="pages"');
    const ofPrompt = await guest.html(`/brands/first/prompts/p1?${slice}`);
    expect(ofPrompt).to.contain('runs before 2026-11-18 were deleted').and.contain('p1 for first?');
  });

  it('the stylesheet has the name of its content, and is kept', async () => {
    const html = await (await server.request('/sign-in', null)).text();
    const [, path] = /href="\.(\/page-[\w-]+\.css)"/.exec(html)!;
    const response = await server.request(path!, null);
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('cache-control'),
    ]).to.deep.equal([200, 'text/css; charset=utf-8', 'public, max-age=31536000, immutable']);
  });
});
