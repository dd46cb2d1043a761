/** Each kind of gap as a second implementation computes it from the records, over REST; and its borders. */
import { expect } from 'chai';
import {
  type AbsentPrompt,
  type CrawlGap,
  type GapKind,
  type Gaps,
  gapKinds,
  type PromptWithinReach,
} from '../../../../src/contract/reads/gaps.js';
import { canonicalUrl } from '../../../../src/server/answers/citations/canonical-url.js';
import { domainLabel } from '../../../../src/server/answers/citations/domain-labels.js';
import { pageType } from '../../../../src/server/answers/citations/page-type.js';
import { addDays } from '../../../../src/server/base/days.js';
import type { RobotsState } from '../../../../src/server/base/robots/fetch.js';
import { parseRobots } from '../../../../src/server/base/robots/parse.js';
import { pruneRuns } from '../../../../src/server/intake/storage/prune-runs.js';
import { fresh, shared } from '../../../support/hooks.js';
import { onServer } from '../../../support/on-server.js';
import { drawFrom } from '../../../support/reference/generators/draw.js';
import {
  type AnswerGapKind,
  type DatasetRecord,
  everyScope,
  expectedCrawlGaps,
  expectedGaps,
  type Hit,
  memoisedUrlRules,
  queryOf,
  randomDataset,
  randomSlices,
  recordsOf,
  type Scope,
  type SliceParams,
} from '../../../support/reference/index.js';
import { testServer } from '../../../support/server.js';
import { call, textOf } from '../../web/mcp/support/rpc.js';
import { at, market, marketServer, runOf } from './support/market-server.js';

const TODAY = '2026-11-20';
const NOW = new Date(`${TODAY}T12:00:00Z`);
const SEEDS = onServer([0, 1, 2, 5, 37], [1, 37]);
const rules = memoisedUrlRules({ canonicalUrl, pageType, domainLabel });
const ofAnswers = gapKinds.filter((kind): kind is AnswerGapKind => kind !== 'crawl');

type Body = Gaps & { note: string | null };

/** Some prompts name their brand, some by another spelling. */
function withNamedPrompts(records: DatasetRecord[]): DatasetRecord[] {
  const brands = recordsOf(records, 'brand');
  return records.map((record, at) => {
    const brand = record.type === 'prompt' && brands.find(({ id }) => id === record.brand);
    if (!brand || at % 3 > 0) return record;
    const names = [brand.name, ...(brand.aliases ?? [])];
    return { ...record, text: `${record.text} Or ${names[at % names.length]!.toUpperCase()}?` };
  });
}

describe('read: gaps on random data sets', () => {
  const found = new Set<GapKind>();
  after(() => expect([...found], 'kinds with rows').to.have.members(ofAnswers));

  for (const seed of SEEDS) {
    describe(`data set ${seed}`, () => {
      const records = withNamedPrompts(randomDataset(seed, TODAY, { runs: 500 }));
      const scopes = everyScope(records, TODAY);
      const server = shared(() => testServer({ now: NOW }));
      before(async () => {
        await server.load(records);
      });

      const get = async (scope: Scope, kind: GapKind, slice: SliceParams, key: string) => {
        // A second refills the tokens of the requests.
        server.now = new Date(server.now.getTime() + 1000);
        const { brand } = scope;
        const of = brand === undefined ? '' : `&brand=${encodeURIComponent(brand)}`;
        const response = await server.request(`/api/v1/gaps?kind=${kind}${of}&${queryOf(slice)}`, key);
        return { status: response.status, body: (await response.json()) as Body };
      };

      const compare = async (scope: Scope, kind: AnswerGapKind, slice: SliceParams, key: string) => {
        const { status, body } = await get(scope, kind, slice, key);
        const expected = expectedGaps(records as DatasetRecord[], scope, rules, kind, slice);
        const asked = `${scope.brand} ${kind} ${JSON.stringify(slice)}`;
        if (expected === null) {
          expect(status, asked).to.equal(404);
          return;
        }
        expect(status, `${asked} ${JSON.stringify(body)}`).to.equal(200);
        const { note: _, notes: __, ...rest } = body;
        expect(rest, asked).to.deep.equal(expected.body);
        if (body.gaps.length > 0) found.add(kind);
      };

      for (const kind of ofAnswers)
        it(`${kind} is what a simple computation from the records returns`, async () => {
          server.now = NOW;
          for (const scope of scopes) {
            const key = await server.key({ workspace: scope.workspace, kind: 'read' });
            await compare(scope, kind, {}, key);
            const brand = scope.brand;
            if (brand === undefined || !recordsOf(records, 'run').some((run) => run.brand === brand))
              continue;
            for (const slice of randomSlices(seed, records, brand, TODAY, onServer(12, 5)))
              await compare(scope, kind, slice, key);
            await compare(scope, kind, { from: '2026-10-20', to: TODAY }, key);
          }
        });
    });
  }
});

const FAILED: RobotsState = { state: 'error', reason: 'no answer' };
const ROBOTS = 'User-agent: OAI-SearchBot\nAllow: /\nDisallow: /pricing\n\nUser-agent: *\nDisallow: /p/\n';

/** What the file says, by hand. */
function saidBy(agent: string, target: string) {
  if (agent === 'oai-searchbot') {
    const isClosed = target.startsWith('/pricing');
    const rule = `User-agent: OAI-SearchBot / ${isClosed ? 'Disallow: /pricing' : 'Allow: /'}`;
    return { verdict: isClosed ? 'blocked' : 'allowed', rule };
  }
  return target.startsWith('/p/')
    ? { verdict: 'blocked', rule: 'User-agent: * / Disallow: /p/' }
    : { verdict: 'unaddressed', rule: null };
}

describe('read: gaps of crawlers on random data sets', () => {
  const STATUSES = [200, 200, 200, null, 304, 401, 403, 404, 429, 500, 503];
  const AGENTS = [
    'oai-searchbot',
    'chatgpt-user',
    'googlebot',
    'bingbot',
    'claude-user',
    'gptbot',
    'perplexitybot',
  ];
  const PATHS = [
    '/pricing',
    '/p/1',
    '/best-tools',
    '/never',
    '/blog/a',
    '/robots.txt',
    '/a.css',
    '/Sitemap1.xml',
  ];

  /** Requests of the last `days` days, of which the newest is `last` days old. */
  function hitsFor(seed: number, brand: string, count: number, days: number, last: number): (Hit & object)[] {
    const draw = drawFrom(seed);
    return Array.from({ length: count }, (_, at) => ({
      ...{ type: 'crawler_event', brand, agent: draw.pick(AGENTS), path: draw.pick(PATHS) },
      time: `${addDays(TODAY, at === 0 ? -last : -draw.int(last, days - 1))}T0${draw.int(0, 9)}:${draw.int(10, 59)}:00Z`,
      status: draw.pick(STATUSES),
    }));
  }

  for (const [seed, count, days, last] of [
    [1, 250, 40, 0],
    [2, 120, 28, 1],
    [37, 250, 12, 0],
    [5, 60, 60, 2],
    [37, 0, 1, 0],
  ] as const) {
    it(`data set ${seed}, ${count} requests in ${days} days that end ${last} days ago`, async () => {
      const records = randomDataset(seed, TODAY, { runs: onServer(400, 150) });
      const state: RobotsState = seed === 2 ? FAILED : { state: 'ok', groups: parseRobots(ROBOTS) };
      const robots = async () => state;
      const server = await testServer({ now: NOW, robots });
      const brands = recordsOf(records, 'brand').map(({ id }) => id);
      const hits = new Map(brands.map((id, at) => [id, hitsFor(seed + at, id, count, days, last)]));
      await server.load([...records, ...[...hits.values()].flat()]);
      const faults = new Set<string>();
      const plain = new Set<string>();
      for (const scope of everyScope(records, TODAY)) {
        if (scope.brand === undefined) continue;
        const key = await server.key({ workspace: scope.workspace, kind: 'read' });
        const facts = {
          hits: hits.get(scope.brand)!,
          connected: count > 0,
          robots: state.state === 'ok' ? saidBy : null,
        };
        const slices = randomSlices(seed, records, scope.brand, TODAY, onServer(8, 3));
        const isCollected = recordsOf(records, 'run').some(({ brand }) => brand === scope.brand);
        for (const slice of isCollected ? [{}, ...slices] : [{}]) {
          server.now = new Date(server.now.getTime() + 1000);
          const query = `kind=crawl&brand=${encodeURIComponent(scope.brand)}&${queryOf(slice)}`;
          const response = await server.request(`/api/v1/gaps?${query}`, key);
          const expected = expectedCrawlGaps(records, scope, rules, facts, slice);
          expect(response.status, query).to.equal(expected ? 200 : 404);
          if (!expected) continue;
          const { note, notes: _, ...body } = (await response.json()) as Body;
          expect(body, query).to.deep.equal(expected.body);
          for (const { fault } of body.gaps as CrawlGap[]) {
            faults.add(fault);
            if (Object.keys(slice).length === 0) plain.add(fault);
          }
          if (count === 0) expect(note, query).to.match(/No crawler logs were ever received/);
        }
      }
      await server.close();
      if (count >= 250) expect([...faults]).to.include.members(['refused', 'closed']);
      if (days === 40)
        expect([...faults]).to.have.members(['refused', 'closed', 'never_fetched', 'never_cited']);
      if (days < 28 || last > 1) expect([...plain]).not.to.include.oneOf(['never_fetched', 'never_cited']);
    });
  }
});

describe('read: gaps at their borders', () => {
  const server = fresh(marketServer);

  const gaps = <Row>(kind: GapKind, query = '') =>
    server.body<{ gaps: Row[]; note: string | null }>('gaps', `&kind=${kind}${query}`);
  const globex = { name: 'Globex', order: 1 };
  const cites = (...urls: string[]) => ({ citations: urls.map((url) => ({ url })) });

  it('sources is the kind without one, and an answer that cites a domain twice counts once', async () => {
    await server.collect(
      runOf('r1', {
        mentions: [globex],
        ...cites('https://g2.com/a', 'https://g2.com/b', 'mailto:x', 'https://globex.io/'),
      }),
      runOf('r2', { mentions: [globex, { name: 'Acme', order: 2 }], ...cites('https://g2.com/a') }),
      runOf('r3', at('2026-11-19')),
    );
    const { gaps: rows } = await server.body<{ gaps: object[] }>('gaps');
    expect(rows).to.deep.equal([
      {
        ...{ domain: 'g2.com', answers: 1, own_answers: 1, prompts: 1, engines: ['chatgpt'] },
        ...{ rivals: [{ id: 'c', answers: 1, name: 'Globex' }], days: 1, stability: 0.5, score: 0.5 },
      },
    ]);
  });

  it('a page is lost after three days with citations, and by the share that it had', async () => {
    const cited = (day: number) =>
      runOf(`r${day}`, { ...at(addDays(TODAY, -day)), ...cites('https://acme.com/a', 'https://g2.com/') });
    await server.collect(cited(7), cited(8), runOf('now', cites('https://g2.com/', 'https://g2.com/')));
    expect((await gaps('lost_pages')).gaps).to.deep.equal([]);
    await server.load([cited(9)]);
    expect((await gaps('lost_pages')).gaps).to.deep.equal([
      { url: 'https://acme.com/a', title: null, citations_before: 3, days_before: 3, p_value: 0.25 },
    ]);
  });

  it('a window without answers loses no page, and says why', async () => {
    await server.collect(
      ...[7, 8, 9].map((day) =>
        runOf(`r${day}`, { ...at(addDays(TODAY, -day)), ...cites('https://acme.com/a') }),
      ),
    );
    const { gaps: rows, note } = await gaps('lost_pages');
    expect(rows).to.deep.equal([]);
    expect(note).to.match(/No answer was collected in this window/);
    const before = await gaps('lost_pages', '&from=2026-11-10&to=2026-11-13');
    expect([before.gaps, before.note]).to.satisfy(
      ([found, said]: [object[], string]) =>
        found.length === 0 && /in the window of equal length before/.test(said),
    );
    expect((await gaps('lost_pages', '&from=2026-11-13&to=2026-11-14')).note).to.match(/on 3 days/);
  });

  it('a brand is within reach behind a rival at ranks 2 to 4', async () => {
    await server.collect(
      ...[1, 2, 4, 5].flatMap((order) => [
        { type: 'prompt', id: `at.${order}`, brand: 'b', text: `best crm at ${order}?` },
        runOf(`r${order}`, { prompt: `at.${order}`, mentions: [globex, { name: 'Acme', order }] }),
      ]),
    );
    const { gaps: rows } = await gaps<PromptWithinReach>('within_reach');
    expect(rows.map(({ prompt_id }) => prompt_id)).to.have.members(['at.2', 'at.4']);
    for (const order of [2, 4]) {
      const row = rows.find(({ prompt_id }) => prompt_id === `at.${order}`)!;
      expect(row.gain).to.be.closeTo(100 - 100 / Math.log2(1 + order), 1e-6);
      expect(row.ahead).to.deep.equal({ id: 'c', name: 'Globex', answers: 1 });
    }
  });

  it('prompts within reach are in the order of what they add to the brand, not to themselves', async () => {
    const named = (order: number) => [globex, { name: 'Acme', order }];
    await server.load([...market, { type: 'prompt', id: 'off', brand: 'b', text: 'old?', active: false }]);
    await server.load([
      ...[1, 2, 3, 4, 5, 6].map((each) => runOf(`p${each}`, { mentions: named(each > 3 ? 2 : 9) })),
      runOf('q', { prompt: 'q', mentions: named(2) }),
      runOf('x', { prompt: 'off' }),
    ]);
    const step = 100 - 100 / Math.log2(3);
    for (const query of ['', '&region=us&engine=chatgpt']) {
      const { gaps: rows } = await gaps<PromptWithinReach>('within_reach', query);
      expect(
        rows.map(({ prompt_id }) => prompt_id),
        query,
      ).to.deep.equal(['p', 'q']);
      const [p, q] = rows;
      expect(p!.gain).to.be.closeTo(step / 2, 1e-6);
      expect(q!.gain).to.be.closeTo(step, 1e-6);
      // Of the eight answers of the window; one is to a prompt that is asked no more.
      expect(p!.brand_gain).to.be.closeTo((step * 3) / 8, 1e-6);
      expect(q!.brand_gain).to.be.closeTo(step / 8, 1e-6);
    }
  });

  it('a prompt that names the brand, in any spelling of it, is not within reach', async () => {
    const naming = ['Acme or Globex?', 'is ACME good?', 'What does the acme  corp make?'];
    const texts = [...naming, 'best acmeology course?'];
    await server.load(market);
    await server.load([
      { ...market.find(({ type }) => type === 'brand')!, aliases: ['Acme Corp'] },
      ...texts.flatMap((text, at) => [
        { type: 'prompt', id: `p${at}`, brand: 'b', text },
        runOf(`r${at}`, { prompt: `p${at}`, mentions: [globex, { name: 'Acme', order: 2 }] }),
      ]),
    ]);
    const { gaps: rows } = await gaps<PromptWithinReach>('within_reach');
    expect(rows.map(({ prompt_id }) => prompt_id)).to.deep.equal([`p${naming.length}`]);
  });

  it('a prompt that names the brand once is not absent, nor one that names nobody', async () => {
    await server.collect(
      runOf('r1', { mentions: [globex] }),
      runOf('r2', { mentions: [{ name: 'Acme', order: 1 }] }),
      runOf('r3', { prompt: 'q' }),
    );
    expect((await gaps('absent')).gaps).to.deep.equal([]);
    expect(
      (await gaps<AbsentPrompt>('absent', '&from=2026-11-20&to=2026-11-20&engine=chatgpt&prompt=p')).gaps,
    ).to.deep.equal([]);
  });

  it('refuses an unknown kind with the known ones, and crawl below the plan that crawlers need', async () => {
    await server.collect(runOf('r'));
    expect(await server.refused('gaps', '&kind=all')).to.match(
      /sources, lost_pages, within_reach, absent, crawl/,
    );
    await server.load([
      { type: 'workspace', id: 'small', name: 'S', plan: 'starter' },
      { type: 'brand', id: 'sb', workspace: 'small', name: 'S', domain: 's.example' },
      { type: 'prompt', id: 'sp', brand: 'sb', text: 's?' },
      { ...runOf('sr'), brand: 'sb', prompt: 'sp' },
    ]);
    const key = await server.key({ workspace: 'small', kind: 'full' });
    const asked = async (kind: string) => server.request(`/api/v1/gaps?kind=${kind}`, key);
    expect((await asked('sources')).status).to.equal(200);
    const refused = await asked('crawl');
    expect([refused.status, ((await refused.json()) as { error: string }).error]).to.deep.equal([
      403,
      'Crawler analytics needs the Growth plan or above; this workspace is on Starter.',
    ]);
    // A body that another key may read is not served from the cache.
    expect((await server.body<{ kind: string }>('gaps', '&kind=crawl')).kind).to.equal('crawl');
    expect((await server.request('/api/v1/gaps?kind=crawl&brand=sb', key)).status).to.equal(403);
  });

  it('is unknown for a brand that was never collected', async () => {
    await server.collect();
    const response = await server.request('/api/v1/gaps?brand=b');
    expect([response.status, await response.json()]).to.deep.equal([
      404,
      { error: 'Unknown brand', code: 'unknown_brand' },
    ]);
  });

  it('answers for days whose answers were deleted from roll-ups, and refuses slices that need them', async () => {
    const day = '2026-08-01';
    await server.collect(
      runOf('old', { ...at(day), mentions: [globex], ...cites('https://g2.com/') }),
      runOf('new'),
    );
    const query = `&from=${day}&to=${day}`;
    const before = await gaps('sources', query);
    expect(before.gaps).to.have.length(1);
    for await (const _ of pruneRuns(server.database.knex, { today: TODAY, days: 60 }));
    expect(await gaps('sources', query)).to.deep.equal(before);
    expect((await gaps('absent', `${query}&prompt=p`)).gaps).to.have.length(1);
    expect(await server.refused('gaps', `&kind=sources${query}&prompt=p`)).to.match(/deleted|stored/);
  });

  it('the tool returns the first twenty rows of the fifty', async () => {
    const domains = Array.from({ length: 60 }, (_, at) => `https://site${at}.example/`);
    await server.collect(runOf('r', { mentions: [globex], ...cites(...domains) }));
    const { gaps: rows } = await gaps('sources');
    expect(rows).to.have.length(50);
    const text = textOf(await call(server, 'list_gaps', { brand_id: 'b', kind: 'sources' }));
    expect((JSON.parse(text) as { gaps: object[] }).gaps).to.deep.equal(rows.slice(0, 20));
  });
});
