import { expect } from 'chai';
import { isDatabaseUnavailable } from '../../src/server/base/errors.js';
import { expectSame, tablesOf } from '../server/intake/dataset/support/tables.js';
import { citusWorkers } from '../support/citus.js';
import { type TestServer, testServer } from '../support/server.js';
import { type CollectingLog, collectingLog } from './support/collecting-log.js';
import { whileTableFails } from './support/failing-table.js';
import { NOW, records, run } from './support/records.js';
import { line, ship, shipped } from './support/shipping.js';

const DISK_FULL = '53100';

describe('rule: a full disk of the database is 503, stores nothing, and is over when there is space', () => {
  let server: TestServer;
  let collecting: CollectingLog;
  before(async () => {
    collecting = collectingLog();
    server = await testServer({ now: NOW, log: collecting.log, rateLimitStore: 'database' });
    await server.load(records);
  });
  after(() => server.close());

  async function expectUnavailable(response: Response): Promise<void> {
    expect([response.status, await response.text()]).to.deep.equal([
      503,
      '{"error":"Database unavailable","code":"database_unavailable"}',
    ]);
    expect(Number(response.headers.get('Retry-After'))).to.be.at.least(1);
    expect(JSON.parse(collecting.lines.at(-1)!)).to.include({ msg: 'database unavailable' });
  }

  it('for crawler logs', async function () {
    // A distributed table has no triggers, which make it fail.
    if (citusWorkers.length > 0) this.skip();
    const body = line({ path: '/while-full' });
    await whileTableFails(server.database, 'crawler_events', DISK_FULL, async () => {
      await expectUnavailable(await ship(server, body));
    });
    const { rows } = await server.database.knex.raw('select count(*) as hits from crawler_events');
    expect(rows[0].hits).to.equal(0);
    expect((await shipped(server, body)).inserted).to.equal(1);
  });

  it('for reads, whose tokens are stored', async () => {
    await whileTableFails(server.database, 'rate_buckets', DISK_FULL, async () => {
      await expectUnavailable(await server.request('/api/v1/overview?brand=first'));
    });
    expect((await server.request('/api/v1/overview?brand=first')).status).to.equal(200);
  });

  it('for an import, whichever table is full', async function () {
    // A distributed table has no triggers, which make it fail.
    if (citusWorkers.length > 0) this.skip();
    const more = [run('first', 'while-full', '2026-11-18T10:00:00Z', { answer: 'Brand first.' })];
    for (const table of ['runs', 'run_answers', 'day_url', 'daily_stats', 'brands']) {
      const before = await tablesOf(server.database.knex);
      const failure = await whileTableFails(server.database, table, DISK_FULL, () =>
        server.load(more).catch((error: unknown) => error),
      );
      expect(isDatabaseUnavailable(failure), `${table}: ${failure}`).to.equal(true);
      expectSame(await tablesOf(server.database.knex), before);
    }
    expect((await server.load(more)).records.run).to.equal(1);
  });
});
