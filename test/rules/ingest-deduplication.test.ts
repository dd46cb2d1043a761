import { expect } from 'chai';
import fc from 'fast-check';
import { testServer } from '../support/server.js';
import { brandRecords, NOW } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { CHROME, line, ship, shipped, storedHits } from './support/shipping.js';

/** Sixty seconds of a log, some with several lines, some of them equal. */
const seconds = Array.from({ length: 60 }, (_, second) => {
  const time = new Date(Date.parse('2026-11-20T07:00:00Z') + second * 1000).toISOString();
  return Array.from({ length: 1 + (second % 4) }, (_, i) =>
    line({ time, path: `/p${second % 3}`, agent: i === 1 ? CHROME : undefined }),
  );
});
const whole = seconds.flat().join('');
const hits = seconds.flat().filter((each) => each.includes('GPTBot')).length;

describe('rule: a hit is stored once, however often its line is sent', () => {
  const server = ruleServer({ data: brandRecords });
  beforeEach(() => server.database.knex.raw('truncate crawler_events, crawler_connections'));

  it('the same body again inserts nothing and matches the same', async () => {
    const first = await shipped(server, whole);
    expect(first).to.include({ inserted: hits, matched: hits });
    expect(await shipped(server, whole)).to.deep.equal({ ...first, inserted: 0 });
  });

  it('the same log in other cuts between seconds inserts nothing', async () => {
    await shipped(server, whole);
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: seconds.length - 1 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const ends = [...places, seconds.length].sort((a, b) => a - b);
        let start = 0;
        for (const end of ends) {
          const body = seconds.slice(start, end).flat().join('');
          start = end;
          expect(await shipped(server, body)).to.include({ inserted: 0 });
          server.now = new Date(server.now.getTime() + 500);
        }
      }),
      { numRuns: 15 },
    );
    expect(await storedHits(server)).to.have.lengthOf(hits);
  });

  it('two identical hits of one second in one body are both kept, also when the body is sent again', async () => {
    const body = line({ path: '/twice' }).repeat(2);
    expect(await shipped(server, body)).to.include({ inserted: 2, matched: 2 });
    expect(await shipped(server, body)).to.include({ inserted: 0, matched: 2 });
    expect(await storedHits(server)).to.have.lengthOf(2);
  });

  it('rows that carry the id of their server are different hits, and are recognised when they are sent again', async () => {
    const row = (second: number) =>
      `${JSON.stringify({ id: 'web-1', url: '/', ua: 'GPTBot/1.2', ts: `2026-11-20T07:00:0${second}Z` })}\n`;
    const body = [1, 2, 2, 3].map(row).join('');
    expect(await shipped(server, body)).to.include({ inserted: 4, matched: 4 });
    expect(await shipped(server, body)).to.include({ inserted: 0, matched: 4 });
  });

  it('lines that differ in anything are different hits', async () => {
    const body = [
      line(),
      line({ ip: '192.0.2.2' }),
      line({ path: '/?a' }),
      line({ status: 404 }),
      line({ time: '2026-11-20T08:00:01Z' }),
    ].join('');
    expect(await shipped(server, body)).to.include({ inserted: 5 });
    expect(await shipped(server, line({ ip: '192.0.2.2' }))).to.include({ inserted: 0 });
  });

  it('records with a request id are one hit per id and path, in one body and over several', async () => {
    const record = (id: string, path: string) =>
      `${JSON.stringify({ RayID: id, ClientRequestURI: path, ClientRequestUserAgent: 'GPTBot/1.2', EdgeStartTimestamp: '2026-11-20T08:00:00Z', EdgeResponseStatus: 200 })}\n`;
    const body = record('a', '/x') + record('a', '/x') + record('a', '/y') + record('b', '/x');
    expect(await shipped(server, body)).to.include({ inserted: 3, totalLines: 4 });
    expect(await shipped(server, record('b', '/x'))).to.include({ inserted: 0, matched: 1 });
  });

  it('brands do not share hits', async () => {
    expect(await shipped(server, whole, { brand: 'first' })).to.include({ inserted: hits });
    expect(await shipped(server, whole, { brand: 'second' })).to.include({ inserted: hits });
  });

  it('the same body twenty times at once inserts once, and no request is refused', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => ship(server, whole)));
    const bodies = (await Promise.all(replies.map((reply) => reply.json()))) as { inserted: number }[];
    expect(replies.map((reply) => reply.status)).to.deep.equal(replies.map(() => 200));
    expect(bodies.reduce((sum, { inserted }) => sum + inserted, 0)).to.equal(hits);
    expect(await storedHits(server)).to.have.lengthOf(hits);
  });

  it('overlapping bodies in opposite orders do not lock each other out', async () => {
    const lines = seconds.flat().filter((each) => each.includes('GPTBot'));
    const bodies = Array.from({ length: 10 }, (_, i) => {
      const part = lines.slice(i * 5, i * 5 + 40);
      return (i % 2 ? part.reverse() : part).join('');
    });
    server.now = new Date(server.now.getTime() + 60_000);
    const replies = await Promise.all(bodies.map((body) => ship(server, body)));
    expect(replies.map((reply) => reply.status)).to.deep.equal(replies.map(() => 200));
  });

  it('keys depend on a secret of the deployment that is made once and kept', async () => {
    const keys = async () => {
      const { rows } = await server.database.knex.raw(
        'select dedupe_key from crawler_events order by dedupe_key',
      );
      return rows.map((row: { dedupe_key: Buffer }) => row.dedupe_key.toString('hex'));
    };
    await shipped(server, whole);
    const before = await keys();
    const other = await testServer({ now: NOW, database: server.database });
    expect(await shipped(other, whole)).to.include({ inserted: 0 });
    await other.close();
    const { rows } = await server.database.knex.raw(
      "select name, length(value) as bytes from secrets where name = 'crawler-events'",
    );
    expect(rows).to.deep.equal([{ name: 'crawler-events', bytes: 32 }]);
    await server.database.knex.raw('delete from secrets; truncate crawler_events');
    const reset = await testServer({ now: NOW, database: server.database });
    await shipped(reset, whole);
    await reset.close();
    expect(await keys()).to.not.have.members(before);
  });

  it('servers that start on an empty database at once agree on one secret', async () => {
    await server.database.knex.raw('delete from secrets');
    const servers = await Promise.all(
      Array.from({ length: 4 }, () => testServer({ now: NOW, database: server.database })),
    );
    const counts = await Promise.all(servers.map((each) => shipped(each, whole)));
    expect(counts.reduce((sum, { inserted }) => sum + inserted, 0)).to.equal(hits);
    await Promise.all(servers.map((each) => each.close()));
  });
});
