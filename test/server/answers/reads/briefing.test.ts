import { expect } from 'chai';
import type { Briefing } from '../../../../src/contract/reads/briefing.js';
import type { Moves } from '../../../../src/contract/reads/moves.js';
import type { Overview } from '../../../../src/contract/reads/overview.js';
import { storeFactCheck } from '../../../../src/server/answers/reads/fact-check.js';
import { addDays } from '../../../../src/server/base/days.js';
import { fresh } from '../../../support/hooks.js';
import { testServer } from '../../../support/server.js';
import { market, NOW, runOf } from '../../intake/dataset/support/load.js';

const TODAY = '2026-11-20';

describe('GET /api/v1/briefing', () => {
  const server = fresh(() => testServer({ now: NOW }));

  /** Six answers a day; one in so many names the brand, the others a rival. */
  const runs = (from: string, to: string, engine = 'chatgpt', named = 3) => {
    const made: object[] = [];
    for (let day = from; day <= to; day = addDays(day, 1))
      for (let place = 0; place < 6; place++)
        made.push(
          runOf(`${engine}-${day}-${place}`, {
            engine,
            collected_at: `${day}T08:00:00Z`,
            mentions: [{ name: place % named === 0 ? 'Acme' : 'Globex', order: 1 }],
          }),
        );
    return made;
  };
  const load = (lines: object[], plan = 'growth') =>
    server.load([{ ...market[0]!, plan }, ...market.slice(1), ...lines]);
  const briefing = (query = '', key?: string) =>
    server.read<Briefing>(`/api/v1/briefing?brand=b${query}`, key);
  const kinds = ({ needs }: Briefing) => needs.map(({ kind }) => kind);

  it('opens on the longest window that has a verdict, unless days are given', async () => {
    await load(runs('2026-10-01', TODAY));
    const opened = await briefing();
    expect(opened.window).to.deep.equal({ start: '2026-10-24', end: TODAY, days: 28 });
    const { start, end } = opened.window;
    expect(opened.overview).to.deep.equal(
      await server.read<Overview>(`/api/v1/overview?brand=b&from=${start}&to=${end}`),
    );
    expect(opened.sentence).to.match(/^Acme is named in 33 % of answers, second of two brands/);
    expect(opened.place).to.deep.equal({ rank: 2, of: 2 });
    expect((await briefing('&days=7')).window).to.deep.equal({ start: '2026-11-14', end: TODAY, days: 7 });
    expect((await briefing('&from=2026-11-02&to=2026-11-03')).window.days).to.equal(2);
  });

  it('says that collection has stalled, fails or runs', async () => {
    await load(runs('2026-11-01', '2026-11-17'));
    expect(kinds(await briefing())[0]).to.equal('collection_stalled');
    await server.database.knex.raw(
      `insert into collections (brand_key, day, due_at, reason, remedy)
       select brand_key, '2026-11-20', now(), 'OPENAI_API_KEY is not set.', 'restart' from brands where id = 'b'`,
    );
    server.pass(60_000);
    const { needs, newest_day } = await briefing();
    expect(newest_day).to.equal('2026-11-17');
    expect(needs[0]).to.include({
      kind: 'collection_failed',
      text: 'No newer answers come than of 17 Nov 2026: OPENAI_API_KEY is not set',
      advice: 'Correct the environment and start the server again.',
    });
    expect(kinds({ needs } as Briefing)).to.not.include('collection_stalled');
  });

  it('says which answers are wrong, first of all findings about answers', async () => {
    await load([...runs('2026-11-01', TODAY), ...runs('2026-11-01', TODAY, 'gemini', 0)]);
    const [{ brand_key: brandKey }] = (
      await server.database.knex.raw("select brand_key from brands where id = 'b'")
    ).rows;
    const wrong = { engine: 'gemini', claim: 'Acme closed.', truth: 'Acme is open.', severity: 'high' };
    await storeFactCheck(server.database.knex, {
      ...{ brandKey, checked_at: '2026-11-19T08:00:00Z', answers_checked: 2, cost_usd: null },
      discrepancies: JSON.stringify([wrong]),
    });
    const { needs } = await briefing();
    expect(needs[0]).to.include({
      kind: 'wrong_fact',
      text: 'An answer of Gemini is wrong: “Acme closed.”',
      advice: 'The truth: “Acme is open.”',
    });
    expect(kinds(await briefing('&engine=chatgpt'))).to.not.include('wrong_fact');
  });

  it('leads with each need to a read that the server has, which takes its parameters', async () => {
    await load([...runs('2026-10-01', TODAY), ...runs('2026-10-01', TODAY, 'gemini', 0)]);
    const { needs } = await briefing();
    expect(needs).to.have.length.above(2);
    for (const { lead, kind } of needs) {
      const params = Object.entries(lead.params).filter((each): each is [string, string] => each[1] !== null);
      const query = new URLSearchParams([['brand', 'b'], ...params]);
      expect((await server.request(`/api/v1/${lead.read}?${query}`)).status, kind).to.equal(200);
    }
  });

  it('leaves out what the plan does not have, and says so', async () => {
    await load(runs('2026-11-01', TODAY), 'starter');
    const key = await server.key({ workspace: 'w', kind: 'read', name: 'k' });
    const cut = await briefing('', key);
    expect(kinds(cut)).to.not.include('logs_silent');
    expect(cut.note).to.contain('Crawler analytics').and.contain('Growth');
    const whole = await briefing();
    expect(kinds(whole)).to.include('logs_silent');
    expect(whole.note).to.equal(null);
  });

  it('has the first moves of moves, and none under a filter', async () => {
    await load([
      ...runs('2026-10-01', '2026-11-12', 'chatgpt', 2),
      ...runs('2026-11-13', TODAY, 'chatgpt', 99),
    ]);
    const { moves } = await server.read<Moves>('/api/v1/moves?brand=b');
    expect((await briefing()).moves).to.deep.equal(moves.slice(0, 10));
    expect((await briefing('&engine=chatgpt')).moves).to.deep.equal([]);
  });

  it('claims nothing of days without answers', async () => {
    await load(runs('2026-11-01', TODAY));
    const empty = await briefing('&from=2026-09-01&to=2026-09-07');
    expect(empty.sentence).to.match(/^No answer was collected from 1 Sep 2026 to 7 Sep 2026/);
    expect(empty).to.deep.include({ place: null, measured: null });
    expect(kinds(empty)).to.not.include.members(['never_named_prompts', 'engine_never_names', 'metric_fell']);
    const other = await briefing('&days=7&engine=grok');
    expect(other.sentence).to.contain('but none of this choice');
  });

  it('is of one brand that the key can see and that has answers', async () => {
    await load(runs('2026-11-01', TODAY));
    await server.load([{ type: 'brand', id: 'empty', workspace: 'w', name: 'E', domain: 'e.example' }]);
    expect((await server.request('/api/v1/briefing?brand=empty')).status).to.equal(404);
    expect((await server.request('/api/v1/briefing?brand=nobody')).status).to.equal(404);
    expect((await server.request('/api/v1/briefing?brand=b&tag=nothing')).status).to.equal(400);
  });

  it('is of the same parts as the other reads, which are computed once for both', async () => {
    await load(runs('2026-10-01', TODAY));
    const first = await server.request('/api/v1/briefing?brand=b&days=28');
    const etag = first.headers.get('etag')!;
    const again = await server.request('/api/v1/briefing?brand=b&days=28', undefined, {
      headers: { 'If-None-Match': etag },
    });
    expect(again.status).to.equal(304);
    const asked: string[] = [];
    server.database.knex.on('query', ({ sql }: { sql: string }) => asked.push(sql));
    await server.read('/api/v1/overview?brand=b&from=2026-10-24&to=2026-11-20');
    expect(asked.filter((sql) => /day_scope|day_entity/.test(sql))).to.deep.equal([]);
  });
});
