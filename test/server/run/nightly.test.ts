import { expect } from 'chai';
import { createLog } from '../../../src/server/base/log.js';
import { type Database, migrate, openDatabase } from '../../../src/server/database/database.js';
import { startNightly, writeMissingStats } from '../../../src/server/run/nightly.js';
import { collectingLog } from '../../rules/support/collecting-log.js';
import { createDatabaseUrl, emptyDatabase, serverUrl } from '../../support/database.js';
import { fresh } from '../../support/hooks.js';
import { load, market, runOf } from '../intake/dataset/support/load.js';

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('nightly statistics', () => {
  const database = fresh(emptyDatabase);
  beforeEach(async () => {
    await load(database.knex, [...market, runOf('a'), runOf('b', { collected_at: '2026-11-19T08:00:00Z' })]);
    await database.knex.raw('delete from daily_stats');
  });

  const days = async () => {
    const { rows } = await database.knex.raw('select distinct day from daily_stats order by day');
    return rows.map((row: { day: string }) => row.day);
  };

  /** Waits at most five seconds until the statistics cover these days. */
  const until = async (wanted: string[]) => {
    for (let looks = 0; looks < 100 && (await days()).join() !== wanted.join(); looks++) await wait(50);
    expect(await days()).to.deep.equal(wanted);
  };

  it('are written at the start for missed nights, but not for the current day', async () => {
    const nightly = startNightly(database.knex, createLog('silent'), {
      clock: () => new Date('2026-11-20T12:00:00Z'),
    });
    await until(['2026-11-19']);
    await nightly.stop();
    expect(await days()).to.deep.equal(['2026-11-19']);
  });

  it('are written for a day after its end, until the server stops', async () => {
    let now = new Date('2026-11-20T23:59:59Z');
    const nightly = startNightly(database.knex, createLog('silent'), { clock: () => now, everyMs: 5 });
    await until(['2026-11-19']);
    now = new Date('2026-11-21T00:00:00Z');
    await until(['2026-11-19', '2026-11-20']);
    await nightly.stop();
    await database.knex.raw('delete from daily_stats');
    now = new Date('2026-11-22T00:00:00Z');
    await wait(50);
    expect(await days()).to.deep.equal([]);
  });

  it('skip a brand that another process works on until the next time', async function () {
    if (database.embedded) this.skip();
    const other = await database.knex.transaction();
    await other.raw('select 1 from import_locks for update');
    expect(await writeMissingStats(database.knex, '2026-11-20')).to.equal(false);
    await other.rollback();
    expect(await days()).to.deep.equal([]);
    expect(await writeMissingStats(database.knex, '2026-11-20')).to.equal(true);
    expect(await days()).to.deep.equal(['2026-11-19']);
  });

  it('are written once by several servers', async () => {
    const all = Array.from({ length: 4 }, () => writeMissingStats(database.knex, '2026-11-20'));
    await Promise.all(all);
    const { rows } = await database.knex.raw('select count(*) as rows from daily_stats');
    expect(rows[0].rows).to.equal(2);
  });

  it('log a failure and do not end the server', async () => {
    const { log, lines } = collectingLog();
    const broken = { raw: () => Promise.reject(new Error('gone')) } as never;
    const nightly = startNightly(broken, log);
    await wait(20);
    await nightly.stop();
    expect(lines.join('')).to.match(/nightly statistics failed/);
  });

  it('wait without an error while the database accepts no changes', async function () {
    if (!database.embedded) this.skip();
    const { log, lines } = collectingLog();
    await database.knex.raw('set default_transaction_read_only = on');
    const nightly = startNightly(database.knex, log, {
      clock: () => new Date('2026-11-20T12:00:00Z'),
      everyMs: 5,
    });
    await wait(100);
    expect(await days()).to.deep.equal([]);
    await database.knex.raw('set default_transaction_read_only = off');
    await until(['2026-11-19']);
    await nightly.stop();
    expect(lines.join('')).to.not.match(/"level":[45]0/);
  });
});

describe('nightly work of two servers on one database', () => {
  it('is done once', async function () {
    if (!serverUrl) return this.skip();
    const url = await createDatabaseUrl(serverUrl);
    const servers = [await openDatabase({ url }), await openDatabase({ url })];
    const [first] = servers as [Database];
    await migrate(first.knex);
    const old = {
      type: 'crawler_event',
      brand: 'b',
      agent: 'gptbot',
      path: '/',
      time: '2026-11-01T00:00:00Z',
    };
    await load(first.knex, [...market, old, runOf('b', { collected_at: '2026-11-19T08:00:00Z' })]);
    await first.knex.raw('delete from daily_stats');
    const written: string[] = [];
    const { log, lines } = collectingLog();
    const nightly = servers.map(({ knex }) => {
      knex.on('query', ({ sql }: { sql: string }) => {
        if (sql.includes('insert into daily_stats')) written.push(sql);
      });
      return startNightly(knex, log, {
        clock: () => new Date('2026-11-20T12:00:00Z'),
        everyMs: 10,
        crawlerRetentionDays: 7,
      });
    });
    const state = async () =>
      (
        await first.knex.raw(
          'select (select count(*) from daily_stats) as stats, (select count(*) from crawler_events) as hits',
        )
      ).rows[0];
    for (let looks = 0; looks < 200; looks++) {
      const { stats, hits } = await state();
      if (stats > 0 && hits === 0) break;
      await wait(25);
    }
    await Promise.all(nightly.map((each) => each.stop()));
    expect(await state()).to.deep.equal({ stats: 2, hits: 0 });
    expect(written).to.have.length(1);
    expect(lines).to.deep.equal([]);
    await Promise.all(servers.map((each) => each.close()));
    return undefined;
  });
});
