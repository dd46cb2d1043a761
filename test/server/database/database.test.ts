import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import {
  DataFolderError,
  FolderInUseError,
  lockFolder,
  makeFolder,
} from '../../../src/server/database/data-folder.js';
import { migrate, openDatabase } from '../../../src/server/database/database.js';
import { migrationSource } from '../../../src/server/database/migrations/index.js';
import { schemaState } from '../../../src/server/database/schema-state.js';
import { createDatabaseUrl, emptyDatabase, serverUrl } from '../../support/database.js';

describe('the database', () => {
  it('is migrated once: a second migration does nothing', async () => {
    const database = await emptyDatabase();
    expect(await migrate(database.knex)).to.deep.equal([]);
    await database.close();
  });

  it('is migrated once when two servers start together', async function () {
    if (!serverUrl) this.skip();
    const url = await createDatabaseUrl(serverUrl);
    const servers = await Promise.all([openDatabase({ url }), openDatabase({ url })]);
    const applied = await Promise.all(servers.map((server) => migrate(server.knex)));
    const all = await migrationSource.getMigrations([]);
    expect(applied.map((names) => names.length).sort()).to.deep.equal([0, all.length]);
    for (const server of servers) await server.close();
  });

  it('is refused if a newer version migrated it', async () => {
    const database = await emptyDatabase();
    await database.knex('knex_migrations').insert({ name: '99-later', batch: 9, migration_time: new Date() });
    const refused = await migrate(database.knex).catch((error: Error) => error.message);
    await database.knex('knex_migrations').where({ name: '99-later' }).delete();
    expect(refused).to.equal(
      'The database has migrations that this svc does not know (99-later): a newer version made them, or one that was built from other sources. Use that svc, or another database.',
    );
    await database.close();
  });

  it('runs a later migration once, of two processes that start together, and knows it as pending before', async () => {
    const database = await emptyDatabase();
    const steps: Record<string, Knex.Migration> = {
      '02-notes': {
        up: (trx) => trx.raw('create table notes (note text)'),
        down: (trx) => trx.raw('drop table notes'),
      },
    };
    const source: typeof migrationSource = {
      ...migrationSource,
      getMigrations: async () => [...(await migrationSource.getMigrations([])), ...Object.keys(steps)],
      getMigration: async (name) => steps[name] ?? migrationSource.getMigration(name),
    };
    expect((await schemaState(database.knex, source)).pending).to.deep.equal(['02-notes']);
    const applied = await Promise.all([migrate(database.knex, source), migrate(database.knex, source)]);
    expect(applied.flat()).to.deep.equal(['02-notes']);
    expect((await schemaState(database.knex, source)).pending).to.deep.equal([]);
    const refused = await migrate(database.knex).catch((error: Error) => error.message);
    expect(refused).to.match(/^The database has migrations that this svc does not know \(02-notes\)/);
    await database.knex.raw('drop table notes');
    await database.knex('knex_migrations').where({ name: '02-notes' }).delete();
    await database.close();
  });

  it('is refused with the way out if other statements made it before the first published version', async () => {
    const database = await emptyDatabase();
    for (const name of ['01-accounts', '01-schema', '01-schema-00000000']) {
      const other = { name, batch: 1, migration_time: new Date() };
      await database.knex('knex_migrations').insert(other);
      const refused = await migrate(database.knex).catch((error: Error) => error.message);
      await database.knex('knex_migrations').where({ name }).delete();
      expect(refused, name).to.match(
        /from before the first published version\. Export it by .*, and import the file/,
      );
    }
    await database.close();
  });

  it('returns counts as numbers and dates as YYYY-MM-DD, on Postgres and embedded', async () => {
    const database = await emptyDatabase();
    const { rows } = await database.knex.raw(
      "select 5::bigint as n, 1.5::numeric as x, date '2026-01-31' as d, array[1, 2]::bigint[] as ns, array[date '2026-01-31'] as ds",
    );
    expect(rows).to.deep.equal([{ n: 5, x: 1.5, d: '2026-01-31', ns: [1, 2], ds: ['2026-01-31'] }]);
    await database.close();
  });
});

describe('the embedded database', () => {
  it('does not block the event loop between queries', async () => {
    const database = await openDatabase({ folder: undefined });
    await database.knex.raw('select 1');
    let turns = 0;
    let counting = true;
    const count = () => {
      turns++;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const queries = 50;
    await Promise.all(
      Array.from({ length: queries }, (_, at) => database.knex.raw('select ? :: integer', [at])),
    );
    counting = false;
    await database.close();
    expect(turns).to.be.at.least(queries);
  });
});

describe('the data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is locked by one process, and a second one gets an error with the id of the first', async () => {
    const lock = await lockFolder(folder);
    const refused = await lockFolder(folder).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(FolderInUseError);
    expect((refused as Error).message).to.include(`in use by process ${process.pid}`);
    await lock.release();
    await (await lockFolder(folder)).release();
  });

  it('is created with its parent folders, and only its user can read it', async () => {
    const deep = join(folder, 'a', 'b', 'c');
    await makeFolder(deep);
    await makeFolder(deep);
    expect((await stat(deep)).mode & 0o777).to.equal(0o700);
  });

  it('is refused with a message if its path contains a file', async () => {
    await writeFile(join(folder, 'file'), '');
    const refused = await makeFolder(join(folder, 'file', 'below')).catch((error: Error) => error.message);
    expect(refused).to.equal(`The data folder ${join(folder, 'file', 'below')} cannot be used (ENOTDIR).`);
    const itself = await makeFolder(join(folder, 'file')).catch((error: Error) => error.message);
    expect(itself).to.equal(
      `The data folder ${join(folder, 'file')} cannot be used (${join(folder, 'file')} is a file).`,
    );
  });

  it('is refused with a message, without endless retries, if the file system refuses it', async function () {
    if (process.platform !== 'linux') this.skip();
    const refused = await openDatabase({ folder: '/proc/svc/data' }).catch((error: Error) => error);
    expect(refused).to.be.instanceOf(DataFolderError);
    expect((refused as Error).message).to.equal('The data folder /proc/svc/data cannot be used (ENOENT).');
    const unlockable = await openDatabase({ folder: '/proc' }).catch((error: Error) => error.message);
    expect(unlockable).to.equal('The data folder /proc cannot be used (ENOENT).');
  });
});
