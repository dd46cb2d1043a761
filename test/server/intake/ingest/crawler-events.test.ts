import { expect } from 'chai';
import { createLog } from '../../../../src/server/base/log.js';
import { dropOldHits } from '../../../../src/server/intake/ingest/crawler-events.js';
import { ConfigError, readConfig } from '../../../../src/server/run/config.js';
import { startNightly } from '../../../../src/server/run/nightly.js';
import { NOW, records } from '../../../rules/support/records.js';
import { line, shipped, storedHits } from '../../../rules/support/shipping.js';
import { fresh } from '../../../support/hooks.js';
import { itOnServer } from '../../../support/on-server.js';
import { testServer } from '../../../support/server.js';
import { recordedStatements } from '../dataset/support/plans.js';

describe('CRAWLER_RETENTION_DAYS', () => {
  it('is 400 by default, and accepts only a number of days', () => {
    expect(readConfig({}).crawlerRetentionDays).to.equal(400);
    expect(readConfig({ CRAWLER_RETENTION_DAYS: '30' }).crawlerRetentionDays).to.equal(30);
    for (const wrong of ['0', '-1', '1.5', 'forever', '36501']) {
      expect(() => readConfig({ CRAWLER_RETENTION_DAYS: wrong }), wrong).to.throw(ConfigError);
    }
  });
});

describe('the retention of hits', () => {
  const server = fresh(() => testServer({ now: NOW, crawlerRetentionDays: 30 }));
  beforeEach(async () => {
    await server.load(records);
  });
  const drop = (days: number) => dropOldHits(server.database.knex, server.now, days);

  it('drops older hits of every brand and keeps the others', async () => {
    const body = line({ time: '2026-10-21T12:00:00Z', path: '/kept' }) + line({ path: '/new' });
    await shipped(server, body);
    await shipped(server, body, { brand: 'second' });
    expect(await drop(30)).to.equal(0);
    server.now = new Date(NOW.getTime() + 1000);
    expect(await drop(30)).to.equal(2);
    for (const brand of ['first', 'second']) {
      expect((await storedHits(server, brand)).map((hit) => hit.path)).to.deep.equal(['/new']);
    }
    expect(await drop(30)).to.equal(0);
  });

  it('does not store dropped hits again', async () => {
    await shipped(server, line({ time: '2026-10-21T12:00:00Z' }));
    server.now = new Date(NOW.getTime() + 1000);
    await drop(30);
    expect(await shipped(server, line({ time: '2026-10-21T12:00:00Z' }))).to.include({
      inserted: 0,
      matched: 1,
    });
  });

  for (const [what, time, statements] of [
    ['a second apart', "cast('2025-01-01' as timestamptz) + i * interval '1 second'", 3],
    ['of one second', "'2025-01-01'", 2],
  ] as const) {
    itOnServer(`drops more hits than one statement deletes: ${what}`, async () => {
      await server.database.knex.raw(
        `insert into crawler_events (brand_key, dedupe_key, agent, path, time, received_at)
         select brand_key, decode(lpad(to_hex(i), 32, '0'), 'hex'), 'gptbot', '/', ${time}, '2025-01-01'
         from brands, generate_series(1, 12000) i where id = 'first'`,
      );
      await shipped(server, line());
      let dropped = 0;
      const sent = await recordedStatements(server.database.knex, async () => {
        dropped = await drop(400);
      });
      expect(dropped).to.equal(12_000);
      expect(sent.filter(({ sql }) => sql.includes('delete from crawler_events'))).to.have.lengthOf(
        statements,
      );
      expect(await storedHits(server)).to.have.lengthOf(1);
    });
  }

  it('runs in the server each night', async () => {
    await shipped(server, line({ time: '2026-11-01T00:00:00Z' }) + line());
    const clock = () => NOW;
    const nightly = startNightly(server.database.knex, createLog('silent'), {
      clock,
      crawlerRetentionDays: 10,
    });
    await nightly.stop();
    expect(await storedHits(server)).to.have.lengthOf(1);
  });

  it('changes the data version of a brand only if it dropped hits', async () => {
    await shipped(server, line({ time: '2026-11-01T00:00:00Z' }));
    await shipped(server, line(), { brand: 'second' });
    const versions = async () =>
      (
        await server.database.knex.raw('select data_version as v from crawler_connections order by brand_key')
      ).rows.map((row: { v: number }) => row.v);
    const before = await versions();
    await drop(10);
    const after = await versions();
    expect(after.map((version: number, i: number) => version - before[i]!).sort()).to.deep.equal([0, 1]);
  });
});
