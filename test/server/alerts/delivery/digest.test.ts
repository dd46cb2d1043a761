import { expect } from 'chai';
import fc from 'fast-check';
import { listKeys } from '../../../../src/server/accounts/keys.js';
import { addDestination } from '../../../../src/server/alerts/delivery/destinations.js';
import {
  dueWeek,
  enqueueDigests,
  startDigests,
  type WriteReport,
} from '../../../../src/server/alerts/delivery/digest.js';
import { addDays, daysIn, utcDay, windowEnding } from '../../../../src/server/base/days.js';
import { createLog } from '../../../../src/server/base/log.js';
import type { Database } from '../../../../src/server/database/database.js';
import { emptyDatabase } from '../../../support/database.js';
import { readsOf } from '../../../support/reads.js';
import { type TestServer, testServer } from '../../../support/server.js';
import { market, runOf } from '../../intake/dataset/support/load.js';

const never = new AbortController().signal;

describe('the week of a digest', () => {
  it('is due from Monday 06:00 UTC for three days', () => {
    const week = { start: '2026-11-16', end: '2026-11-22' };
    expect(dueWeek(new Date('2026-11-23T05:59:59Z'))).to.equal(null);
    expect(dueWeek(new Date('2026-11-23T06:00:00Z'))).to.deep.equal(week);
    expect(dueWeek(new Date('2026-11-26T05:59:59Z'))).to.deep.equal(week);
    expect(dueWeek(new Date('2026-11-26T06:00:00Z'))).to.equal(null);
  });

  it('always begins on a Monday, ends on a Sunday, and is over', () => {
    const times = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(times, (now) => {
        const week = dueWeek(now);
        if (week === null) return;
        expect(new Date(week.start).getUTCDay()).to.equal(1);
        expect(daysIn(week)).to.equal(7);
        expect(week.end < utcDay(now)).to.equal(true);
        expect(addDays(week.end, 4) >= utcDay(now)).to.equal(true);
      }),
    );
  });
});

describe('weekly digests', () => {
  const MONDAY = new Date('2026-11-23T07:00:00Z');
  let server: TestServer;
  let database: Database;
  beforeEach(async () => {
    asked.splice(0);
    database = await emptyDatabase();
    server = await testServer({ now: MONDAY, database });
    await server.load([...market, runOf('a', { collected_at: '2026-11-20T08:00:00Z' })]);
  });
  afterEach(async () => {
    await server.close().catch(() => {});
    await database.close();
  });

  const subscribe = (more: object = {}) =>
    addDestination(
      server.database.knex,
      { workspace: 'w', kind: 'email', address: 'team@example.com', events: ['digest.weekly'], ...more },
      { allowPrivate: false, now: MONDAY },
    );
  const asked: { brand: string; foreign: string; crawlers: boolean }[] = [];
  /** Reads as a report does. */
  const write: WriteReport = async (reads, end) => {
    const window = { ...windowEnding(end), days: 7 };
    const { brand } = await reads.load('overview', { from: window.start, to: end });
    // Whatever it asks for, it is of this brand.
    const other = await reads.load('overview', { from: window.start, to: end, brand: 'other' });
    const crawlers = 'body' in (await reads.loadIfPossible('crawlers'));
    asked.push({ brand: brand.id, foreign: other.brand.id, crawlers });
    return { title: 'T', window, sentence: 'Acme is named.', markdown: '# T\n', html: '<p>T</p>' };
  };
  const settings = (of = write) => ({ reads: readsOf(server.database.knex, () => MONDAY), write: of });
  const run = (now = MONDAY) => enqueueDigests(server.database.knex, settings(), now, never);
  const digests = async () =>
    (await server.database.knex.raw("select data from events where type = 'digest.weekly'")).rows.map(
      ({ data }: { data: object }) => data,
    );

  it('are written once a week for each brand that somebody gets them of', async () => {
    await subscribe();
    expect([await run(), await run(), await run(new Date('2026-11-24T12:00:00Z'))]).to.deep.equal([1, 0, 0]);
    expect(asked).to.deep.equal([{ brand: 'b', foreign: 'b', crawlers: false }]);
    const [data] = await digests();
    expect(data).to.deep.include({
      title: '7 days to 22 Nov 2026',
      sentence: 'Acme is named.',
      window: { start: '2026-11-16', end: '2026-11-22' },
      link: '/brands/b',
      report: { markdown: '# T\n', html: '<p>T</p>' },
    });
    expect(await run(new Date('2026-11-30T07:00:00Z'))).to.equal(1);
  });

  it('are not written for destinations of alerts, of other brands, and on other days', async () => {
    await subscribe({ events: [] });
    expect(await run()).to.equal(0);
    await subscribe();
    expect(await run(new Date('2026-11-27T07:00:00Z'))).to.equal(0);
    expect(asked).to.deep.equal([]);
  });

  it('need no key and no server that listens', async () => {
    await subscribe();
    let keys: unknown;
    const watching: WriteReport = async (reads, end) => {
      keys = await listKeys(server.database.knex, {});
      return write(reads, end);
    };
    await server.close();
    expect(await enqueueDigests(database.knex, settings(watching), MONDAY, never)).to.equal(1);
    expect(keys).to.deep.equal([]);
  });

  it('of other brands are enqueued though one fails, and brands without answers have none', async () => {
    await server.load([
      { type: 'brand', id: 'a', workspace: 'w', name: 'First', domain: 'first.example' },
      { type: 'prompt', id: 'of-a', brand: 'a', text: 'Which?' },
      runOf('of-a', { brand: 'a', prompt: 'of-a' }),
      { type: 'brand', id: 'empty', workspace: 'w', name: 'Empty', domain: 'empty.example' },
    ]);
    await subscribe();
    const failing: WriteReport = async (reads, end) => {
      const { brand } = await reads.load('overview');
      if (brand.id === 'a') throw new Error('no report');
      return write(reads, end);
    };
    const error = await enqueueDigests(server.database.knex, settings(failing), MONDAY, never).catch(
      (thrown) => thrown,
    );
    expect((error as Error).message).to.equal('no report');
    expect(asked.map(({ brand }) => brand)).to.deep.equal(['b']);
    expect(await run()).to.equal(1);
    expect(asked.map(({ brand }) => brand)).to.deep.equal(['b', 'a']);
  });

  it('are stored once if two servers write them', async () => {
    await subscribe();
    expect((await Promise.all([run(), run()])).sort()).to.deep.equal([0, 1]);
    expect(await digests()).to.have.length(1);
  });

  it('come by the clock of the server, until it stops', async () => {
    await subscribe();
    let now = new Date('2026-11-23T05:00:00Z');
    const loop = startDigests(server.database.knex, createLog('silent'), settings(), () => now, 5);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(asked).to.deep.equal([]);
    now = MONDAY;
    while ((await digests()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await loop.stop();
    expect(asked).to.have.length(1);
  });
});
