import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { migrate, openDatabase } from '../../../src/server/database/database.js';
import { openPglite } from '../../../src/server/database/embedded.js';
import { clusterCache, preparedCluster } from '../../../src/server/database/prepared-cluster.js';
import { schemaState } from '../../../src/server/database/schema-state.js';
import { migrationSource } from '../../../src/server/migrations/index.js';
import { recordedStatements } from '../dataset/support/plans.js';

describe('the folder of an embedded database', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-embedded-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has the schema of this version, which a migration takes over, and keeps its data', async () => {
    expect(await preparedCluster()).to.be.instanceOf(Blob);
    const all = (await migrationSource.getMigrations([])) as string[];
    const first = await openDatabase({ folder });
    const tables = await first.knex.raw("select to_regclass('runs') is not null as made");
    expect(tables.rows[0].made).to.equal(true);
    expect(await schemaState(first.knex)).to.deep.equal({ applied: [], pending: all });
    const statements = await recordedStatements(first.knex, async () => {
      expect(await migrate(first.knex)).to.deep.equal(all);
    });
    expect(statements.filter(({ sql }) => /^\s*create table (?!if not exists)/.test(sql))).to.deep.equal([]);
    expect(await migrate(first.knex)).to.deep.equal([]);
    await first.knex.raw("insert into secrets (name, value) values ('kept', '')");
    await first.close();
    const second = await openDatabase({ folder });
    expect(await schemaState(second.knex)).to.deep.equal({ applied: all, pending: [] });
    expect((await second.knex.raw('select name from secrets')).rows).to.deep.equal([{ name: 'kept' }]);
    await second.close();
  });

  it('is prepared under another name for other migrations', () => {
    const names = ['create table a ()', 'create table a (n int)'].map((sql) => {
      writeFileSync(join(folder, '01-a.ts'), sql);
      return clusterCache(folder);
    });
    writeFileSync(join(folder, '02-b.ts'), '');
    expect(new Set([...names, clusterCache(folder), clusterCache()]).size).to.equal(4);
    expect(clusterCache(folder)).to.equal(clusterCache(folder));
  });

  it('is made again if a process was killed while it made it', async () => {
    const draft = join(folder, 'postgres.new');
    mkdirSync(join(draft, 'base'), { recursive: true });
    writeFileSync(join(draft, 'PG_VERSION'), '18\n');
    const database = await openPglite(folder);
    expect((await database.query('select 1 as n')).rows).to.deep.equal([{ n: 1 }]);
    await database.close();
    expect(existsSync(draft)).to.equal(false);
  });
});
