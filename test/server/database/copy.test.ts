import { expect } from 'chai';
import fc from 'fast-check';
import { copyInto, copyRow } from '../../../src/server/database/copy.js';
import { emptyDatabase } from '../../support/database.js';
import { shared } from '../../support/hooks.js';

/** Text as the dataset format accepts it: without NUL and lone surrogates. */
const text = fc
  .oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\\\t\r\n"'{},.N ]*$/))
  .filter((value) => !value.includes('\u0000') && value.isWellFormed());
const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });

describe('database: copy', () => {
  const database = shared(emptyDatabase);

  it('stores every text, number, flag, null and array as it is', async () => {
    const row = fc.record({
      t: nullable(text),
      n: nullable(fc.integer({ min: -2_147_483_648, max: 2_147_483_647 })),
      f: nullable(fc.boolean()),
      ts: nullable(fc.array(nullable(text))),
      ns: nullable(fc.array(nullable(fc.integer({ min: 0, max: 1000 })))),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1 }), async (rows) => {
        const found = await database.knex.transaction(async (trx) => {
          await trx.raw(
            'create temporary table copied (at integer, t text, n integer, f boolean, ts text[], ns integer[]) on commit drop',
          );
          await copyInto(
            trx,
            'copied (at, t, n, f, ts, ns)',
            rows.map(({ t, n, f, ts, ns }, at) => copyRow([at, t, n, f, ts, ns])),
          );
          return (await trx.raw('select t, n, f, ts, ns from copied order by at')).rows;
        });
        expect(found).to.deep.equal(rows);
      }),
      { numRuns: 40 },
    );
  });

  it('stores bytes and JSON', async () => {
    await database.knex.transaction(async (trx) => {
      await trx.raw('create temporary table copied (b bytea, j jsonb) on commit drop');
      const json = { text: 'a\\b\n"c"\t', list: [1, null] };
      await copyInto(trx, 'copied', [copyRow(['\\x00ff0a', JSON.stringify(json)])]);
      const { rows } = await trx.raw("select encode(b, 'hex') as b, j from copied");
      expect(rows).to.deep.equal([{ b: '00ff0a', j: json }]);
    });
  });

  it('runs no statement for no rows', async () => {
    await database.knex.transaction((trx) => copyInto(trx, 'no_such_table', []));
  });

  it('fails with the error of the database, and the connection can be used again', async () => {
    const refused = await database.knex
      .transaction((trx) => copyInto(trx, 'workspaces (id, name, plan)', ['w\tW\tgrowth', 'w\tW\tgrowth']))
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Error).and.to.include({ code: '23505' });
    const { rows } = await database.knex.raw('select count(*) as n from workspaces');
    expect(rows).to.deep.equal([{ n: 0 }]);
  });
});
