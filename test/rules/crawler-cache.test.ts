import { expect } from 'chai';
import { type TestServer, testServer } from '../support/server.js';
import { NOW, records } from './support/records.js';
import { CHROME, line, shipped } from './support/shipping.js';

interface Seen {
  readonly connected: boolean;
  readonly last_event_at: string | null;
  readonly totals: { hits: number } | null;
}

describe('rule: the next read sees a sent log', () => {
  let one: TestServer;
  let two: TestServer;
  before(async () => {
    one = await testServer({ now: NOW });
    await one.load(records);
    two = await testServer({ now: NOW, database: one.database });
  });
  /** A brand of its own for every test, whose robots.txt is refused at once. */
  let id = '';
  let tests = 0;
  beforeEach(async () => {
    id = `brand-${tests++}`;
    await one.load([{ type: 'brand', id, workspace: 'w', name: 'Nowhere', domain: '127.0.0.1' }]);
  });
  after(async () => {
    await two.close();
    await one.close();
  });

  const see = (server: TestServer) => server.read<Seen>(`/api/v1/crawlers?brand=${id}`);
  const take = (body: string) => shipped(one, body, { brand: id });

  it('the first connection drops the cached answer though nothing was inserted', async () => {
    expect((await see(one)).connected).to.equal(false);
    await take(line({ agent: CHROME }));
    expect(await see(one)).to.deep.include({ connected: true, totals: { hits: 0, pages: 0 } });
  });

  it('inserted rows drop it, and so does a newer request without a hit', async () => {
    await take(line());
    expect((await see(one)).totals!.hits).to.equal(1);
    await take(line({ path: '/more', time: '2026-11-19T00:00:00Z' }));
    expect((await see(one)).totals!.hits).to.equal(2);
    await take(line({ agent: CHROME, time: '2026-11-20T09:00:00Z' }));
    expect((await see(one)).last_event_at).to.equal('2026-11-20T09:00:00.000Z');
  });

  it('on every server within a second', async () => {
    two.pass();
    await see(two);
    await take(line());
    two.pass();
    expect((await see(two)).totals!.hits).to.equal(1);
  });

  it('a body that changes nothing leaves the cached answer', async () => {
    await one.database.knex.raw('truncate crawler_connections');
    await take(line());
    const version = async () =>
      (await one.database.knex.raw('select max(data_version) as v from crawler_connections')).rows[0]
        .v as number;
    const before = await version();
    await take(line());
    await take(line({ agent: CHROME, time: '2026-11-01T00:00:00Z' }));
    await take('test');
    expect(await version()).to.equal(before);
    await take(line({ path: '/new' }));
    expect(await version()).to.equal(before + 1);
  });

  it('the other reads of the brand keep their cached answers', async () => {
    const overview = () => one.request('/api/v1/overview?brand=first');
    const { rows } = await one.database.knex.raw("select data_version from brands where id = 'first'");
    const etag = (await overview()).headers.get('ETag');
    await shipped(one, line(), { brand: 'first' });
    expect((await overview()).headers.get('ETag')).to.equal(etag);
    const after = await one.database.knex.raw("select data_version from brands where id = 'first'");
    expect(after.rows).to.deep.equal(rows);
  });
});
