import { expect } from 'chai';
import type { CrawlerAgent, Crawlers } from '../../../../src/contract/reads/crawlers.js';
import { agents } from '../../../../src/logs/agents/match.js';
import { NOW, records } from '../../../rules/support/records.js';
import { CHROME, line, shipped } from '../../../rules/support/shipping.js';
import { shared } from '../../../support/hooks.js';
import { testServer } from '../../../support/server.js';
import { answering, type Site, site } from '../../base/robots/support.js';

const BRAND = {
  type: 'brand',
  id: 'sited',
  workspace: 'w',
  name: 'Sited',
  created_at: '2026-05-01T00:00:00Z',
};
const HOUR = 3_600_000;
const CLAIM = 'Agents are counted by the user agent that a request claimed, whoever sent it.';

describe('read: crawlers', () => {
  let robots: Site;
  let file: string | null;
  const server = shared(() => testServer({ robotsAllowPrivate: true }));
  before(async () => {
    await server.load(records);
  });
  /** Every test has its own brand and site. */
  let id = '';
  let tests = 0;
  beforeEach(async () => {
    file = null;
    robots = await site((_, response) => {
      if (file === null) response.writeHead(404).end();
      else if (file === 'broken') response.writeHead(500).end();
      else response.end(file);
    });
    id = `sited-${tests++}`;
    server.now = new Date(NOW.getTime());
    await server.load([{ ...BRAND, id, domain: robots.domain }]);
  });
  afterEach(() => robots.close());

  const read = (query = '', brand = id) => server.read<Crawlers>(`/api/v1/crawlers?brand=${brand}${query}`);
  const agent = ({ agents: all }: Crawlers, key: string): CrawlerAgent =>
    all.find((each) => each.agent === key)!;
  const hit = (time: string, path: string, key = 'gptbot') => ({
    type: 'crawler_event',
    brand: id,
    agent: key,
    path,
    time,
    status: 200,
  });
  /** Moves the clock by an hour, after which robots.txt is checked again. */
  const later = () => {
    server.now = new Date(server.now.getTime() + HOUR);
  };

  it('returns null, not zero, for a brand that was never connected', async () => {
    const body = await read();
    expect(body).to.include({
      window_days: 7,
      connected: false,
      last_event_at: null,
      totals: null,
      robots_fetch_state: 'absent',
    });
    expect(body.brand).to.deep.equal({ id, name: 'Sited', domain: robots.domain });
    for (const each of body.agents) {
      expect(each).to.include({ hits: null, pages: null, first_seen: null, last_seen: null });
    }
    expect(body.note).to.equal(
      'No crawler logs were ever received for this brand, so hits are null: not measured, not zero. Ship logs to POST /api/v1/crawler-events.',
    );
  });

  it('lists every agent of the default list, and others and unknown ones after their first hit', async () => {
    const listed = agents.filter((each) => each.defaultList).map((each) => each.key);
    const other = agents.find((each) => !each.defaultList && each.inLogs)!;
    const keys = async () => (await read()).agents.map((each) => each.agent);
    expect(await keys()).to.deep.equal([...listed].sort());
    await server.load([
      hit('2026-10-01T00:00:00Z', '/', other.key),
      hit('2026-10-01T00:00:00Z', '/', 'gone-bot'),
    ]);
    server.pass();
    expect(await keys()).to.have.members([...listed, other.key, 'gone-bot']);
    const body = await read();
    expect(agent(body, 'gone-bot')).to.include({
      label: 'gone-bot',
      operator: '',
      purpose: 'unknown',
      engine: null,
      hits: 0,
      in_logs: true,
    });
    expect(agent(body, other.key)).to.include({ label: other.label, operator: other.operator, hits: 0 });
  });

  it('returns the properties of an agent from the registry', async () => {
    const body = await read();
    expect(agent(body, 'gptbot')).to.include({
      label: 'GPTBot',
      operator: 'OpenAI',
      purpose: 'training',
      engine: 'chatgpt',
      in_logs: true,
    });
    expect(agent(body, 'googlebot')).to.include({ engine: null, purpose: 'search_index' });
  });

  it('counts hits and distinct paths, per agent and in total, sorted by hits, then key', async () => {
    await server.load([
      hit('2026-11-20T08:00:00Z', '/a'),
      hit('2026-11-20T09:00:00Z', '/a'),
      hit('2026-11-14T00:00:00Z', '/b'),
      hit('2026-11-13T23:59:59.999Z', '/old'),
      hit('2026-11-21T00:00:00Z', '/tomorrow'),
      hit('2026-11-19T00:00:00Z', '/a', 'claudebot'),
      hit('2026-11-18T00:00:00Z', '/c', 'ccbot'),
    ]);
    const body = await read();
    expect(body.totals).to.deep.equal({ hits: 5, pages: 3 });
    expect(agent(body, 'gptbot')).to.include({
      hits: 3,
      pages: 2,
      first_seen: '2026-11-14T00:00:00.000Z',
      last_seen: '2026-11-20T09:00:00.000Z',
    });
    expect(body.agents.slice(0, 3).map((each) => each.agent)).to.deep.equal(['gptbot', 'ccbot', 'claudebot']);
    const rest = body.agents.slice(3).map((each) => each.agent);
    expect(rest).to.deep.equal([...rest].sort());
    expect(agent(body, 'perplexitybot')).to.include({ hits: 0, pages: 0, first_seen: null, last_seen: null });
    expect(body).to.include({ connected: true, last_event_at: '2026-11-21T00:00:00.000Z', note: CLAIM });
    const fortnight = await read('&days=14');
    expect([fortnight.window_days, fortnight.totals]).to.deep.equal([14, { hits: 6, pages: 4 }]);
  });

  it('counts what the agents got, and who they were, without a request lost', async () => {
    const statuses = [200, 304, 404, 410, 401, 403, 451, 402, 429, 500, 503, 418, 100, 600, undefined];
    await server.load(
      statuses.map((status, at) => ({
        ...hit(`2026-11-20T09:00:0${at % 10}Z`, `/${at}`),
        status,
        ...(at < 9 ? { verified: at < 6 } : {}),
      })),
    );
    const body = await read();
    expect(agent(body, 'gptbot')).to.deep.include({
      hits: 15,
      outcomes: {
        ...{ served: 2, not_found: 2, refused: 3, payment_required: 1, throttled: 1, failed: 2, other: 4 },
      },
      ...{ verified_hits: 6, unverified_hits: 3, unknown_hits: 6, ranges_date: '2026-10-09' },
    });
    expect(agent(body, 'bytespider')).to.deep.include({ verified_hits: 0, ranges_date: null });
    expect(agent(body, 'claudebot').outcomes!.served).to.equal(0);
  });

  it('says that lists are too old, and that a log has the addresses of a proxy', async () => {
    await server.load([{ ...hit('2026-11-20T09:00:00Z', '/'), verified: false }]);
    expect((await read()).notes.map(({ code }) => code)).to.deep.equal(['none_verified']);
    server.now = new Date('2027-06-01T00:00:00Z');
    await server.load([{ ...hit('2027-05-31T09:00:00Z', '/'), verified: true }]);
    expect((await read()).note).to.include(
      'The address lists of OpenAI were last fetched more than 90 days ago',
    );
  });

  it('verifies sent lines by the address of the client, and stores the verdict and no address', async () => {
    const own = '20.171.206.77';
    const other = '45.33.32.156';
    await shipped(server, line({ ip: own }) + line({ ip: other }) + line({ ip: '10.0.0.1' }), { brand: id });
    expect(agent(await read(), 'gptbot')).to.include({
      verified_hits: 1,
      unverified_hits: 1,
      unknown_hits: 1,
    });
    const { rows } = await server.database.knex.raw(
      "select table_name as name from information_schema.tables where table_schema = current_schema() and table_name <> 'address_lists'",
    );
    for (const { name } of rows) {
      const found = await server.database.knex.raw(
        `select count(*) as rows from "${name}" x where x::text like '%${own}%' or x::text like '%${other}%'`,
      );
      expect(found.rows[0].rows, name).to.equal(0);
    }
  });

  it('shows what robots.txt states about the use of content, with its group, and the same verdict', async () => {
    const rules = 'User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nDisallow: /\n';
    file = rules;
    const plain = await read();
    file = [
      'License: https://s.example/license.xml',
      'User-agent: *',
      'Content-Signal: search=yes, ai-train=no',
      'Disallow: /x',
      '',
      'User-agent: GPTBot',
      'Content-Usage: train-ai=n # a comment',
      'Disallow: /',
    ].join('\n');
    later();
    const body = await read();
    expect(body.agents.map(({ robots }) => robots)).to.deep.equal(plain.agents.map(({ robots }) => robots));
    const licence = { kind: 'license', line: 'License: https://s.example/license.xml' };
    expect(agent(body, 'gptbot').robots_signals).to.deep.equal([
      { kind: 'content_usage', line: 'User-agent: GPTBot / Content-Usage: train-ai=n' },
      licence,
    ]);
    expect(agent(body, 'claudebot').robots_signals).to.deep.equal([
      { kind: 'content_signal', line: 'User-agent: * / Content-Signal: search=yes, ai-train=no' },
      licence,
    ]);
    file = 'broken';
    later();
    expect(agent(await read(), 'gptbot').robots_signals).to.equal(null);
  });

  it('returns null hits for names that exist only in robots.txt until logs arrive, then 0', async () => {
    expect(agent(await read(), 'google-extended')).to.include({ in_logs: false, hits: null });
    await shipped(server, line({ agent: CHROME }), { brand: id });
    expect(agent(await read(), 'google-extended')).to.include({ in_logs: false, hits: 0, pages: 0 });
  });

  it('notes a week without hits, for any window', async () => {
    await server.load([hit('2026-11-10T08:00:00Z', '/a')]);
    const quiet =
      'Nothing from any AI agent was logged in the last 7 days, so zero hits may be missing data; the newest request on record is of 2026-11-10T08:00:00.000Z.';
    expect((await read()).note).to.equal(quiet);
    expect((await read('&days=28')).note).to.equal(`${quiet} ${CLAIM}`);
    await shipped(server, line({ time: '2026-11-14T00:00:00Z' }), { brand: id });
    expect((await read('&days=28')).note).to.equal(CLAIM);
  });

  it('accepts 7, 14 and 28 days', async () => {
    for (const days of [7, 14, 28]) expect((await read(`&days=${days}`)).window_days).to.equal(days);
    for (const days of ['56', '0', '07', 'x', '']) {
      const reply = await server.request(`/api/v1/crawlers?brand=${id}&days=${days}`);
      expect([reply.status, await reply.json()]).to.deep.equal([
        400,
        {
          error: `Invalid days: ${days || '(empty)'}. Give one of 7, 14, 28.`,
          code: 'invalid_choice',
          parameters: ['days'],
        },
      ]);
    }
  });

  it('returns the verdict of robots.txt for every agent', async () => {
    file =
      'User-agent: GPTBot\nDisallow: /\n\nUser-agent: Perplexity-User\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n';
    const body = await read();
    expect(body.robots_fetch_state).to.equal('ok');
    expect(agent(body, 'gptbot').robots).to.deep.equal({
      verdict: 'blocked',
      rule: 'User-agent: GPTBot / Disallow: /',
      blocked_path: '/',
    });
    expect(agent(body, 'ccbot').robots).to.deep.equal({
      verdict: 'unaddressed',
      rule: null,
      blocked_path: '/cart',
    });
    expect(body.note).to.include(
      'Blocked agents that fetch on a person’s demand may ignore robots.txt: Perplexity-User.',
    );
  });

  it('returns unaddressed for an absent robots.txt, and null after a failed check', async () => {
    const absent = await read();
    expect(agent(absent, 'gptbot').robots).to.deep.equal({
      verdict: 'unaddressed',
      rule: null,
      blocked_path: null,
    });
    file = 'broken';
    expect((await read('&days=14')).robots_fetch_state).to.equal('absent');
    later();
    const failed = await read();
    expect(failed.robots_fetch_state).to.equal('error');
    expect(failed.agents.map((each) => each.robots)).to.deep.equal(failed.agents.map(() => null));
    expect(failed.note).to.include(
      'robots.txt could not be fetched (HTTP status 500), so verdicts are null.',
    );
  });

  it('refreshes the state of robots.txt each hour, although the response is cached', async () => {
    expect((await read()).robots_fetch_state).to.equal('absent');
    file = '';
    expect((await read()).robots_fetch_state).to.equal('absent');
    expect(robots.asked).to.have.lengthOf(1);
    later();
    expect((await read()).robots_fetch_state).to.equal('ok');
  });

  it('does not fetch from private addresses unless the configuration allows it', async () => {
    const guarded = await testServer({ database: server.database });
    const site = await answering(200, '');
    await guarded.load([{ ...BRAND, id: 'guarded', domain: site.domain }]);
    const body = await guarded.read<Crawlers>('/api/v1/crawlers?brand=guarded');
    expect(body.robots_fetch_state).to.equal('error');
    expect(site.asked).to.deep.equal([]);
    await site.close();
    await guarded.close();
  });

  it('accepts a brand without runs, and refuses plans below Growth before it checks the brand', async () => {
    expect((await read('', 'uncollected')).connected).to.equal(false);
    for (const [plan, name] of [
      ['trial', 'Trial'],
      ['starter', 'Starter'],
    ]) {
      await server.load([{ type: 'workspace', id: 'poor', name: 'poor', plan }]);
      const key = await server.key({ workspace: 'poor', kind: 'full' });
      const reply = await server.request('/api/v1/crawlers?brand=nobody&days=x', key);
      expect([reply.status, await reply.json()]).to.deep.equal([
        403,
        {
          error: `Crawler analytics needs the Growth plan or above; this workspace is on ${name}.`,
          code: 'plan_too_low',
        },
      ]);
    }
    for (const plan of ['growth', 'enterprise']) {
      await server.load([{ type: 'workspace', id: 'poor', name: 'poor', plan }]);
      const key = await server.key({ workspace: 'poor', kind: 'read' });
      expect((await server.request('/api/v1/crawlers', key)).status).to.equal(404);
    }
  });
});
