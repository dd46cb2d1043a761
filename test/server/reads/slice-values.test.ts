import { expect } from 'chai';
import type { Database } from '../../../src/server/database/database.js';
import { promptsNamed, topicsNamed } from '../../../src/server/reads/slice.js';
import { emptyDatabase } from '../../support/database.js';
import { describeOnServer } from '../../support/on-server.js';
import { brand, load, workspace } from '../dataset/support/load.js';

const PROMPTS = 4000;
const TAGS_OF_EACH = 10;
/** About as many values as the largest message to /api/mcp can hold. */
const VALUES = 130_000;

describeOnServer('the values of a slice in the database', () => {
  let database: Database;
  let brandKey: number;
  before(async () => {
    database = await emptyDatabase();
    const tags = Array.from({ length: TAGS_OF_EACH }, (_, at) => `tag${at}`);
    await load(database.knex, [
      workspace,
      brand,
      { type: 'topic', id: 't', brand: 'b', name: 'T' },
      ...Array.from({ length: PROMPTS }, (_, at) => ({
        type: 'prompt',
        id: `p${at}`,
        brand: 'b',
        text: 'best crm?',
        tags: at === 3 ? [...tags, 'rare'] : tags,
        ...(at === 2 && { topic: 't' }),
      })),
    ]);
    brandKey = (await database.knex('brands').first('brand_key')).brand_key;
  });
  after(() => database.close());

  // Comparing each tag of each prompt with each value takes minutes; a look-up in a hash takes less than a second.
  it('are looked up, not compared one by one, however many a caller sends', async () => {
    const many = Array.from({ length: VALUES }, (_, at) => `v${at}`);
    const named = await promptsNamed(database.knex, {
      brandKey,
      prompts: [...many, 'p1'],
      topics: [...many, 't'],
      tags: [...many, 'rare'],
    });
    expect(named.map(({ id }) => id).sort()).to.deep.equal(['p1', 'p2', 'p3']);
    expect(await topicsNamed(database.knex, { brandKey, topics: [...many, 't'] })).to.deep.equal([
      { id: 't' },
    ]);
  }).timeout(60_000);
});
