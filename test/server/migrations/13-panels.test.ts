import { expect } from 'chai';
import { down, up } from '../../../src/server/migrations/13-panels.js';
import * as enginePrompts from '../../../src/server/migrations/20-engine-prompts.js';
import * as slices from '../../../src/server/migrations/23-slices.js';
import * as promptSums from '../../../src/server/migrations/31-prompt-sums.js';
import { emptyDatabase } from '../../support/database.js';
import { everyType } from '../dataset/support/all-types.js';
import { load } from '../dataset/support/load.js';
import { expectSame, rollupsOf, tablesOf } from '../dataset/support/tables.js';

describe('migration: panels', () => {
  it('computes the roll-ups of stored runs as an import does', async () => {
    const database = await emptyDatabase();
    await load(database.knex, everyType);
    const trx = await database.knex.transaction();
    // Later migrations add columns.
    await promptSums.down(trx);
    await slices.down(trx);
    const imported = rollupsOf(await tablesOf(trx));
    expect(imported.day_panel).not.to.deep.equal([]);
    await enginePrompts.down(trx);
    await down(trx);
    await up(trx);
    await enginePrompts.up(trx);
    const migrated = rollupsOf(await tablesOf(trx));
    await trx.rollback();
    await database.close();
    expectSame(migrated, imported);
  });
});
