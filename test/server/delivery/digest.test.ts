import { expect } from 'chai';
import fc from 'fast-check';
import { listKeys } from '../../../src/server/accounts/keys.js';
import { addDays, daysIn, utcDay, windowEnding } from '../../../src/server/days.js';
import { addDestination } from '../../../src/server/delivery/destinations.js';
import {
  dueWeek,
  enqueueDigests,
  startDigests,
  type WriteReport,
} from '../../../src/server/delivery/digest.js';
import { createLog } from '../../../src/server/log.js';
import { type TestServer, testServer } from '../../support/server.js';
import { market, runOf } from '../dataset/support/load.js';

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
  beforeEach(async () => {
    asked.splice(0);
    server = await testServer({ now: MONDAY });
    await server.load([...market, runOf('a', { collected_at: '2026-11-20T08:00:00Z' })]);
  });
  afterEach(() => server.close());

  const subscribe = (more: object = {}) =>
    addDestination(
      server.database.knex,
      { workspace: 'w', kind: 'email', address: 'team@example.com', events: ['digest.weekly'], ...more },
      { allowPrivate: false, now: MONDAY },
    );
  const asked: { brand: string; status: number; foreign: number }[] = [];
  /** Reads as a report does, with the key that it gets. */
  const write: WriteReport = async ({ url, key }, brand, end) => {
    const window = { ...windowEnding(end), days: 7 };
    const get = (path: string) =>
      fetch(`${url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${key}` } });
    const { status } = await get(`overview?brand=${brand}&from=${window.start}&to=${end}`);
    const { status: foreign } = await get('overview?brand=other');
    asked.push({ brand, status, foreign });
    return { title: 'T', window, sentence: 'Acme is named.', markdown: '# T\n', html: '<p>T</p>' };
  };
  const run = (now = MONDAY) => enqueueDigests(server.database.knex, { url: server.url, write }, now, never);
  const digests = async () =>
    (await server.database.knex.raw("select data from events where type = 'digest.weekly'")).rows.map(
      ({ data }: { data: object }) => data,
    );

  it('are written once a week for each brand that somebody gets them of', async () => {
    await subscribe();
    expect([await run(), await run(), await run(new Date('2026-11-24T12:00:00Z'))]).to.deep.equal([1, 0, 0]);
    expect(asked).to.deep.equal([{ brand: 'b', status: 200, foreign: 404 }]);
    const [data] = await digests();
    expect(data).to.deep.include({
      title: '7 days to 2026-11-22',
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

  it('leave no key behind, even if the report fails', async () => {
    await subscribe();
    const failing: WriteReport = () => Promise.reject(new Error('no report'));
    const settings = { url: server.url, write: failing };
    expect(
      await enqueueDigests(server.database.knex, settings, MONDAY, never).catch(
        (error: Error) => error.message,
      ),
    ).to.equal('no report');
    await run();
    expect(await listKeys(server.database.knex, {})).to.deep.equal([]);
  });

  it('of other brands are enqueued though one fails, and brands without answers have none', async () => {
    await server.load([
      { type: 'brand', id: 'a', workspace: 'w', name: 'First', domain: 'first.example' },
      { type: 'prompt', id: 'of-a', brand: 'a', text: 'Which?' },
      runOf('of-a', { brand: 'a', prompt: 'of-a' }),
      { type: 'brand', id: 'empty', workspace: 'w', name: 'Empty', domain: 'empty.example' },
    ]);
    await subscribe();
    const failing: WriteReport = (source, brand, days) =>
      brand === 'a' ? Promise.reject(new Error('no report')) : write(source, brand, days);
    const settings = { url: server.url, write: failing };
    const error = await enqueueDigests(server.database.knex, settings, MONDAY, never).catch(
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
    const loop = startDigests(
      server.database.knex,
      createLog('silent'),
      { url: server.url, write },
      () => now,
      5,
    );
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(asked).to.deep.equal([]);
    now = MONDAY;
    while ((await digests()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await loop.stop();
    expect(asked).to.have.length(1);
  });
});
