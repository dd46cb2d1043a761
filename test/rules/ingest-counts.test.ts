import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { brandRecords, NOW } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { CHROME, lastEventAt, line, shipped, storedHits } from './support/shipping.js';

const folder = new URL('../fixtures/logs/', import.meta.url);

describe('rule: the counts of a sent log', () => {
  const server = ruleServer({ data: brandRecords, clock: 'reset' });
  beforeEach(async () => {
    await server.database.knex.raw('truncate crawler_events, crawler_connections');
  });

  const recorded: [file: string, entries: number, matched: number][] = [
    ['nginx-1.22-combined.log', 341, 159],
    ['nginx-1.22-main-xff.log', 341, 159],
    ['nginx-1.22-host-prefixed.log', 341, 159],
    ['nginx-1.22-escape-json.ndjson', 341, 159],
    ['apache-2.4-combined.log', 339, 166],
    ['apache-2.4-vhost_combined.log', 339, 166],
    ['apache-2.4-common.log', 339, 0],
    ['caddy-2.6-access.ndjson', 330, 171],
  ];
  for (const [file, entries, matched] of recorded) {
    it(`${file}, as a real server wrote it: every line, every hit, and nothing when it is sent again`, async () => {
      const log = readFileSync(new URL(file, folder));
      const counts = { matched, totalLines: entries, unparsed: 0 };
      expect(await shipped(server, log)).to.deep.equal({ inserted: matched, ...counts });
      expect(await storedHits(server)).to.have.lengthOf(matched);
      expect(await lastEventAt(server)).to.not.equal(null);
      expect(await shipped(server, log)).to.deep.equal({ inserted: 0, ...counts });
    });
  }

  it('lines that are not entries are unparsed; people are counted and not stored; blank lines are neither', async () => {
    const body = ['# comment\n', line(), line({ agent: CHROME, path: '/people' }), '\n', 'nonsense\n'].join(
      '',
    );
    expect(await shipped(server, body)).to.deep.equal({
      inserted: 1,
      matched: 1,
      totalLines: 2,
      unparsed: 1,
    });
    expect(await storedHits(server)).to.deep.equal([
      { agent: 'gptbot', path: '/', time: new Date('2026-11-20T08:00:00Z'), status: 200 },
    ]);
  });

  it('only agent, path, time, status and whether it was verified are stored: no address, no query, no user agent', async () => {
    await shipped(server, line({ path: '/a?token=secret#x', ip: '198.51.100.77' }));
    const { rows } = await server.database.knex.raw('select * from crawler_events');
    expect(Object.keys(rows[0])).to.have.members([
      'brand_key',
      'dedupe_key',
      'agent',
      'path',
      'time',
      'status',
      'verified',
      'received_at',
    ]);
    expect(rows[0].path).to.equal('/a');
    expect(JSON.stringify(rows[0])).to.not.match(/secret|198\.51|Mozilla/);
    expect(rows[0].received_at).to.deep.equal(NOW);
    expect(rows[0].dedupe_key).to.have.lengthOf(16);
  });

  it('a log without an agent connects the brand at its newest request', async () => {
    const body = line({ agent: CHROME, time: '2026-11-19T10:00:00Z' }) + line({ agent: CHROME });
    expect(await shipped(server, body)).to.deep.equal({
      inserted: 0,
      matched: 0,
      totalLines: 2,
      unparsed: 0,
    });
    expect(await lastEventAt(server)).to.equal('2026-11-20T08:00:00.000Z');
    await shipped(server, line({ time: '2026-11-01T00:00:00Z' }));
    expect(await lastEventAt(server)).to.equal('2026-11-20T08:00:00.000Z');
    await shipped(server, line({ agent: CHROME, time: '2026-11-20T09:00:00Z' }));
    expect(await lastEventAt(server)).to.equal('2026-11-20T09:00:00.000Z');
  });

  it('a body without a request line connects nothing', async () => {
    expect(await shipped(server, '{}')).to.deep.equal({
      inserted: 0,
      matched: 0,
      totalLines: 0,
      unparsed: 0,
    });
    expect(await shipped(server, 'nonsense')).to.include({ totalLines: 0, unparsed: 1 });
    expect(await lastEventAt(server)).to.equal(null);
  });

  it('hits from before the retention are matched and not inserted', async () => {
    const body = line({ time: '2025-10-16T11:59:59Z' }) + line({ time: '2025-10-16T12:00:01Z' });
    expect(await shipped(server, body)).to.deep.equal({
      inserted: 1,
      matched: 2,
      totalLines: 2,
      unparsed: 0,
    });
    expect(await lastEventAt(server)).to.equal('2025-10-16T12:00:01.000Z');
  });

  it('a time that is not now is never made up: ahead of the clock by more than a day is unparsed', async () => {
    expect(await shipped(server, line({ time: '2026-11-21T12:00:01Z' }))).to.include({
      totalLines: 0,
      unparsed: 1,
    });
    expect(await shipped(server, line({ time: '2026-11-21T11:59:59Z' }))).to.include({ inserted: 1 });
  });

  it('an archived brand still takes logs; the first brand takes them where none is named', async () => {
    expect(await shipped(server, line(), { brand: 'stopped' })).to.include({ inserted: 1 });
    expect(await storedHits(server, 'stopped')).to.have.lengthOf(1);
    const key = await server.key({ workspace: 'w', kind: 'ingest' });
    const response = await server.request('/api/v1/crawler-events', key, { method: 'POST', body: line() });
    expect(response.status).to.equal(200);
    expect(await storedHits(server, 'first')).to.have.lengthOf(1);
  });

  it('a brand for which nothing was ever collected takes logs', async () => {
    expect(await shipped(server, line(), { brand: 'uncollected' })).to.include({ inserted: 1 });
  });
});
