import { expect } from 'chai';
import { down, up } from '../../../src/server/migrations/27-retired-competitors.js';
import { emptyDatabase } from '../../support/database.js';
import { load, market } from '../dataset/support/load.js';

describe('migration: retired competitors', () => {
  it('leaves stored competitors tracked', async () => {
    const database = await emptyDatabase();
    await load(database.knex, market);
    const trx = await database.knex.transaction();
    await down(trx);
    await up(trx);
    const { rows } = await trx.raw('select id, retired_at from competitors');
    await trx.rollback();
    await database.close();
    expect(rows).to.deep.equal([{ id: 'c', retired_at: null }]);
  });
});
