import { expect } from 'chai';
import { CRAWLER_SILENCE } from '../../../../src/contract/moves.js';
import { crawlerMoves, crawlerMovesIn, siteMoves } from '../../../../src/server/alerts/moves/site.js';
import { tellMoves } from '../../../../src/server/alerts/moves/tell.js';
import { addDays, everyDayOf, windowEnding } from '../../../../src/server/base/days.js';
import { parseRobots } from '../../../../src/server/base/robots/parse.js';
import { fresh } from '../../../support/hooks.js';
import { marketServer } from '../../answers/reads/support/market-server.js';

const NIGHT = '2026-11-19';
const NIGHTS = windowEnding(NIGHT, 7);

const requestsOn = (agent: string, days: readonly string[], requests = 3, refused = 0) =>
  days.map((day) => ({ agent, day, requests, refused }));
const daysTo = (end: string, days = 30) => everyDayOf(windowEnding(end, days));

describe('moves of crawlers', () => {
  const quietSince = addDays(NIGHT, -CRAWLER_SILENCE.silent);

  it('an agent that came every day is silent after three days, told on the third', () => {
    const rows = [
      ...requestsOn('bingbot', daysTo(NIGHT)),
      ...requestsOn('oai-searchbot', daysTo(quietSince)),
    ];
    expect(crawlerMovesIn(rows, NIGHTS)).to.deep.equal([
      {
        kind: 'crawler_silent',
        subject: 'oai-searchbot',
        direction: null,
        day: NIGHT,
        facts: { agent: 'oai-searchbot', label: 'OAI-SearchBot', requests: 42 },
      },
    ]);
    const later = { start: addDays(NIGHT, 1), end: addDays(NIGHT, 5) };
    const others = requestsOn('bingbot', daysTo(later.end, 40));
    expect(
      crawlerMovesIn([...others, ...requestsOn('oai-searchbot', daysTo(quietSince))], later),
    ).to.deep.equal([]);
  });

  it('nobody is silent on days without any request, whose logs may be missing', () => {
    const rows = [
      ...requestsOn('bingbot', daysTo(quietSince)),
      ...requestsOn('oai-searchbot', daysTo(quietSince)),
    ];
    expect(crawlerMovesIn(rows, NIGHTS)).to.deep.equal([]);
  });

  it('an agent without a daily rhythm, and one that trains models, is not silent', () => {
    const gaps = daysTo(quietSince).filter((_, at) => at % 5 > 0);
    const rows = [
      ...requestsOn('bingbot', daysTo(NIGHT)),
      ...requestsOn('oai-searchbot', gaps),
      ...requestsOn('gptbot', daysTo(quietSince)),
    ];
    expect(crawlerMovesIn(rows, NIGHTS)).to.deep.equal([]);
  });

  it('an agent is refused from the first night on which half of at least five requests are', () => {
    const rows = [
      ...requestsOn('oai-searchbot', daysTo(addDays(NIGHT, -2)), 4),
      ...requestsOn('oai-searchbot', [addDays(NIGHT, -1)], 4, 4),
      ...requestsOn('oai-searchbot', [NIGHT], 4, 4),
      ...requestsOn('perplexitybot', [NIGHT], 4, 4),
    ];
    const found = crawlerMovesIn(rows, NIGHTS);
    expect(found.map(({ kind, subject, day }) => [kind, subject, day])).to.deep.equal([
      ['crawler_refused', 'oai-searchbot', NIGHT],
    ]);
    expect(found[0]!.facts).to.include({ requests: 12, refused: 8 });
  });
});

describe('moves of crawlers, by the hits that are stored', () => {
  const server = fresh(marketServer);
  const hits = (agent: string, days: readonly string[], more: object) =>
    days.flatMap((day) =>
      ['08', '14'].map((hour) => ({
        type: 'crawler_event',
        brand: 'b',
        agent,
        path: '/guide',
        time: `${day}T${hour}:00:00Z`,
        ...more,
      })),
    );
  const found = async () =>
    (await crawlerMoves(server.database.knex, 1, NIGHTS)).map(({ kind, subject, facts }) => [
      kind,
      subject,
      'requests' in facts ? facts.requests : null,
    ]);

  it('are of the crawlers themselves where that is known: a scanner in their name is neither refused nor there', async () => {
    const quietSince = addDays(NIGHT, -CRAWLER_SILENCE.silent);
    const scanner = { status: 403, verified: false };
    await server.collect(
      ...hits('bingbot', daysTo(addDays(NIGHT, 1)), { status: 200, verified: true }),
      ...hits('oai-searchbot', daysTo(quietSince), { status: 200, verified: true }),
      ...hits('oai-searchbot', daysTo(NIGHT, 3), scanner),
      ...hits('perplexitybot', daysTo(NIGHT, 3), scanner),
    );
    expect(await found()).to.deep.equal([['crawler_silent', 'oai-searchbot', 28]]);
  });

  it('are of all hits where nobody knows who they were, and of verified ones', async () => {
    await server.collect(
      ...hits('bingbot', daysTo(addDays(NIGHT, 1)), { status: 200 }),
      ...hits('perplexitybot', daysTo(NIGHT, 3), { status: 403 }),
      ...hits('oai-searchbot', daysTo(NIGHT, 3), { status: 403, verified: true }),
    );
    expect(await found()).to.deep.equal([
      ['crawler_refused', 'oai-searchbot', 6],
      ['crawler_refused', 'perplexitybot', 6],
    ]);
  });
});

describe('moves of the site', () => {
  const server = fresh(marketServer);
  beforeEach(async () => {
    await server.collect();
  });

  const brand = { key: 1, domain: 'acme.com' };
  const robots = (text: string) => ({ state: 'ok' as const, groups: parseRobots(text) });
  const seen = (state: Parameters<typeof siteMoves>[2], domain = brand.domain) =>
    siteMoves(server.database.knex, { ...brand, domain }, state, NIGHT);

  it('a robots.txt that is seen for the first time is no change', async () => {
    expect(await seen(robots('User-agent: OAI-SearchBot\nDisallow: /'))).to.deep.equal([]);
  });

  it('agents that are kept out or let in are told together, and a failed look tells nothing', async () => {
    await seen(robots('User-agent: GPTBot\nDisallow: /'));
    expect(await seen({ state: 'error', reason: 'HTTP status 500' })).to.deep.equal([]);
    expect(await seen(undefined)).to.deep.equal([]);
    const [closed, ...more] = await seen(
      robots('User-agent: OAI-SearchBot\nUser-agent: PerplexityBot\nDisallow: /'),
    );
    expect(more).to.deep.equal([]);
    expect(closed).to.include({ kind: 'robots', direction: 'down', day: NIGHT });
    expect(closed!.facts).to.deep.equal({ labels: ['OAI-SearchBot', 'PerplexityBot'], closed: true });
    const [opened] = await seen({ state: 'absent' });
    expect(opened).to.include({ subject: closed!.subject, direction: 'up' });
    expect(await seen({ state: 'absent' })).to.deep.equal([]);
  });

  it('the robots.txt of another domain is no change', async () => {
    await seen(robots(''));
    expect(await seen(robots('User-agent: *\nDisallow: /'), 'acme.org')).to.deep.equal([]);
  });

  it('changes of robots.txt are sent on plans that list them', async () => {
    const told = async (text: string) => {
      await server.database.knex.transaction((trx) => tellMoves(trx, 1, robots(text), server.now));
      const { rows } = await server.database.knex.raw('select type from events');
      return rows.length;
    };
    await server.load([{ type: 'workspace', id: 'w', name: 'W', plan: 'starter' }]);
    await told('');
    expect(await told('User-agent: *\nDisallow: /')).to.equal(0);
    await server.load([{ type: 'workspace', id: 'w', name: 'W', plan: 'growth' }]);
    expect(await told('')).to.equal(1);
  });

  it('a site degrades when a tenth of its checked pages fail, and recovers', async () => {
    const page = (at: number, status: number, day: string) => ({
      ...{ type: 'site_page', brand: 'b', url: `https://acme.com/${at}`, status },
      ...{ bot_wall: false, ttfb_ms: 100, checked_at: `${day}T06:00:00Z` },
    });
    const check = async (failing: number, day: string) => {
      await server.collect(...Array.from({ length: 20 }, (_, at) => page(at, at < failing ? 500 : 200, day)));
      await server.database.knex.transaction(async (trx) => {
        await tellMoves(trx, 1, undefined, server.now);
      });
    };
    await check(0, '2026-11-16');
    await check(1, '2026-11-17');
    await check(2, '2026-11-18');
    await check(3, '2026-11-19');
    await check(0, '2026-11-20');
    const { rows } = await server.database.knex.raw('select kind, day from moves order by day');
    expect(rows.map(({ kind, day }: Record<string, string>) => [kind, day])).to.deep.equal([
      ['health_degraded', '2026-11-18'],
      ['health_recovered', '2026-11-20'],
    ]);
  });
});
