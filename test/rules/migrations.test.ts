import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationSource } from '../../src/server/database/migrations/index.js';

/** The statements of a query, without literals and comments. */
const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/'(?:[^']|'')*'|--.*/g, '')
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** A database that notes the queries, and has one brand. */
const noting = (queries: string[]): Knex =>
  ({
    raw: async (sql: string) => {
      queries.push(sql);
      return { rows: [{ brandKey: 1, version: 1 }] };
    },
  }) as unknown as Knex;

describe('rule: a query of a migration is one statement', () => {
  // Citus refuses several statements in one query if one of them changes a distributed table.
  it('in both directions', async () => {
    for (const name of await migrationSource.getMigrations([])) {
      const { up, down } = await migrationSource.getMigration(name);
      for (const change of [up, down!]) {
        const queries: string[] = [];
        await change(noting(queries));
        expect(queries, `${name} changes nothing by raw()`).not.to.deep.equal([]);
        expect(
          queries.filter((sql) => statementsOf(sql).length !== 1),
          name,
        ).to.deep.equal([]);
      }
    }
  });

  it('is distinguished from two', () => {
    expect(statementsOf("comment on table t is 'a; b';\n")).to.have.length(1);
    expect(statementsOf('drop index i; create index i on t (brand_key)')).to.have.length(2);
  });
});
