import { expect } from 'chai';
import type { Knex } from 'knex';
import { brandAndDefault, brandsByAge, versionOfVisible } from '../../../src/server/accounts/brands.js';
import { emptyDatabase } from '../../support/database.js';
import { shared } from '../../support/hooks.js';

const PARAMETERS = ['workspaceId', 'brandIds', 'brandId'];

/** The SQL that a query of brands sends for a key of a workspace, with numbered parameters. */
async function sqlOf(query: (db: Knex, bindings: never) => Promise<unknown>): Promise<string> {
  let sent = '';
  const db = {
    raw: (sql: string) => {
      sent = sql;
      return { options: async () => ({ rows: [] }) };
    },
  };
  await query(db as never, { workspaceId: 'w', brandIds: null, brandId: 'b' } as never);
  return sent.replaceAll(/(?<!:):(\w+)/g, (_, name: string) => `$${PARAMETERS.indexOf(name) + 1}`);
}

describe('queries of the visible brands', () => {
  const database = shared(emptyDatabase);

  for (const [name, query] of Object.entries({ brandAndDefault, brandsByAge, versionOfVisible })) {
    it(`${name}: a key of a workspace reads the brands of the workspace, not all`, async () => {
      const sql = await sqlOf(query);
      const plan = await database.knex.transaction(async (trx) => {
        await trx.raw('set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off');
        await trx.raw(`prepare visible_brands(text, text[], text) as ${sql}`);
        const { rows } = await trx.raw("explain execute visible_brands('w', null, 'b')");
        await trx.raw('deallocate visible_brands');
        return rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
      });
      expect(plan)
        .to.contain('brands_by_workspace')
        .and.not.match(/Seq Scan on brands/);
    });
  }
});
