import { expect } from 'chai';
import { testServer } from '../support/server.js';
import { NOW, prompt, records, run } from './support/records.js';
import { ruleServer } from './support/rule-server.js';

describe('rule: reads come from a cache of one hour that follows the data', () => {
  const server = ruleServer({ per: 'test' });

  const bodyOf = async (path: string, of = server) => (await of.request(path)).text();
  const renameInSecret = (text: string) =>
    server.database.knex.raw("update prompts set text = ? where id = 'p2'", [text]);

  it('the same bytes are sent again without asking the database', async () => {
    const body = await bodyOf('/api/v1/prompts?brand=first');
    await renameInSecret('changed behind the cache');
    server.pass();
    expect(await bodyOf('/api/v1/prompts?brand=first')).to.equal(body);
    expect(await bodyOf('/api/v1/prompts?brand=first&limit=50')).to.include('changed behind the cache');
  });

  it('what differs in parameters that the read does not know is one entry', async () => {
    const body = await bodyOf('/api/v1/prompts?brand=first');
    await renameInSecret('changed behind the cache');
    expect(await bodyOf('/api/v1/prompts?foo=1&brand=first')).to.equal(body);
  });

  it('a key of another scope that means the same brand gets the same bytes', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read', brands: ['first'] });
    expect(await (await server.request('/api/v1/prompts', key)).text()).to.equal(
      await bodyOf('/api/v1/prompts?brand=first'),
    );
  });

  it('an import drops what it changed within a second, on every server, and leaves other brands alone', async () => {
    const two = await testServer({ now: NOW, database: server.database });
    const paths = ['/api/v1/prompts?brand=first', '/api/v1/prompts?brand=second'];
    const before = await Promise.all(paths.map((path) => bodyOf(path)));
    await bodyOf(paths[0]!, two);
    await renameInSecret('changed behind the cache');
    await server.load([prompt('first', 'p3'), run('first', 'r3', '2026-11-20T08:00:00Z')]);
    for (const each of [server, two]) {
      each.pass();
      const { prompts } = JSON.parse(await bodyOf(paths[0]!, each));
      expect(prompts.map((row: { id: string; run_count: number }) => [row.id, row.run_count])).to.deep.equal([
        ['p1', 3],
        ['p2', 0],
        ['p3', 0],
      ]);
    }
    expect(await bodyOf(paths[1]!)).to.equal(before[1]);
    await two.close();
  });

  it('drops when either version of the brand moves: a distributed database may show one of them first', async () => {
    const path = '/api/v1/prompts?brand=first';
    const { rows } = await server.database.knex.raw("select brand_key from brands where id = 'first'");
    for (const table of ['brands', 'brand_versions']) {
      const text = `changed behind the cache, with ${table}`;
      await bodyOf(path);
      await renameInSecret(text);
      await server.database.knex.raw(
        `update ${table} set data_version = data_version + 1 where brand_key = ?`,
        [rows[0].brand_key],
      );
      server.pass();
      expect(await bodyOf(path)).to.include(text);
    }
  });

  it('the list of a workspace loses a brand that moved away, whatever else changed meanwhile', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read', brands: ['first', 'second'] });
    const ids = async () =>
      (await server.read<{ brands: { id: string }[] }>('/api/v1/brands', key)).brands.map((each) => each.id);
    expect(await ids()).to.deep.equal(['first', 'second']);
    const second = records.find((record) => 'id' in record && record.id === 'second');
    await server.load([{ ...second, workspace: 'other' }]);
    // As many changes to the other brands as restore every sum of versions.
    for (let times = 0; times < 4; times++) {
      await server.load([prompt('first', `p${times + 3}`)]);
      server.pass();
      expect(await ids(), `after ${times + 1} imports`).to.deep.equal(['first']);
    }
  });

  it('a new brand shows in the list, and a reclassification in every brand of its workspace', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const ids = async () =>
      (await server.read<{ brands: { id: string }[] }>('/api/v1/brands', key)).brands.map((each) => each.id);
    expect(await ids()).to.not.include('newest');
    const label = async () =>
      (await server.read<{ sources: { classification: string }[] }>('/api/v1/sources?brand=second'))
        .sources[0]!.classification;
    expect(await label()).to.equal('owned');
    const domain = 'newest.example';
    await server.load([
      {
        type: 'brand',
        id: 'newest',
        workspace: 'w',
        name: 'Newest',
        domain,
        created_at: '2026-11-01T00:00:00Z',
      },
      { type: 'reclassification', workspace: 'w', domain: 'second.example', classification: 'partner' },
    ]);
    server.pass();
    expect(await ids()).to.include('newest');
    expect(await label()).to.equal('partner');
  });

  it('concurrent misses are computed once', async () => {
    const computed: string[] = [];
    server.database.knex.on('query', ({ sql }: { sql: string }) => {
      if (sql.includes('from prompts p')) computed.push(sql);
    });
    const bodies = await Promise.all(Array.from({ length: 30 }, () => bodyOf('/api/v1/prompts?brand=first')));
    server.database.knex.removeAllListeners('query');
    expect(new Set(bodies).size).to.equal(1);
    expect(computed.filter((sql) => !sql.includes('tag_groups'))).to.have.lengthOf(1);
  });

  it('midnight UTC moves the window at once', async () => {
    const runs = async () =>
      (await server.read<{ run_count: number }>('/api/v1/overview?brand=first')).run_count;
    expect(await runs()).to.equal(2);
    server.now = new Date('2026-11-23T23:59:59.999Z');
    expect(await runs()).to.equal(2);
    server.now = new Date('2026-11-24T00:00:00Z');
    expect(await runs()).to.equal(0);
  });
});
