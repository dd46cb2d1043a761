import { expect } from 'chai';
import { type Access, findBrand } from '../../../../src/server/accounts/access.js';
import { MAX_WAIT_MS } from '../../../../src/server/base/fair-queue.js';
import { pageReads } from '../../../../src/server/web/page/reads.js';
import { sharedReads } from '../../../../src/server/web/page/shared-reads.js';
import { collectingLog } from '../../../rules/support/collecting-log.js';
import { holdStatements } from '../../../rules/support/held-statements.js';
import { NOW, prompt, records, run } from '../../../rules/support/records.js';
import { ruleServer } from '../../../rules/support/rule-server.js';
import { statusesOf } from '../../../support/pipeline.js';
import { readsOf } from '../../../support/reads.js';
import { OPERATOR_KEY, testServer } from '../../../support/server.js';
import { postForm, signIn } from './support/visitor.js';

const DAY = 86_400_000;

const OPERATOR: Access = {
  ...{ keyId: 'operator', kind: 'operator', workspaceId: null, workspaceName: null, plan: null },
  ...{ brandIds: null, expiresAt: null, allow: null },
};

/** The brand `first` has a prompt p3 with the tag `inner`, asked on Grok in gb, besides p1 and p2 on ChatGPT in us. */
const data = [
  ...records,
  { type: 'topic', id: 't1', brand: 'first', name: 'Topic one' },
  { ...prompt('first', 'p3'), tags: ['inner'], topic: 't1' },
  { ...prompt('first', 'p4'), tags: ['outer'] },
  run('first', 'r3', '2026-11-17T10:00:00Z', { prompt: 'p3', engine: 'grok', region: 'gb' }),
  run('first', 'r4', '2026-11-17T11:00:00Z', {
    prompt: 'p4',
    carousels: [{ placements: [{ slot: 1, product: 'Kettle', is_own: true }] }],
  }),
];

interface Made {
  readonly id: string;
  readonly path: string;
  readonly expires_at: string;
  readonly slice: object;
  readonly error?: string;
}

describe('a link that shows a brand', () => {
  const server = ruleServer({ clock: 'refill', data });
  beforeEach(() => {
    server.now = NOW;
  });
  let key: string;
  before(async () => {
    key = await server.key({ workspace: 'w', kind: 'read' });
  });

  const make = async (query: string, by = key) => {
    const response = await server.request(`/shares?${query}`, by, { method: 'POST' });
    return { status: response.status, ...((await response.json()) as Made) };
  };
  const open = (path: string, init: RequestInit = {}) =>
    server.request(path, null, { redirect: 'manual', ...init });
  const html = async (path: string) => {
    const response = await open(path);
    const text = await response.text();
    expect(response.status, `${path} ${text}`).to.equal(200);
    return text;
  };
  const dead = async (path: string) => {
    const response = await open(path);
    return [response.status, await response.text()] as const;
  };
  const revoke = (id: string, by = key) => server.request(`/shares/${id}`, by, { method: 'DELETE' });
  const WRONG = `/shared/${'A'.repeat(43)}`;

  it('shows the brand without a key, with headers that keep the address to its viewer', async () => {
    const { status, path, expires_at, slice } = await make('brand=first&days=28');
    expect([status, expires_at, slice]).to.deep.equal([201, '2027-02-18T12:00:00.000Z', { days: 28 }]);
    expect(path).to.match(/^\/shared\/[\w-]{43}$/);
    const response = await open(path);
    const text = await response.text();
    expect(response.status).to.equal(200);
    expect(text).to.contain('Brand first').and.not.contain('Brand second');
    expect(text).to.not.match(/\/brands|sign-out|sign-in/);
    expect(text).to.contain('<meta name="robots" content="noindex"/>');
    const { headers } = response;
    expect(headers.get('referrer-policy')).to.equal('no-referrer');
    expect(headers.get('cache-control')).to.equal('private, no-store');
    expect(headers.get('x-robots-tag')).to.equal('noindex, nofollow');
    expect(headers.getSetCookie()).to.deep.equal([]);
  });

  it('shows the whole brand without filters, also what no filter could limit', async () => {
    const whole = await html(`${(await make('brand=first')).path}/shopping`);
    expect(whole).to.contain('shopping.totals.carousels').and.not.contain('not part of what was shared');
    const part = await make('brand=first&engine=chatgpt');
    expect(await html(`${part.path}/shopping`)).to.not.contain('shopping.');
  });

  it('has no briefing, which tells of the site and the facts of the brand', async () => {
    const { knex } = server.database;
    const access = { ...OPERATOR, shareId: 's' };
    const brand = await findBrand(knex, access, 'first');
    if (typeof brand === 'string') throw new Error(brand);
    const caller = { access, gone: new AbortController().signal };
    const reads = pageReads(
      readsOf(knex, () => server.now),
      caller,
      brand,
    );
    expect(await reads.loadIfPossible('briefing')).to.have.property('body');
    for (const limits of [{}, { engine: ['chatgpt'] }] as const) {
      const shared = sharedReads(knex, reads, limits);
      expect(await shared.loadIfPossible('briefing')).to.have.property('refused');
      const error = await shared.load('briefing').catch((thrown) => thrown);
      expect(error.refusal.status).to.equal(404);
    }
  });

  it('opens the prompts of the brand by its own links, and nothing of another brand', async () => {
    const { path } = await make('brand=first');
    const text = await html(path);
    const links = [...text.matchAll(/(?:href|action)="([^"#][^"]*)"/g)]
      .map(([, href]) => new URL(href!.replaceAll('&amp;', '&'), server.url + path))
      .filter(({ origin, protocol }) => origin === server.url && protocol === 'http:');
    expect(links.length).to.be.greaterThan(3);
    for (const { pathname, search } of links) {
      expect(pathname).to.match(/^\/(?:shared\/|page-)/);
      expect((await open(pathname + search)).status, pathname + search).to.equal(200);
    }
    expect(await html(`${path}/prompts/p1`)).to.contain('p1 for first?');
    const response = await open(`${path}/visibility.json`);
    expect([response.status, response.headers.get('cache-control')]).to.deep.equal([
      200,
      'private, no-store',
    ]);
  });

  it('is one page for every link that does not work, and for what is not behind one that does', async () => {
    const live = await make('brand=first');
    const revoked = await make('brand=first');
    expect((await revoke(revoked.id)).status).to.equal(200);
    const expired = await make('brand=first&expires=1d');
    server.now = new Date(NOW.getTime() + DAY);
    const [status, page] = await dead(WRONG);
    expect([status, page.includes('Not found')]).to.deep.equal([404, true]);
    const token = live.path.slice('/shared/'.length);
    const cased = token.replace(/[a-zA-Z]/, (one) =>
      one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
    );
    for (const path of [
      revoked.path,
      expired.path,
      `/shared/${cased}`,
      `/shared/%20${token}`,
      `/shared/${token}%20`,
      `/shared/${token}%00`,
      `/shared/${token}=`,
      `/shared/${'A'.repeat(5000)}`,
      '/shared/x',
    ])
      expect(await dead(path), path).to.deep.equal([status, page]);
    const [, below] = await dead(`${WRONG}/prompts/p1`);
    for (const path of [
      `${live.path}/prompts/nobody`,
      `${revoked.path}/prompts/p1`,
      `${live.path}/answers/nobody`,
      `${live.path}/x/y`,
    ])
      expect(await dead(path), path).to.deep.equal([404, below]);
    expect((await open(live.path)).status).to.equal(200);
  });

  it('dies at once on the server that revokes it, within a second on others', async () => {
    const other = await testServer({ now: NOW, database: server.database });
    const { id, path } = await make('brand=first');
    const there = () => other.request(path, null);
    expect([(await open(path)).status, (await there()).status]).to.deep.equal([200, 200]);
    expect((await revoke(id)).status).to.equal(200);
    expect((await open(path)).status).to.equal(404);
    other.pass();
    expect((await there()).status).to.equal(404);
    expect((await revoke(id)).status).to.equal(404);
    await other.close();
  });

  it('dies with its key: revoked, expired, and one that may not see the brand or the address', async () => {
    const expiring = await server.key({ workspace: 'w', kind: 'full', expires: '2026-11-22T00:00:00Z' });
    const short = await make('brand=first', expiring);
    expect(short.expires_at).to.equal('2026-11-22T00:00:00.000Z');
    const second = await server.key({ workspace: 'w', kind: 'read' });
    const { path } = await make('brand=first', second);
    expect((await open(path)).status).to.equal(200);
    const change = async (set: string) => {
      await server.database.knex.raw(`update api_keys set ${set} where display = ?`, [second.slice(0, 12)]);
      server.pass();
      return (await open(path)).status;
    };
    expect(await change("brand_ids = array['second']")).to.equal(404);
    expect(await change("brand_ids = null, allow = array['192.0.2.7']")).to.equal(404);
    expect(await change('allow = null')).to.equal(200);
    expect(await change('revoked_at = now()')).to.equal(404);
    server.now = new Date('2026-11-22T00:00:00Z');
    expect((await open(short.path)).status).to.equal(404);
  });

  it('a viewer cannot widen the filters, whatever is put into the address', async () => {
    const { path, slice } = await make('brand=first&tag=inner');
    expect(slice).to.deep.equal({ tag: 'inner' });
    const counted = (text: string) => /value="(\d+)" data-field="overview.run_count"/.exec(text)?.[1];
    const all = await html(`${(await make('brand=first')).path}/prompts`);
    const own = await html(path);
    expect(own).to.contain('tag=inner');
    for (const text of [own, await html(`${path}/prompts`), await html(`${path}/prompts/p3`)])
      expect(text).to.not.match(/p[124] for first|outer|visibility.*chatgpt\.run/);
    expect(all).to.contain('p4 for first?');
    for (const query of [
      'tag=outer',
      'tag=inner,outer',
      'tag=inner&tag=outer',
      'tag=',
      'prompt=p4',
      'topic=t1',
      'region=us',
      'region=zz',
      'brand=second',
      'engine=',
    ]) {
      const text = await html(`${path}?${query}`);
      expect(text, query).to.equal(own);
      expect(counted(text)).to.equal(counted(own));
    }
    for (const id of ['p1', 'p4', 'nobody'])
      expect((await open(`${path}/prompts/${id}`)).status, id).to.equal(404);
    for (const query of ['', '?tag=outer', '?prompt=p4']) {
      const body = await (await open(`${path}/visibility.json${query}`)).json();
      expect((body as { slice: { tags: string[] } }).slice.tags, query).to.deep.equal(['inner']);
    }
    const narrower = await html(`${path}?days=7`);
    expect(narrower).to.contain('tag=inner').and.not.equal(own);
  });

  it('says since when its engines have no answers, and not that collection has stalled', async () => {
    await server.load([
      run('second', 'old', '2026-11-17T11:00:00Z', { engine: 'grok' }),
      run('second', 'today', '2026-11-20T11:00:00Z'),
    ]);
    const { path } = await make('brand=second&engine=grok&days=7');
    expect((await html(path)).replaceAll(/<[^>]*>/g, ''))
      .to.contain('There are no answers since 17 Nov 2026.')
      .and.not.contain('stalled');
  });

  it('offers no filter that a viewer cannot change', async () => {
    const form = (text: string) =>
      [...text.matchAll(/type="checkbox" name="(\w+)" value="(\w+)"/g)].map(([, ...each]) => each);
    const removable = (text: string) =>
      [...text.matchAll(/Remove: <\/span>([^<]*)/g)].map(([, words]) => words!.trim());
    const tagged = (await make('brand=first&days=7&tag=inner')).path;
    const text = await html(tagged);
    expect(text).to.contain('<span class="chip">Tag: inner</span>');
    expect(await html(`${tagged}/prompts`)).to.not.contain('class="label" href');
    expect(removable(text)).to.deep.equal([]);
    expect(new Set(form(text).map(([name]) => name))).to.deep.equal(new Set(['engine']));
    expect(text).to.not.contain('id="prompt"');
    const { path } = await make('brand=first&engine=grok,chatgpt');
    expect(form(await html(path))).to.deep.equal([
      ['engine', 'chatgpt'],
      ['engine', 'grok'],
    ]);
    expect(removable(await html(path))).to.deep.equal([]);
    expect(removable(await html(`${path}?engine=grok`))).to.deep.equal(['Engine: Grok']);
    expect(form(await html((await make('brand=first&engine=grok')).path))).to.deep.equal([]);
    const whole = await html(`${(await make('brand=first')).path}?tag=inner`);
    expect(removable(whole)).to.deep.equal(['Tag: inner']);
    expect(await html(`${(await make('brand=first')).path}/prompts`)).to.contain('class="label" href');
  });

  it('engines: as many of those of the link as the address names', async () => {
    const { path } = await make('brand=first&engine=grok,chatgpt&days=7');
    const engines = async (query: string) =>
      ((await (await open(`${path}/visibility.json${query}`)).json()) as { engines: string[] }).engines;
    expect(await engines('')).to.deep.equal(['chatgpt', 'grok']);
    expect(await engines('?engine=grok')).to.deep.equal(['grok']);
    expect(await engines('?engine=grok,gemini')).to.deep.equal(['grok']);
    expect(await engines('?engine=gemini')).to.deep.equal(['chatgpt', 'grok']);
    expect(await html(`${path}?engine=gemini`)).to.not.contain('Gemini visibility');
    expect((await open(`${path}?days=8`)).status).to.equal(400);
  });

  for (const filter of ['engine=grok', 'prompt=p3', 'topic=t1', 'tag=inner', 'region=gb']) {
    it(`with ${filter} every page is whole, and names nothing else`, async () => {
      const { path } = await make(`brand=first&days=7&${filter}`);
      for (const text of [await html(path), await html(`${path}/prompts/p3`)])
        expect(text)
          .to.contain(`=${filter.split('=')[1]}`)
          .and.not.contain('crawlers.')
          .and.not.contain('fact-check');
      if (filter !== 'engine=grok' && filter !== 'region=gb')
        expect(await html(path)).to.not.match(/p[124] for first/);
    });
  }

  it('files: the rows within the filters, and no read that cannot be limited', async () => {
    const part = await make('brand=first&tag=inner&days=7');
    const whole = await make('brand=first&days=7');
    const idsOf = async (path: string) => {
      const { answers } = (await (await open(path)).json()) as { answers: { id: string }[] };
      return answers.map(({ id }) => id).sort();
    };
    for (const query of ['', '?tag=outer', '?prompt=p4', '?region=us', '?region=zz', '?brand=second'])
      expect(await idsOf(`${part.path}/answers.json${query}`), query).to.deep.equal(['r3']);
    expect(await idsOf(`${whole.path}/answers.json`)).to.deep.equal(['r1', 'r2', 'r3', 'r4']);
    expect((await open(`${part.path}/answers.csv`)).headers.get('cache-control')).to.equal(
      'private, no-store',
    );
    for (const read of [
      'prompts',
      'content-coverage',
      'sentiment',
      'answer',
      'crawlers',
      'fact-check',
      'brands',
    ])
      expect((await open(`${part.path}/${read}.json?run_id=r4`)).status, read).to.be.oneOf([400, 404]);
    for (const read of ['crawlers', 'fact-check', 'brands', 'site-health', 'visitor-stats'])
      expect((await open(`${whole.path}/${read}.json`)).status, read).to.equal(404);
    for (const { path } of [part, whole]) {
      for (const format of ['json', 'csv'])
        for (const [kind, status] of [
          ['sources', 200],
          ['crawl', 404],
        ] as const)
          expect((await open(`${path}/gaps.${format}?kind=${kind}`)).status, kind).to.equal(status);
      expect((await open(`${path}/crawlers`)).status).to.equal(404);
    }
    expect((await open(`${whole.path}/answer.json?run_id=r4`)).status).to.equal(200);
  });

  it('has a rate limit of its own, apart from its key and from other links', async () => {
    const own = await server.key({ workspace: 'w', kind: 'read' });
    const { path } = await make('brand=first', own);
    const other = await make('brand=first', own);
    for (let spent = 0; spent < 120; spent++) expect((await open(path)).status).to.equal(200);
    const refused = await open(path);
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, '1']);
    expect(await refused.text()).to.contain('120 requests per minute per link');
    expect((await open(other.path)).status).to.equal(200);
    const api = await server.request('/api/v1/brands', own);
    expect(api.headers.get('x-ratelimit-remaining')).to.equal('117');
  });

  it('a page that waits longer than a read may is 503 with Retry-After, not silence', async () => {
    const { path } = await make('brand=first');
    const held = holdStatements(server.database.knex, /^select distinct day from day_scope/);
    const set = globalThis.setTimeout;
    const hurried = (callback: () => void, ms?: number) => set(callback, ms === MAX_WAIT_MS ? 50 : ms);
    globalThis.setTimeout = hurried as typeof set;
    try {
      const late = await open(`${path}?from=2026-11-01&to=2026-11-17`);
      expect([late.status, late.headers.get('retry-after')]).to.deep.equal([503, '5']);
      expect(await late.text()).to.contain('The server is busy with other requests');
    } finally {
      globalThis.setTimeout = set;
      held.end();
    }
    expect((await open(path)).status).to.equal(200);
  });

  it('2,000 wrong tokens: the address is slowed, and a link goes on working', async () => {
    const { path } = await make('brand=first');
    const fresh = await testServer({ now: NOW, database: server.database });
    const statuses = await statusesOf(
      fresh.url,
      Array.from({ length: 2000 }, (_, at) => ({ path: `/shared/${String(at).padStart(43, '0')}` })),
    );
    const counts = [404, 429].map((status) => statuses.filter((each) => each === status).length);
    expect(counts).to.deep.equal([960, 1040]);
    expect((await fresh.request(path, null)).status).to.equal(200);
    expect((await fresh.request('/api/v1/brands', key)).status).to.equal(200);
    await fresh.close();
  });

  it('HEAD has no body, and other methods are 405 before any look-up', async () => {
    const { path } = await make('brand=first');
    const head = await open(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      for (const each of [path, WRONG, '/shared/x/share']) {
        const response = await open(each, { method });
        expect([response.status, response.headers.get('allow')], `${method} ${each}`).to.deep.equal([
          405,
          'GET, HEAD',
        ]);
      }
  });

  it('caches keep viewers apart from keys, and links from one another', async () => {
    const whole = await make('brand=first');
    const part = await make('brand=first&engine=grok');
    const guest = await signIn(server, key);
    const mine = await guest.html('/brands/first');
    const theirs = await html(whole.path);
    expect(mine).to.contain('sign-out').and.contain('Share').and.contain('id="actions"');
    expect(theirs).to.not.contain('sign-out').and.not.contain('Make a link').and.not.contain('id="actions"');
    for (const tab of ['crawlers', 'facts', 'needs', 'moves']) {
      expect((await open(`${whole.path}/${tab}`)).status, tab).to.equal(404);
      expect(theirs, tab).to.not.contain(`/${tab}"`);
    }
    expect(await html(part.path)).to.not.equal(theirs);
    expect(await html(whole.path)).to.equal(theirs);
    expect(await guest.html('/brands/first')).to.equal(mine);
    const signedIn = await open(whole.path, { headers: { Cookie: guest.cookie } });
    expect(await signedIn.text()).to.equal(theirs);
  });

  it('its token is in no log line, not even when the database fails, and is not stored', async () => {
    const { log, lines } = collectingLog();
    const { path } = await make('brand=first');
    const token = path.slice('/shared/'.length);
    const failing = await testServer({ now: NOW, log, logLevel: 'trace', database: server.database });
    expect((await failing.request(path, null)).status).to.equal(200);
    failing.pass();
    await server.database.knex.raw('alter table shares rename to elsewhere');
    const failed = await failing.request(path, null);
    const below = await failing.request(`${path}/prompts/p1`, null);
    await server.database.knex.raw('alter table elsewhere rename to shares');
    await failing.close();
    expect([failed.status, below.status]).to.deep.equal([500, 500]);
    expect(await failed.text()).to.not.contain(token);
    expect(lines.join('')).to.contain('/shared/:token').and.not.contain(token);
    const { rows } = await server.database.knex.raw('select * from shares');
    expect(JSON.stringify(rows.map((row: object) => Object.values(row).map(String)))).to.not.contain(token);
  });
});

describe('links with a key', () => {
  const server = ruleServer({ clock: 'reset', data });
  const call = async (
    path: string,
    key: string | null,
    method: string,
  ): Promise<{ status: number; id?: string; error?: string; expires_at?: string }> => {
    const response = await server.request(path, key, { method });
    return { ...((await response.json()) as Record<string, string>), status: response.status };
  };

  it('any key that may read makes them, for a brand that it can see', async () => {
    const one = await server.key({ workspace: 'w', kind: 'read', brands: ['first'] });
    expect((await call('/shares?brand=first', one, 'POST')).status).to.equal(201);
    expect((await call('/shares?brand=first', OPERATOR_KEY, 'POST')).status).to.equal(201);
    for (const id of ['second', 'foreign', 'nobody', ''])
      expect((await call(`/shares?brand=${id}`, one, 'POST')).error, id).to.equal('Unknown brand');
    const ingest = await server.key({ workspace: 'w', kind: 'ingest' });
    expect((await call('/shares?brand=first', ingest, 'POST')).status).to.equal(403);
    expect((await call('/shares?brand=first', null, 'POST')).status).to.equal(401);
    expect((await call('/shares', one, 'PUT')).status).to.equal(405);
    expect((await call('/shares/x', one, 'GET')).status).to.equal(405);
  });

  it('refuse what they would ignore, a value that the brand does not have, and an expiry', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    for (const [query, words] of [
      [
        'tags=inner',
        'Unknown argument: tags. Known arguments: brand, expires, days, from, to, engine, prompt',
      ],
      ['__proto__=x', 'Unknown argument: __proto__. Known arguments: brand, expires, days,'],
      ['tag=nobody', 'Unknown tag: nobody.'],
      ['region=zz', 'Unknown region: zz.'],
      ['days=8', 'Invalid days: 8.'],
      ...['tag', 'engine', 'region', 'prompt', 'topic', 'days'].map(
        (name) => [`${name}=`, `Empty element in ${name}: (empty).`] as const,
      ),
      ['engine=bing', 'Unknown engine: bing.'],
      ['expires=367d', 'Invalid expires: 367d. Give days as 30d'],
      ['expires=0d', 'Invalid expires: 0d.'],
      ['expires=soon', 'Invalid expires: soon.'],
      ['expires=2026-11-19', 'Invalid expires: 2026-11-19.'],
      ['expires=2027-11-22', 'Invalid expires: 2027-11-22.'],
      ['expires=1d&expires=2d', 'Parameter expires was given 2 times.'],
      ['brand=second', 'Parameter brand was given 2 times.'],
    ] as const) {
      const { status, error } = await call(`/shares?brand=first&${query}`, key, 'POST');
      expect([status, error?.startsWith(words)], `${query}: ${error}`).to.deep.equal([400, true]);
    }
    for (const [given, end] of [
      ['30d', '2026-12-20T12:00:00.000Z'],
      ['366d', '2027-11-21T12:00:00.000Z'],
      ['2026-11-20', '2026-11-21T00:00:00.000Z'],
      ['2026-12-01T08:00:00%2B02:00', '2026-12-01T06:00:00.000Z'],
    ])
      expect((await call(`/shares?brand=first&expires=${given}`, key, 'POST')).expires_at).to.equal(end);
  });

  it('refuse a body, whose filters they would ignore', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const post = (body: BodyInit, more: RequestInit & { duplex?: 'half' } = {}) =>
      server.request('/shares?brand=first', key, { method: 'POST', body, ...more });
    const stream = new Blob(['tag=inner']).stream();
    for (const response of [
      await post(new URLSearchParams({ tag: 'inner' })),
      await post('{"tag":"inner"}'),
      await post(stream, { duplex: 'half' }),
    ])
      expect([response.status, ((await response.json()) as { code: string }).code]).to.deep.equal([
        400,
        'parameters_in_body',
      ]);
    expect((await post('')).status).to.equal(201);
  });

  it('a key lists and revokes its own, the operator those of all keys', async () => {
    const [mine, other] = await Promise.all([1, 2].map(() => server.key({ workspace: 'w', kind: 'read' })));
    const { id } = await call('/shares?brand=first&tag=inner', mine!, 'POST');
    const idsOf = async (key: string) => {
      const { shares } = (await (await server.request('/shares', key)).json()) as {
        shares: { id: string }[];
      };
      return shares.map((share) => share.id);
    };
    expect(await idsOf(mine!)).to.deep.equal([id]);
    expect(await idsOf(other!)).to.deep.equal([]);
    expect(await idsOf(OPERATOR_KEY)).to.include(id);
    expect(await call(`/shares/${id}`, other!, 'DELETE')).to.include({ status: 404, code: 'unknown_share' });
    const text = await (await server.request('/shares', mine!)).text();
    expect(JSON.parse(text).shares[0]).to.have.all.keys(
      'id',
      'brand',
      'slice',
      'key_id',
      'created_at',
      'expires_at',
    );
    expect((await call(`/shares/${id}`, OPERATOR_KEY, 'DELETE')).status).to.equal(200);
    expect(await idsOf(mine!)).to.deep.equal([]);
  });
});

describe('sharing on the page', () => {
  const server = ruleServer({ clock: 'reset', data });

  it('lists the newest of many links, and how many there are besides', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const guest = await signIn(server, key);
    const response = await server.request('/shares?brand=first&tag=inner', key, { method: 'POST' });
    const { id } = (await response.json()) as Made;
    await server.database.knex.raw(
      `insert into shares select 'x' || n, sha256(cast(cast(n as text) as bytea)), secret_hash, key_id, brand_id, slice, created_at, expires_at, null
       from shares, generate_series(1, 999) n where id = ?`,
      [id],
    );
    const list = await guest.html('/brands/first/share');
    expect(Buffer.byteLength(list)).to.be.below(150_000);
    expect(list.match(/\/revoke"/g)).to.have.length(100);
    expect(list).to.contain('And 900 older ones.');
    await server.database.knex.raw("delete from shares where id <> ? and id like 'x%'", [id]);
  });

  it('makes a link to what the page shows, shows it once, lists and revokes it', async () => {
    const guest = await signIn(server, await server.key({ workspace: 'w', kind: 'read' }));
    const page = await guest.html('/brands/first?tag=inner&days=7');
    expect(page).to.contain('<form method="post" action="../brands/first/share">');
    expect(page).to.contain('<input type="hidden" name="tag" value="inner"/>');
    const post = (path: string, fields: Record<string, string>, headers = {}) =>
      postForm(server, path, fields, { Cookie: guest.cookie, ...headers });
    const made = await post('/brands/first/share', { tag: 'inner', days: '7', expires: '30d' });
    const shown = await made.text();
    const [, address = ''] = /value="(http[^"]*\/shared\/[\w-]{43})"/.exec(shown) ?? [];
    expect([made.status, made.headers.get('cache-control')]).to.deep.equal([201, 'no-store']);
    expect(address.startsWith(server.url)).to.equal(true);
    expect((await fetch(address)).status).to.equal(200);
    const list = await guest.html('/brands/first/share');
    expect(list).to.contain('inner').and.not.contain('/shared/');
    const [, action] = /action="([^"]*\/revoke)"/.exec(list)!;
    const revokePath = new URL(action!, `${server.url}/brands/first/share`).pathname;
    for (const Origin of ['https://evil.example', 'null'])
      for (const path of ['/brands/first/share', revokePath])
        expect((await post(path, {}, { Origin })).status, path).to.equal(403);
    expect((await post(revokePath, {}, { Cookie: '' })).status).to.be.oneOf([303, 401]);
    expect((await post(revokePath.replace('first', 'foreign'), {})).status).to.equal(404);
    expect((await fetch(address)).status).to.equal(200);
    const revoked = await post(revokePath, {});
    expect([revoked.status, (await fetch(address)).status]).to.deep.equal([303, 404]);
    expect(await guest.html('/brands/first/share')).to.contain('None.');
    expect((await post('/brands/first/share', { expires: '999d' })).status).to.equal(400);
    expect((await post('/brands/foreign/share', {})).status).to.equal(404);
  });
});
