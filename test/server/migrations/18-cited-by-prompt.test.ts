import { expect } from 'chai';
import { down, up } from '../../../src/server/migrations/18-cited-by-prompt.js';
import * as presentCitations from '../../../src/server/migrations/24-present-citations.js';
import { emptyDatabase } from '../../support/database.js';
import { everyType } from '../dataset/support/all-types.js';
import { load } from '../dataset/support/load.js';
import { expectSame, rollupsOf, tablesOf } from '../dataset/support/tables.js';

describe('migration: citations by prompt', () => {
  it('keeps what the roll-ups of an import have, in both directions', async () => {
    const database = await emptyDatabase();
    await load(database.knex, everyType);
    const trx = await database.knex.transaction();
    // A later migration adds a column.
    await presentCitations.down(trx);
    const imported = rollupsOf(await tablesOf(trx));
    for (const table of ['day_prompt_domains', 'day_prompt_own_urls']) {
      expect(imported[table], table).not.to.deep.equal([]);
    }
    await down(trx);
    const { rows } = await trx.raw(
      'select (select sum(citations) from day_prompt_domain) as all_cited, (select sum(citations) from day_domain) as same',
    );
    expect(rows[0].all_cited).to.equal(rows[0].same);
    await up(trx);
    const migrated = rollupsOf(await tablesOf(trx));
    await trx.rollback();
    await database.close();
    expectSame(migrated, imported);
  });
});
