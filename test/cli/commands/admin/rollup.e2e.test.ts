import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../../../src/server/database/database.js';
import { market, runOf } from '../../../server/intake/dataset/support/load.js';
import { tablesOf } from '../../../server/intake/dataset/support/tables.js';
import { serverUrl } from '../../../support/database.js';
import { migratedDatabase } from '../../support/migrated-database.js';
import { type Environment, svc } from '../../support/run.js';

/** Only on a server: test/deploy/documented-commands.e2e.test.ts runs the command on an embedded database. */
describe('svc admin rollup', () => {
  let folder: string;
  let env: Environment;
  before(async function () {
    if (!serverUrl) return this.skip();
    folder = mkdtempSync(join(tmpdir(), 'svc-rollup-'));
    env = await migratedDatabase(folder);
    const file = join(folder, 'data.ndjson');
    const run = runOf('r', { collected_at: '2026-01-02T00:00:00Z', carousels: [{ placements: [] }] });
    writeFileSync(file, [...market, run].map((record) => JSON.stringify(record)).join('\n'));
    expect((await svc(['admin', 'import', file], env)).code).to.equal(0);
    return undefined;
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  it('reports the rebuilt brands and their days', async () => {
    const { code, stdout } = await svc(['admin', 'rollup'], env);
    expect(code).to.equal(0);
    expect(stdout).to.match(/b\s.*1/);
    expect(JSON.parse((await svc(['admin', 'rollup', '--json'], env)).stdout)).to.deep.equal({
      brands: [{ id: 'b', days: 1 }],
    });
  });

  it('fills roll-ups and daily statistics that are empty after a migration', async () => {
    const database = await openDatabase({ url: env.DATABASE_URL! });
    const before = await tablesOf(database.knex);
    await database.knex.raw('truncate day_carousel, day_scope, daily_stats');
    await svc(['admin', 'rollup'], env);
    expect(await tablesOf(database.knex)).to.deep.equal(before);
    await database.close();
  });
});
