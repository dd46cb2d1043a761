import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FolderInUseError, lockFolder } from '../../src/server/data-folder.js';
import { migrate, openDatabase } from '../../src/server/database.js';
import { migrationSource } from '../../src/server/migrations/index.js';
import { createDatabaseUrl, emptyDatabase, serverUrl } from '../support/database.js';

describe('database', () => {
  it('migrates once: a second run finds nothing to do', async () => {
    const database = await emptyDatabase();
    expect(await migrate(database.knex)).to.deep.equal([]);
    await database.close();
  });

  it('migrates once when two servers start together', async function () {
    if (!serverUrl) this.skip();
    const url = await createDatabaseUrl(serverUrl);
    const servers = await Promise.all([openDatabase({ url }), openDatabase({ url })]);
    const applied = await Promise.all(servers.map((server) => migrate(server.knex)));
    const all = await migrationSource.getMigrations([]);
    expect(applied.map((names) => names.length).sort()).to.deep.equal([0, all.length]);
    for (const server of servers) await server.close();
  });

  it('is refused where a newer version migrated the database', async () => {
    const database = await emptyDatabase();
    await database.knex('knex_migrations').insert({ name: '99-later', batch: 9, migration_time: new Date() });
    const refused = await migrate(database.knex).catch((error: Error) => error.message);
    await database.knex('knex_migrations').where({ name: '99-later' }).delete();
    expect(refused).to.equal('The database was migrated by a newer svc (99-later).');
    await database.close();
  });

  it('reads counts as numbers and dates as YYYY-MM-DD on either database', async () => {
    const database = await emptyDatabase();
    const { rows } = await database.knex.raw(
      "select 5::bigint as n, 1.5::numeric as x, date '2026-01-31' as d, array[1, 2]::bigint[] as ns, array[date '2026-01-31'] as ds",
    );
    expect(rows).to.deep.equal([{ n: 5, x: 1.5, d: '2026-01-31', ns: [1, 2], ds: ['2026-01-31'] }]);
    await database.close();
  });
});

describe('data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('lets one process in and tells the second who holds it', async () => {
    const lock = await lockFolder(folder);
    const refused = await lockFolder(folder).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(FolderInUseError);
    expect((refused as Error).message).to.include(`in use by process ${process.pid}`);
    await lock.release();
    await (await lockFolder(folder)).release();
  });
});
