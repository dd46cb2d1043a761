import { expect } from 'chai';
import { down, up } from '../../../src/server/migrations/20-engine-prompts.js';
import * as slices from '../../../src/server/migrations/23-slices.js';
import * as promptSums from '../../../src/server/migrations/31-prompt-sums.js';
import { emptyDatabase } from '../../support/database.js';
import { everyType } from '../dataset/support/all-types.js';
import { load } from '../dataset/support/load.js';
import { expectSame, rollupsOf, tablesOf } from '../dataset/support/tables.js';

describe('migration: prompts by engine', () => {
  it('keeps what the roll-up of an import has, in both directions', async () => {
    const database = await emptyDatabase();
    await load(database.knex, everyType);
    const trx = await database.knex.transaction();
    // Later migrations add columns.
    await promptSums.down(trx);
    await slices.down(trx);
    const imported = rollupsOf(await tablesOf(trx));
    expect(imported.day_engine_prompts).not.to.deep.equal([]);
    await down(trx);
    const { rows } = await trx.raw(
      'select (select sum(run_count) from day_engine_prompt) as by_prompt, (select count(*) from runs) as runs',
    );
    expect(rows[0].by_prompt).to.equal(rows[0].runs);
    await up(trx);
    const migrated = rollupsOf(await tablesOf(trx));
    await trx.rollback();
    await database.close();
    expectSame(migrated, imported);
  });
});
