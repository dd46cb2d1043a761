import fs, {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { isDatabaseUnavailable } from '../../../src/server/base/errors.js';
import { migrate, openDatabase } from '../../../src/server/database/database.js';
import { clusterCache, openPglite, preparedCluster } from '../../../src/server/database/embedded.js';
import { EmbeddedEndedError } from '../../../src/server/database/failures.js';
import { migrationSource } from '../../../src/server/database/migrations/index.js';
import { schemaState } from '../../../src/server/database/schema-state.js';
import { recordedStatements } from '../intake/dataset/support/plans.js';

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

  describe('has files that no other user can read or write', () => {
    const rightsOf = (path: string) => statSync(path).mode & 0o777;
    const allRights = (path: string) =>
      readdirSync(path, { recursive: true, encoding: 'utf8' }).map(
        (name) => [name, rightsOf(join(path, name))] as const,
      );
    const opened = async () => {
      const database = await openDatabase({ folder });
      await migrate(database.knex);
      await database.knex.raw('create table if not exists made_later ()');
      await database.close();
    };
    let data: string;
    let umask: number;
    beforeEach(function () {
      if (process.getuid === undefined) this.skip();
      data = join(folder, 'postgres');
      chmodSync(folder, 0o755);
      umask = process.umask(0);
    });
    afterEach(() => {
      process.umask(umask);
    });

    /** No other user gets to the files, and could write none if it did. */
    const expectPrivate = () => {
      expect(rightsOf(data)).to.equal(0o700);
      for (const [path, rights] of allRights(data)) expect(rights & 0o022, path).to.equal(0);
    };

    it('whatever the rights of a folder that existed before', async () => {
      await opened();
      expectPrivate();
      expect(rightsOf(join(data, 'PG_VERSION'))).to.equal(0o600);
      expect(rightsOf(folder)).to.equal(0o755);
    });

    it('from the first moment on', async () => {
      const draft = join(folder, 'postgres.new');
      const seen = new Set<number>();
      const watcher = watch(folder, () => {
        if (existsSync(draft)) seen.add(rightsOf(draft));
      });
      await opened();
      watcher.close();
      expect([...seen].filter((rights) => rights !== 0o700)).to.deep.equal([]);
    });

    it('even if it was made for everyone, and a process ended while the rights were taken', async () => {
      await opened();
      chmodSync(data, 0o755);
      for (const name of ['PG_VERSION', 'pg_hba.conf', 'global/pg_control'])
        chmodSync(join(data, name), 0o666);
      await opened();
      expectPrivate();
      for (const name of ['PG_VERSION', 'pg_hba.conf']) chmodSync(join(data, name), 0o666);
      await opened();
      expectPrivate();
    });

    it('but those of a group that an operator lets read', async () => {
      await opened();
      chmodSync(data, 0o750);
      chmodSync(join(data, 'base'), 0o750);
      chmodSync(join(data, 'PG_VERSION'), 0o640);
      await opened();
      expect([
        rightsOf(data),
        rightsOf(join(data, 'base')),
        rightsOf(join(data, 'PG_VERSION')),
      ]).to.deep.equal([0o750, 0o750, 0o640]);
      for (const [path, rights] of allRights(data)) expect(rights & 0o022, path).to.equal(0);
    });

    it('and takes the right to replace it from everyone', async () => {
      chmodSync(folder, 0o777);
      await opened();
      expect(rightsOf(folder)).to.equal(0o775);
    });

    it('or refuses a database of another user', async function () {
      // Only root can give a folder to another user.
      if (process.getuid!() !== 0) this.skip();
      await opened();
      chownSync(data, 65534, 65534);
      const refused = await openDatabase({ folder }).catch((error: Error) => error.message);
      expect(refused).to.equal(
        `The data folder ${folder} cannot be used (its database belongs to user 65534: run as that user, not as user 0).`,
      );
      chownSync(data, 0, 0);
      chmodSync(folder, 0o777);
      chownSync(folder, 65534, 65534);
      const replaceable = await openDatabase({ folder }).catch((error: Error) => error.message);
      expect(replaceable).to.include('every user may write to it');
    });
  });

  it('whose disk is full ends every statement with the folder and the free space, and can be closed', async () => {
    const database = await openDatabase({ folder });
    const fill = () =>
      database.knex.raw(
        "create table filled as select repeat(md5('a'), 1 + n % 9) as text from generate_series(1, 400000) n",
      );
    const open = fs.openSync;
    const write = fs.writeSync;
    const full = new Set<number>();
    fs.openSync = (path, ...options) => {
      const fd = open(path, ...options);
      if (String(path).includes('xlogtemp')) full.add(fd);
      return fd;
    };
    fs.writeSync = ((fd: number, ...written: [never]) => {
      if (full.has(fd)) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', errno: -28 });
      return write(fd, ...written);
    }) as typeof write;
    try {
      for (const statement of [fill, () => database.knex.raw('select 1'), database.ping]) {
        const failure = await statement().then(
          () => null,
          (error) => error,
        );
        expect(failure).to.be.instanceOf(EmbeddedEndedError);
        expect(isDatabaseUnavailable(failure)).to.equal(true);
        expect(failure.message)
          .to.match(/^No space is left on the disk of .*Its disk has [\d.]+ [MG]iB free\.$/)
          .and.include(folder);
      }
      await database.close();
    } finally {
      fs.openSync = open;
      fs.writeSync = write;
    }
    const again = await openDatabase({ folder });
    expect((await again.knex.raw("select to_regclass('filled') as made")).rows).to.deep.equal([
      { made: null },
    ]);
    await again.close();
  });
});
