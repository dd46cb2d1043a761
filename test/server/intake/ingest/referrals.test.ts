import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Referrals } from '../../../../src/contract/reads/referrals.js';
import { exportDataset } from '../../../../src/server/intake/dataset/export.js';
import type { DatasetRecord } from '../../../../src/server/intake/dataset/records/index.js';
import { dropOldHits } from '../../../../src/server/intake/ingest/crawler-events.js';
import { dropVisitors } from '../../../../src/server/intake/ingest/referral-days.js';
import { NOW, records } from '../../../rules/support/records.js';
import { CHROME, GPTBOT, shipped } from '../../../rules/support/shipping.js';
import { fresh } from '../../../support/hooks.js';
import { itOnServer } from '../../../support/on-server.js';
import { OPERATOR_KEY, testServer } from '../../../support/server.js';

const DAY = 86_400_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

interface View {
  readonly ip: string;
  readonly at: number;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly bytes: number;
  readonly referer: string;
  readonly agent: string;
}

const view = (parts: Partial<View> = {}): View => ({
  ...{
    ip: '192.175.48.7',
    at: NOW.getTime() - 3_600_000,
    method: 'GET',
    target: '/guide',
    status: 200,
    bytes: 512,
  },
  ...{ referer: 'https://chatgpt.com/', agent: CHROME },
  ...parts,
});

const stamp = (at: number): string => {
  const [date = '', clock = ''] = new Date(at).toISOString().split(/[T.]/);
  const [year, month, day] = date.split('-');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${clock} +0000`;
};

const lineOf = ({ ip, at, method, target, status, bytes, referer, agent }: View): string =>
  `${ip} - - [${stamp(at)}] "${method} ${target} HTTP/1.1" ${status} ${bytes} "${referer}" "${agent}"\n`;

// A second, plain count. It knows every visitor of every day, so it needs no salt.

const HOSTS: Readonly<Record<string, string>> = {
  'chatgpt.com': 'chatgpt',
  'chat.openai.com': 'chatgpt',
  'perplexity.ai': 'perplexity',
  'gemini.google.com': 'gemini',
  'copilot.microsoft.com': 'copilot',
  'claude.ai': 'claude',
  'chat.deepseek.com': 'deepseek',
  'grok.com': 'grok',
  'meta.ai': 'meta-ai',
  'chat.mistral.ai': 'mistral',
  'duck.ai': 'duck-ai',
  'you.com': 'you',
  'phind.com': 'phind',
};

function plainHost(host: string): string | null {
  if (host.startsWith('.')) return null;
  for (const [known, product] of Object.entries(HOSTS))
    if (host === known || host.endsWith(`.${known}`)) return product;
  return null;
}

function plainProduct({ referer, target }: View): string | null {
  let found: string | null = null;
  try {
    const url = new URL(referer.slice(0, 512));
    if (/^https?:$/.test(url.protocol) && url.username === '' && !/^https?:\/\/[^/?#\\]*@/i.test(referer))
      found = plainHost(url.hostname.replace(/\.$/, ''));
  } catch {
    // Not an address.
  }
  if (found !== null) return found;
  const source = /[?&]utm_source=([^&#]*)/.exec(target)?.[1];
  return source === undefined ? null : plainHost(source.toLowerCase());
}

interface Plain {
  visits: number;
  pageviews: number;
}

/** Counts bodies in the order in which they arrive. */
function plainCount(bodies: readonly (readonly View[])[], now: number): Map<string, Plain> {
  const seen = new Set<string>();
  const visitors = new Set<string>();
  const counts = new Map<string, Plain>();
  for (const body of bodies) {
    const equal = new Map<string, number>();
    for (const each of body) {
      const product = plainProduct(each);
      const path = each.target.replace(/[?#].*/s, '');
      const isView =
        each.method === 'GET' && ((each.status >= 200 && each.status < 300) || each.status === 304);
      if (product === null || !isView || each.agent === GPTBOT || /\.(css|png)$/.test(path)) continue;
      if (each.at > now + DAY || each.at < now - 400 * DAY) continue;
      const content = [stamp(each.at), product, path, each.status, each.bytes].join(' ');
      const ordinal = equal.get(content) ?? 0;
      equal.set(content, ordinal + 1);
      if (seen.has(`${content} ${ordinal}`)) continue;
      seen.add(`${content} ${ordinal}`);
      const day = new Date(each.at).toISOString().slice(0, 10);
      const row = counts.get(`${day} ${product} ${path}`) ?? { visits: 0, pageviews: 0 };
      counts.set(`${day} ${product} ${path}`, row);
      row.pageviews++;
      const oldest = new Date(now - 3 * DAY).toISOString().slice(0, 10);
      const visitor = [day, product, path, each.ip, each.agent].join(' ');
      if (day < oldest || visitors.has(visitor)) continue;
      visitors.add(visitor);
      row.visits++;
    }
  }
  return counts;
}

/** Numbers from 0 to 1 that depend on the seed only. */
function randomFrom(seed: number): () => number {
  let at = 0;
  return () => createHash('sha256').update(`${seed} ${at++}`).digest().readUInt32BE() / 2 ** 32;
}

const pick = <T>(random: () => number, all: readonly T[]): T => all[Math.floor(random() * all.length)]!;

const REFERERS = [
  ...[
    'https://chatgpt.com/',
    'https://chatgpt.com/c/abc?model=5',
    'http://www.perplexity.ai/search',
    'https://CHATGPT.com:443/',
  ],
  ...[
    'https://gemini.google.com/app',
    'https://claude.ai',
    'https://chat.openai.com./',
    'https://copilot.microsoft.com/?x=1',
  ],
  // Not those of a product.
  ...[
    '-',
    'https://www.google.com/',
    'https://www.example.com/guide',
    'https://chatgpt.com.evil.example/',
    'https://notchatgpt.com/',
  ],
  ...[
    'https://chatgpt.com@evil.example/',
    'https://user:secret@chatgpt.com/',
    'https://evil.example/chatgpt.com',
  ],
  ...[
    'https://xn--chtgpt-2of.com/',
    'https://chаtgpt.com/',
    'https://evil.example\\\\@chatgpt.com/',
    'chatgpt.com',
    'ftp://chatgpt.com/',
  ],
  ...[
    'https://.chatgpt.com.',
    'https://evil.example#@chatgpt.com/',
    'https://evil.example/?https://chatgpt.com/',
  ],
  ...[
    `https://evil.example/${'a'.repeat(10_000)}`,
    `https://chatgpt.com/${'b'.repeat(10_000)}`,
    `https://${'c'.repeat(10_000)}.chatgpt.com/`,
  ],
];
const TARGETS = [
  ...[
    '/guide',
    '/guide',
    '/prices',
    '/a.css',
    '/b.png',
    '/guide?utm_source=chatgpt.com',
    '/prices?x=1&utm_source=perplexity.ai',
  ],
  ...[
    '/guide?utm_source=chatgpt.com.evil.example',
    '/guide?utm_source=newsletter',
    '/prices?utm_source=WWW.ChatGPT.com&token=s3cr3t',
  ],
  ...['/guide?xutm_source=chatgpt.com', '/guide#utm_source=chatgpt.com'],
];

function randomView(random: () => number): View {
  const late = pick(random, [0, 0, 0, 1, 2, 3, 4, 5, 30, -0.5, 390, 500]);
  return view({
    ip: `192.31.196.${Math.floor(random() * 12)}`,
    at: NOW.getTime() - late * DAY - Math.floor(random() * 40) * 60_000,
    method: pick(random, ['GET', 'GET', 'GET', 'GET', 'POST', 'HEAD']),
    target: pick(random, TARGETS),
    status: pick(random, [200, 200, 200, 304, 206, 301, 404, 500]),
    bytes: Math.floor(random() * 3),
    referer: pick(random, REFERERS),
    agent: pick(random, [CHROME, `${CHROME} Edg/1`, `${CHROME} OPR/2`, GPTBOT]),
  });
}

describe('visits that answers send', () => {
  const server = fresh(() => testServer({ now: NOW }));
  const proxied = fresh(() => testServer({ now: NOW, crawlerLogProxies: ['45.33.32.156/32'] }));
  beforeEach(async () => {
    await server.load(records);
    await proxied.load(records);
  });

  const send = (views: readonly View[], brand = 'first') =>
    shipped(server, views.map(lineOf).join(''), { brand });

  const stored = async (from = server): Promise<Map<string, Plain>> => {
    const { rows } = await from.database.knex.raw(
      `select d.day, d.product, d.path, d.visits, d.pageviews from referral_days d join brands b using (brand_key)
       where b.id = 'first'`,
    );
    return new Map(
      rows.map(({ day, product, path, visits, pageviews }: Plain & Record<string, string>) => [
        `${day} ${product} ${path}`,
        { visits, pageviews },
      ]),
    );
  };

  const read = async (query = ''): Promise<Referrals> => {
    server.pass();
    const response = await server.request(`/api/v1/referrals?brand=first${query}`, OPERATOR_KEY);
    expect(response.status).to.equal(200);
    return (await response.json()) as Referrals;
  };

  it('counts a visitor once a day, product and page, and every page view', async () => {
    const other = { ip: '192.175.48.8' };
    await send([view(), view({ at: view().at + 60_000 }), view({ ...other, at: view().at + 120_000 })]);
    await send([
      view({ target: '/prices' }),
      view({ at: view().at - DAY }),
      view({ referer: 'https://claude.ai/' }),
    ]);
    expect(await stored()).to.deep.equal(
      new Map([
        ['2026-11-20 chatgpt /guide', { visits: 2, pageviews: 3 }],
        ['2026-11-20 chatgpt /prices', { visits: 1, pageviews: 1 }],
        ['2026-11-19 chatgpt /guide', { visits: 1, pageviews: 1 }],
        ['2026-11-20 claude /guide', { visits: 1, pageviews: 1 }],
      ]),
    );
  });

  it('counts 20,000 mutated lines, in bodies that repeat and overlap, as a plain count does', async function () {
    this.timeout(120_000);
    const random = randomFrom(7);
    const views = Array.from({ length: 20_000 }, () => randomView(random));
    const bodies: View[][] = [];
    for (let at = 0; at < views.length; at += 1600) bodies.push(views.slice(at, at + 2000));
    bodies.push(bodies[3]!, bodies[0]!, views.slice(0, 500));
    for (const body of bodies) await send(body);
    const expected = plainCount(bodies, NOW.getTime());
    expect(expected.size).to.be.greaterThan(40);
    expect([...expected.values()].some(({ visits }) => visits === 0)).to.equal(true);
    expect(await stored()).to.deep.equal(expected);
  });

  it('tells visitors behind a CDN or a proxy by the address of the client, never by that of a hop', async () => {
    const [cdn, proxy] = ['104.16.0.9', '45.33.32.156'];
    const chained = (peer: string, chain: string, second: number, target: string): string =>
      lineOf(view({ ip: peer, at: view().at + second * 1000, target })).replace('\n', ` "${chain}"\n`);
    const [anna, boris] = ['192.175.48.7', '192.175.48.8'];
    await shipped(
      server,
      chained(cdn, anna, 1, '/cdn') +
        chained(cdn, boris, 2, '/cdn') +
        chained(cdn, `${boris}, ${anna}`, 3, '/cdn'),
    );
    await send([
      view({ ip: cdn, target: '/no-chain' }),
      view({ ip: '10.0.0.7', target: '/no-chain', at: view().at + 1000 }),
    ]);
    const body = chained(proxy, anna, 1, '/proxy') + chained(proxy, boris, 2, '/proxy');
    await shipped(server, body);
    await shipped(proxied, body);
    const found = await stored();
    expect(found.get('2026-11-20 chatgpt /cdn')).to.deep.equal({ visits: 2, pageviews: 3 });
    expect(found.get('2026-11-20 chatgpt /no-chain')).to.deep.equal({ visits: 0, pageviews: 2 });
    // Nobody said that it is a proxy.
    expect(found.get('2026-11-20 chatgpt /proxy')).to.deep.equal({ visits: 1, pageviews: 2 });
    expect((await stored(proxied)).get('2026-11-20 chatgpt /proxy')).to.deep.equal({
      visits: 2,
      pageviews: 2,
    });
  });

  it('stores neither address nor user agent nor referrer nor query', async () => {
    const target = '/guide?token=s3cr3t&utm_source=chatgpt.com';
    await send([
      view({ target, referer: 'https://chatgpt.com/c/private-chat' }),
      view({ target: '/x', agent: GPTBOT }),
    ]);
    const { rows: tables } = await server.database.knex.raw(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await server.database.knex.raw(`select cast(t as text) as text from ?? t`, [name]);
      texts.push(...rows.map(({ text }: { text: string }) => `${name} ${text}`));
    }
    const all = texts.join('\n');
    expect(all).to.contain('/guide');
    for (const secret of ['192.175.48.7', 's3cr3t', 'private-chat', 'Mozilla', 'utm_source', 'chatgpt.com'])
      expect(
        texts.filter((text) => text.includes(secret) || text.includes(Buffer.from(secret).toString('hex'))),
        secret,
      ).to.deep.equal([]);
  });

  it('destroys salts and hashes after three days; later lines are page views only', async () => {
    const { knex } = server.database;
    const days = async (table: string) =>
      (await knex.raw('select distinct day from ?? order by day', [table])).rows.map(
        (row: { day: string }) => row.day,
      );
    await send([view(), view({ at: view().at - 3 * DAY }), view({ at: view().at - 4 * DAY })]);
    expect(await days('visitor_salts')).to.deep.equal(['2026-11-17', '2026-11-20']);
    expect((await stored()).get('2026-11-16 chatgpt /guide')).to.deep.equal({ visits: 0, pageviews: 1 });
    const { rows: brands } = await knex.raw('select brand_key as key from brands');
    const keys = brands.map(({ key }: { key: number }) => key);
    await dropVisitors(knex, keys, '2026-11-21');
    expect([await days('visitor_salts'), await days('referral_visitors')]).to.deep.equal([
      ['2026-11-20'],
      ['2026-11-20'],
    ]);
    server.now = new Date(NOW.getTime() + 4 * DAY);
    await send([view({ at: view().at + 60_000, ip: '192.175.48.9' })]);
    expect((await stored()).get('2026-11-20 chatgpt /guide')).to.deep.equal({ visits: 1, pageviews: 2 });
    expect((await read('&from=2026-11-20&to=2026-11-20')).note).to.match(
      /count as no visit: 1\. Their log lines came more than 3 days late/,
    );
  });

  it('is not lost by an export and an import, nothing of a visitor is in it, and no line counts again', async () => {
    await send([
      view(),
      view({ at: view().at - 4 * DAY, target: '/prices' }),
      view({ referer: '-', ip: '192.175.48.9' }),
    ]);
    const before = await stored();
    const records: DatasetRecord[] = [];
    for await (const record of exportDataset(server.database.knex)) records.push(record);
    const text = JSON.stringify(records);
    for (const secret of ['192.175.48', 'Mozilla', 'chatgpt.com']) expect(text).not.to.contain(secret);
    for (const table of [
      'referral_days',
      'referral_scope',
      'referral_keys',
      'referral_visitors',
      'visitor_salts',
    ])
      await server.database.knex.raw('delete from ??', [table]);
    await server.load(records);
    expect(await stored()).to.deep.equal(before);
    expect((await read('&from=2026-11-16&to=2026-11-20')).days_measured).to.equal(2);
    await send([view(), view({ at: view().at - 4 * DAY, target: '/prices' })]);
    expect(await stored()).to.deep.equal(before);
  });

  it('is deleted with the hits that are too old', async () => {
    await send([view({ at: view().at - 40 * DAY }), view()]);
    await dropOldHits(server.database.knex, NOW, 30);
    expect([...(await stored()).keys()]).to.deep.equal(['2026-11-20 chatgpt /guide']);
  });

  itOnServer('two servers at the same time count nothing twice and lose nothing', async () => {
    const random = randomFrom(11);
    const views = Array.from({ length: 1200 }, () => randomView(random));
    const bodies = Array.from({ length: 12 }, (_, at) => views.slice(at * 80, at * 80 + 300));
    await Promise.all([...bodies, ...bodies.toReversed()].map((body) => send(body)));
    const found = await stored();
    const sum = (counts: Map<string, Plain>) => [...counts.values()].reduce((a, b) => a + b.pageviews, 0);
    // Which of two equal lines in different bodies counts depends on the order of the bodies; how many do, does not.
    expect(sum(found)).to.equal(sum(plainCount(bodies, NOW.getTime())));
  });

  it('says what was measured: null without logs that state where people came from', async () => {
    const never = await read();
    expect(never).to.include({ connected: false, totals: null, total: 0 });
    expect(never.days.every(({ visits }) => visits === null)).to.equal(true);
    await send([view({ agent: GPTBOT, referer: '-' }), view({ referer: '-' })]);
    expect((await read()).totals).to.equal(null);
    await send([view({ referer: 'https://www.example.com/' })]);
    const nobody = await read();
    expect(nobody.totals).to.include({ visits: 0, pageviews: 0, interval: null });
    expect(nobody.days.map(({ visits }) => visits)).to.deep.equal([null, null, null, null, null, null, 0]);
    expect(nobody.note)
      .to.match(/Logs of 1 day of the window/)
      .and.match(/AI Overviews and AI Mode/);
  });

  it('compares finished days with those before, and has an interval', async () => {
    const views = Array.from({ length: 14 }, (_, ago) =>
      Array.from({ length: ago < 7 ? 8 : 2 }, (__, at) =>
        view({ at: NOW.getTime() - ago * DAY - at * 1000, ip: `192.175.48.${at}` }),
      ),
    ).flat();
    for (let ago = 13; ago >= 0; ago -= 1) {
      server.now = new Date(NOW.getTime() - ago * DAY);
      await send(views.filter(({ at }) => at > server.now.getTime() - DAY / 2 && at <= server.now.getTime()));
    }
    const { totals, products, referrals, days_measured } = await read();
    expect(days_measured).to.equal(7);
    expect(totals).to.deep.include({ visits: 56, pageviews: 56 });
    expect(totals!.change).to.deep.equal({ per_day: 8, previous_per_day: 2, verdict: 'up' });
    expect(totals!.interval![0]).to.be.within(42, 43);
    expect(totals!.interval![1]).to.be.within(72, 73);
    expect(products.map(({ product, visits }) => [product, visits])).to.deep.equal([['chatgpt', 56]]);
    expect(referrals).to.have.lengthOf(1);
    expect(referrals[0]).to.include({ product: 'chatgpt', visits: 56, pageviews: 56 });
  });
});
