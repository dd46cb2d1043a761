import { expect } from 'chai';
import { down, up } from '../../../src/server/migrations/11-brand-versions.js';
import { emptyDatabase } from '../../support/database.js';
import { load, market, runOf } from '../dataset/support/load.js';

describe('migration: brand versions', () => {
  it('takes over the versions that there are, and which brands have runs', async () => {
    const database = await emptyDatabase();
    const silent = { ...market[1], id: 'silent', name: 'Silent', domain: 'silent.com' };
    await load(database.knex, [...market, silent, runOf('r')]);
    await load(database.knex, market);
    const trx = await database.knex.transaction();
    await trx.raw("update brands set data_version = 41 where id = 'silent'");
    await down(trx);
    await up(trx);
    const { rows } = await trx.raw(
      `select b.id, v.data_version = b.data_version as same, v.collected from brands b
       join brand_versions v on v.brand_key = b.brand_key order by b.id`,
    );
    await trx.rollback();
    await database.close();
    expect(rows).to.deep.equal([
      { id: 'b', same: true, collected: true },
      { id: 'silent', same: true, collected: false },
    ]);
  });
});
