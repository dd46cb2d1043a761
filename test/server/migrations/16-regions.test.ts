import { expect } from 'chai';
import { down, up } from '../../../src/server/migrations/16-regions.js';
import { emptyDatabase } from '../../support/database.js';
import { everyType } from '../dataset/support/all-types.js';
import { load } from '../dataset/support/load.js';
import { expectSame, rollupsOf, tablesOf } from '../dataset/support/tables.js';

describe('migration: regions', () => {
  it('computes the roll-ups of stored runs as an import does', async () => {
    const database = await emptyDatabase();
    await load(database.knex, everyType);
    const imported = rollupsOf(await tablesOf(database.knex));
    expect(imported.day_region).not.to.deep.equal([]);
    const trx = await database.knex.transaction();
    await down(trx);
    await up(trx);
    const migrated = rollupsOf(await tablesOf(trx));
    await trx.rollback();
    await database.close();
    expectSame(migrated, imported);
  });
});
