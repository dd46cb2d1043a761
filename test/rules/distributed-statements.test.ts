import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { distributedTables, tables } from '../../src/server/database/citus.js';
import type { Database } from '../../src/server/database/database.js';
import { records } from '../../src/server/intake/dataset/records/index.js';
import { citusWorkers } from '../support/citus.js';
import { emptyDatabase } from '../support/database.js';
import { partitionTables, spreadTables } from './support/partitions.js';
import { everyStatement, requireSamples, SAMPLE_BINDINGS } from './support/statements.js';

/** Statements about many brands: for the list of brands, the operator, at night, in the background, of a replica, and the first records of an export. */
const ABOUT_ALL_BRANDS = [
  ...['list_brands', 'connected_brands', 'name_searches', 'replica_state', 'list_marks', 'export brand'],
  ...['summary_sums', 'summary_entities', 'summary_gaps', 'summary_panels'],
];

const sources = new URL('../../src/server/', import.meta.url);

const everyQuery = async () => [
  ...(await everyStatement()),
  ...Object.entries(records).map(([type, { sql }]) => ({ name: `export ${type}`, sql })),
];

describe('rule: a statement about a brand runs on one node of a distributed database', () => {
  let database: Database;
  let trx: Knex.Transaction;
  before(async function () {
    // A distributed table cannot be replaced by a partitioned one.
    if (citusWorkers.length > 0) this.skip();
    database = await emptyDatabase();
    trx = await database.knex.transaction();
    await partitionTables(trx);
  });
  after(async () => {
    await trx?.rollback();
    await database?.close();
  });

  const spread = (sql: string) => spreadTables(trx, sql, SAMPLE_BINDINGS as Knex.ValueDict);

  it('names the brand of every table that it reads', async () => {
    const found: Record<string, string[]> = {};
    for (const { name, sql } of await everyQuery()) {
      if (!distributedTables.some((table) => new RegExp(`\\b${table}\\b`).test(sql))) continue;
      requireSamples({ name, sql });
      const tables = await spread(sql);
      if (tables.length > 0) found[name] = tables;
    }
    expect(Object.keys(found).filter((name) => !ABOUT_ALL_BRANDS.includes(name))).to.deep.equal([]);
    expect(found).to.include.keys(ABOUT_ALL_BRANDS);
  });

  it('is found where it names the brand of one table only', async () => {
    const runs =
      'select (select p.text from prompts p where p.brand_key = ? and p.prompt_key = r.prompt_key)';
    const joined = `${runs.replace('?', 'r.brand_key')} from runs r where r.brand_key = :brandKey`;
    expect(await spread(joined)).to.deep.equal(['prompts']);
    const bound = `${runs.replace('?', ':brandKey')} from runs r where r.brand_key = :brandKey`;
    expect(await spread(bound)).to.deep.equal([]);
    expect(await spread('update runs set region = :name where id = :id')).to.deep.equal(['runs']);
  });
});

/** Their subqueries read nothing of the query around them. */
const APART = ['replica_state'];

/** A subquery in a condition or a value. */
const NESTED = /(?<!\b(?:from|join|as|materialized|union|union all)\s*)\(\s*select\b/i;

const localTables = Object.keys(tables).filter((name) => tables[name] === 'local');
const hasSome = (names: readonly string[], sql: string): boolean =>
  new RegExp(`\\b(?:from|join|into|update|using)\\s+(?:${names.join('|')})\\b`, 'i').test(sql);
const isMixed = (sql: string): boolean => hasSome(localTables, sql) && hasSome(distributedTables, sql);

describe('rule: a statement with local and distributed tables joins them in its list of tables', () => {
  // Citus fetches the local side of a join first. It refuses a condition or a value that needs the other side of each row:
  // "direct joins between distributed and local tables are not supported".
  it('of every statement', async () => {
    const mixed = (await everyQuery()).filter(({ sql }) => isMixed(sql));
    expect(mixed.length).to.be.at.least(5);
    const nested = mixed.filter(({ sql }) => NESTED.test(sql)).map(({ name }) => name);
    expect(nested).to.deep.equal(APART);
  });

  it('is found where it does not', () => {
    const joined = 'select b.id from brands b join brand_versions v on v.brand_key = b.brand_key';
    const subscribed = 'select 1 from destinations d where d.workspace_id = b.workspace_id';
    expect([isMixed(joined), NESTED.test(joined)]).to.deep.equal([true, false]);
    const nested = [
      `${joined} where exists (${subscribed})`,
      `${joined} where b.id in (select id from workspaces)`,
      'select (select count(*) from prompts p where p.brand_key = b.brand_key) from brands b',
      'select array(select region from day_region r where r.brand_key = b.brand_key) from brands b',
    ];
    expect(nested.map((sql) => isMixed(sql) && NESTED.test(sql))).to.deep.equal([true, true, true, true]);
    expect(NESTED.test(`with x as (${joined}) select 1 from (${joined}) y`)).to.equal(false);
  });
});

/** The condition of an upsert may hold parameters and immutable functions only: not the time, and no sums with one. */
const TIME =
  /\binterval\b|\bnow\s*\(|\bclock_timestamp\b|\bcurrent_(?:date|time|timestamp)\b|\bage\s*\(|\bdate_trunc\b|\bextract\s*\(/i;
const UPSERTS = /\bon\s+conflict\b[^`]*?\bdo\s+update\b[^`]*?\bwhere\b([^`]*?)(?:\breturning\b|`|$)/gi;

const conditionsWithTime = (text: string): string[] =>
  [...text.matchAll(UPSERTS)].map(([, condition]) => condition!).filter((condition) => TIME.test(condition));

const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

describe('rule: the condition of an upsert computes no time', () => {
  it('in any file of the server', () => {
    const found = files.filter(
      (name) => conditionsWithTime(readFileSync(new URL(name, sources), 'utf8')).length > 0,
    );
    expect(found).to.deep.equal([]);
  });

  it('looks at upserts, and finds one that does', () => {
    const upserts = files.flatMap((name) => [
      ...readFileSync(new URL(name, sources), 'utf8').matchAll(UPSERTS),
    ]);
    expect(upserts.length).to.be.at.least(2);
    const upsert = 'insert into s values (1) on conflict (k) do update set n = 1 where s.at';
    expect(conditionsWithTime(`${upsert} + interval '5 seconds' <= excluded.at returning 1`)).to.have.length(
      1,
    );
    expect(conditionsWithTime(`${upsert} <= :rested returning now()`)).to.deep.equal([]);
  });
});

/** A query whose statements are settings and something else. */
const isMixedQuery = (query: string): boolean => {
  const settings = query
    .split(';')
    .filter((statement) => statement.trim() !== '')
    .map((statement) => /^\s*set local\b/.test(statement));
  return settings.includes(true) && settings.includes(false);
};
const mixedQueries = (text: string): string[] =>
  [...text.matchAll(/\braw\(\s*(['"`])(.*?)\1/gs)].map(([, , query]) => query!).filter(isMixedQuery);

describe('rule: a query that changes settings of a transaction does nothing else', () => {
  // Citus sends the settings to its nodes, and fails if the query has statements of another kind.
  it('in any file of the server', () => {
    const found = files.filter(
      (name) => mixedQueries(readFileSync(new URL(name, sources), 'utf8')).length > 0,
    );
    expect(found).to.deep.equal([]);
  });

  it('is found where it does', () => {
    expect(mixedQueries("trx.raw('analyze lines; set local enable_sort = off')")).to.have.length(1);
    expect(mixedQueries("trx.raw('set local a.b = 1; set local c = off')")).to.deep.equal([]);
    expect(mixedQueries("trx.raw('select 1; select 2')")).to.deep.equal([]);
  });
});
