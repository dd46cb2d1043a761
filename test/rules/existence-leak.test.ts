import { expect } from 'chai';
import type pg from 'pg';
import { brandAndDefault } from '../../src/server/accounts/brands.js';
import { plainReads } from './support/reads.js';
import { ruleServer } from './support/rule-server.js';
import { bearer, send } from './support/wire.js';

/** Headers that differ between any two responses. */
const PASSING = ['x-request-id', 'date', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

const ids: Record<string, string> = {
  'of another workspace': 'foreign',
  'of the workspace, but not among the key’s brands': 'second',
  'of nobody': 'nobody',
  empty: '',
  'with NUL': 'first%00',
  'NUL alone': '%00',
  'of 10,000 characters': 'a'.repeat(10_000),
  'longer than any id by one': 'a'.repeat(65),
  'in another script': '%E3%83%96%E3%83%A9%E3%83%B3%E3%83%89',
  'half a character': '%ED%A0%80',
  'not UTF-8': '%FF%FE',
  'not percent-encoded': '%zz',
  'with white space': 'first%20',
  'in another case': 'FIRST',
  SQL: "first'--",
  'a line feed': 'first%0A',
};

describe('rule: the response to a brand that the key cannot see is that to a nonexistent brand', () => {
  const server = ruleServer();
  let key: string;
  beforeEach(async () => {
    key = await server.key({ workspace: 'w', kind: 'full', brands: ['first', 'stopped'] });
  });

  async function answerTo(path: string) {
    const reply = await send(server.url, path, { headers: bearer(key) });
    const headers = Object.entries(reply.headers).filter(([name]) => !PASSING.includes(name));
    return { status: reply.status, body: reply.body, headers: Object.fromEntries(headers) };
  }

  for (const name of plainReads.filter((each) => each !== 'brands')) {
    it(`${name}: the same bytes for every reason`, async () => {
      const nobody = await answerTo(`/api/v1/${name}?brand=nobody`);
      expect([nobody.status, nobody.body]).to.deep.equal([
        404,
        '{"error":"Unknown brand","code":"unknown_brand"}',
      ]);
      for (const [reason, id] of Object.entries(ids)) {
        expect(await answerTo(`/api/v1/${name}?brand=${id}`), reason).to.deep.equal(nobody);
      }
      expect((await answerTo(`/api/v1/${name}?brand=first`)).status).to.equal(200);
    });
  }

  it('a foreign brand costs the statements that a nonexistent one costs', async () => {
    // Keys that see the same brands share what was looked up, so this one sees others than those of the other tests.
    key = await server.key({ workspace: 'w', kind: 'full', brands: ['first'] });
    const statements = async (id: string) => {
      const seen: string[] = [];
      const listen = ({ sql }: { sql: string }) => seen.push(sql);
      server.database.lookUps.on('query', listen);
      await answerTo(`/api/v1/overview?brand=${id}`);
      server.database.lookUps.removeListener('query', listen);
      return seen.filter((sql) => /\bbrands\b|\bbrand_versions\b/.test(sql));
    };
    const foreign = await statements('foreign');
    expect(foreign).to.have.lengthOf(2);
    expect(await statements('nobody-at-all')).to.deep.equal(foreign);
    expect(await statements('%00')).to.deep.equal(foreign);
    expect(await statements('b'.repeat(9000))).to.deep.equal(foreign);
  });

  it('a foreign brand costs the rows that a nonexistent one costs', async () => {
    const { knex } = server.database;
    const plans: Record<string, string> = {};
    for (const brandId of ['foreign', 'second', 'nobody', 'first']) {
      const queries: { sql: string; bindings: unknown[] }[] = [];
      const listen = (query: { sql: string; bindings: unknown[] }) => queries.push(query);
      knex.on('query', listen);
      await brandAndDefault(knex, { workspaceId: 'w', brandIds: ['first', 'stopped'], brandId });
      knex.removeListener('query', listen);
      const [{ sql, bindings }] = queries as [(typeof queries)[0]];
      const explain = 'explain (analyze, costs off, timing off, summary off, buffers off)';
      const { rows } = await knex.client.acquireConnection().then(async (connection: pg.Client) => {
        try {
          return await connection.query(`${explain} ${sql}`, bindings);
        } finally {
          await knex.client.releaseConnection(connection);
        }
      });
      plans[brandId] = rows
        .map((row: { 'QUERY PLAN': string }) => row['QUERY PLAN'])
        .join('\n')
        .replaceAll(`'${brandId}'`, '?');
    }
    expect(plans.nobody).to.match(/rows=/).and.not.equal(plans.first);
    expect(plans.foreign).to.equal(plans.nobody);
    expect(plans.second).to.equal(plans.nobody);
  });

  it('a cursor of a foreign brand opens nothing', async () => {
    const { next_cursor } = await server.read<{ next_cursor: string }>(
      '/api/v1/prompts?limit=1&brand=foreign',
    );
    expect((await answerTo(`/api/v1/prompts?cursor=${next_cursor}`)).status).to.equal(400);
    expect(await answerTo(`/api/v1/prompts?cursor=${next_cursor}&brand=foreign`)).to.deep.equal(
      await answerTo(`/api/v1/prompts?cursor=${next_cursor}&brand=nobody`),
    );
  });
});
