import { expect } from 'chai';
import { down, up } from '../../../src/server/migrations/24-present-citations.js';
import { emptyDatabase } from '../../support/database.js';
import { everyType } from '../dataset/support/all-types.js';
import { load } from '../dataset/support/load.js';

describe('migration: brand present, by prompt', () => {
  it('leaves stored rows without a statement whether the brand is present', async () => {
    const database = await emptyDatabase();
    await load(database.knex, everyType);
    const rows = async (trx = database.knex) =>
      (await trx.raw('select * from day_prompt_domains order by brand_key, day, prompt_key')).rows;
    const imported = await rows();
    expect(imported).not.to.deep.equal([]);
    for (const { domain_keys, present_citations } of imported)
      expect(present_citations).to.have.length(domain_keys.length);
    const trx = await database.knex.transaction();
    await down(trx);
    await up(trx);
    const migrated = await rows(trx);
    await trx.rollback();
    await database.close();
    expect(migrated).to.deep.equal(imported.map((row: object) => ({ ...row, present_citations: null })));
  });
});
