import { expect } from 'chai';
import { mondayOf } from '../../../../src/server/base/days.js';
import { dropOldHits } from '../../../../src/server/intake/ingest/crawler-events.js';
import { rebuildWeeks } from '../../../../src/server/intake/ingest/crawler-weeks.js';
import { NOW, records } from '../../../rules/support/records.js';
import { GPTBOT, line, shipped } from '../../../rules/support/shipping.js';
import { fresh } from '../../../support/hooks.js';
import { testServer } from '../../../support/server.js';

const SEARCHBOT = GPTBOT.replace('GPTBot', 'OAI-SearchBot');

describe('sums of crawler hits by week', () => {
  const server = fresh(() => testServer({ now: NOW, crawlerRetentionDays: 60 }));
  beforeEach(async () => {
    await server.load(records);
  });

  const stored = async () => {
    const { knex } = server.database;
    const tables = ['crawler_weeks', 'crawler_page_weeks'].map((table) =>
      knex.raw('select cast(t as text) as row from ?? t order by 1', [table]),
    );
    return (await Promise.all(tables)).map(({ rows }) => rows.map(({ row }: { row: string }) => row));
  };

  /** What the stored hits of every week sum up to. */
  const summedAgain = async () => {
    const { knex } = server.database;
    const { rows } = await knex.raw(`
      select brand_key as "brandKey", array_agg(distinct cast(time at time zone 'UTC' as date)) as days
      from crawler_events group by 1`);
    await knex.raw('delete from crawler_weeks');
    await knex.raw('delete from crawler_page_weeks');
    for (const { brandKey, days } of rows) await rebuildWeeks(knex, brandKey, new Set(days.map(mondayOf)));
    return stored();
  };

  const body = (from: number): string =>
    Array.from({ length: 60 }, (_, at) =>
      line({
        time: new Date(NOW.getTime() - (from + at) * 23 * 3_600_000).toISOString(),
        path: ['/guide', '/prices', '/a.css', '/robots.txt'][at % 4]!,
        agent: at % 3 === 0 ? GPTBOT : SEARCHBOT,
        status: [200, 403, 404, 304, 500][at % 5]!,
      }),
    ).join('');

  it('are those of the stored hits, after bodies that overlap, an import and the deletion of old hits', async () => {
    await shipped(server, body(0));
    await shipped(server, body(20));
    await shipped(server, body(10), { brand: 'second' });
    const hit = { type: 'crawler_event', brand: 'first', agent: 'chatgpt-user', path: '/guide' };
    await server.load([
      { ...hit, time: '2026-10-05T00:00:00Z', status: 200 },
      { ...hit, time: '2026-11-19T12:00:00Z' },
    ]);
    const before = await stored();
    expect(before[0]).to.have.length.above(10);
    expect(before[1]).to.have.length.above(4);
    expect(before).to.deep.equal(await summedAgain());
    await dropOldHits(server.database.knex, NOW, 30);
    const left = await stored();
    expect(left[0]).to.have.length.below(before[0]!.length);
    expect(left).to.deep.equal(await summedAgain());
  });
});
