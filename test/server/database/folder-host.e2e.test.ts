import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Database, openDatabase } from '../../../src/server/database/database.js';
import { type Beside, FolderHostError } from '../../../src/server/database/folder-guest.js';
import { type FolderHost, shareFolder } from '../../../src/server/database/folder-host.js';
import { connectTo, type FolderUse, Lines } from '../../../src/server/database/folder-socket.js';
import { collectingLog } from '../../rules/support/collecting-log.js';

const VERSION = '1.2.3';
const PATIENCE_MS = 5000;
const beside = (use: FolderUse): { beside: Beside } => ({ beside: { use, version: VERSION } });

describe('an embedded database that a server shares', () => {
  let folder: string;
  let server: Database;
  let host: FolderHost;
  const { log, lines: logged } = collectingLog();
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-host-'));
    server = await openDatabase({ folder });
    await server.knex.raw('create table notes (n bigint primary key, text text, at timestamptz)');
    host = await shareFolder(server.shared!, VERSION, log, PATIENCE_MS);
  });
  after(async () => {
    await host.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => server.knex.raw('truncate notes'));

  const guest = (use: FolderUse = 'session') => openDatabase({ folder }, beside(use));
  const count = async (database: Database) =>
    (await database.knex.raw('select count(*) as n from notes')).rows[0].n as number;

  it('gives another process the same values as the server itself', async () => {
    const other = await guest();
    const sql =
      "select 1::bigint as n, array[1, null]::bigint[] as l, now() as t, current_date as d, '{}'::json as j";
    const [own, theirs] = [await server.knex.raw(sql), await other.knex.raw(sql)];
    expect({ ...theirs.rows[0], t: null }).to.deep.equal({ ...own.rows[0], t: null });
    expect(theirs.rows[0].t).to.be.instanceOf(Date);
    // Statements with names are those of the server.
    for (const database of [server, other, server])
      await database.knex.raw('select 1').options({ name: 'named' });
    expect((await server.knex.raw('select name from pg_prepared_statements')).rows).to.have.length(1);
    await other.close();
  });

  it('shows a transaction to nobody before it is committed, and never mixes two', async () => {
    const other = await guest();
    let own: Promise<unknown> | undefined;
    await other.knex.transaction(async (trx) => {
      await trx.raw("insert into notes values (1, 'theirs')");
      own = server.knex.transaction(async (mine) => {
        await mine.raw("insert into notes values (2, 'own')");
        throw new Error('taken back');
      });
      own.catch(() => undefined);
      await trx.raw("insert into notes values (3, 'theirs')");
    });
    expect(await own!.catch((error: Error) => error.message)).to.equal('taken back');
    expect(await count(server)).to.equal(2);
    await other.close();
  });

  it('rolls back the transaction of a process that ends', async () => {
    const socket = (await connectTo(folder))!;
    const lines = new Lines(socket);
    lines.send({ version: VERSION, use: 'session' });
    await lines.next();
    await lines.next();
    lines.release();
    socket.resume();
    socket.write(startup);
    for (const sql of ['begin', 'insert into notes values (1)']) socket.write(query(sql));
    await once(socket, 'data');
    socket.destroy();
    expect(await count(server)).to.equal(0);
  });

  it('is replaced by a copy at once, and reads what was there until then', async () => {
    const named = () => server.knex.raw('select count(*) as n from notes').options({ name: 'counted' });
    await named();
    const copy = await guest('copy');
    await copy.knex.raw("insert into notes values (1, 'in the copy')");
    expect(await count(server)).to.equal(0);
    const refused = await server.knex.raw('insert into notes values (2)').catch((error) => error.code);
    expect(refused).to.equal('25006');
    await copy.close();
    expect((await named()).rows).to.deep.equal([{ n: 1 }]);
    expect((await server.knex.raw('show time zone')).rows).to.deep.equal([{ TimeZone: 'UTC' }]);
    await server.knex.raw('insert into notes values (2)');
    expect((await named()).rows).to.deep.equal([{ n: 2 }]);
  });

  it('stays as it is if nothing was committed in the copy', async () => {
    const before = server.shared!.current();
    for (const use of ['copy', 'snapshot'] as const) {
      const copy = await guest(use);
      await copy.knex
        .transaction(async (trx) => {
          await trx.raw('insert into notes values (1)');
          throw new Error('taken back');
        })
        .catch(() => undefined);
      await copy.close();
    }
    expect(server.shared!.current()).to.equal(before);
    await server.knex.raw('insert into notes values (1)');
  });

  it('tells a process that it waits for a copy, until another one is done with its own', async () => {
    const waits: string[] = [];
    const opened = (name: string) =>
      openDatabase({ folder }, { beside: { ...beside('copy').beside, onWait: () => waits.push(name) } });
    const first = await opened('first');
    const second = opened('second');
    while (waits.length === 0) await setTimeout(10);
    await first.close();
    await (await second).close();
    expect(waits).to.deep.equal(['second']);
  });

  it('accepts changes while it is copied for another process to read, and each copy is of one moment', async () => {
    const insert = (n: number) =>
      server.knex.raw('insert into notes (n, text) values (:n, :text), (:less, :text)', {
        n,
        less: -n,
        text: `${n}`,
      });
    await insert(1);
    let isOver = false;
    const inserting = (async () => {
      let n = 1;
      while (!isOver) await insert(++n);
      return n;
    })();
    for (let copies = 0; copies < 2; copies++) {
      const copy = await guest('snapshot');
      const { rows } = await copy.knex.raw(
        'select count(*) as n, sum(n) as sum, max(n) as newest from notes',
      );
      expect(rows[0]).to.deep.equal({ n: 2 * rows[0].newest, sum: 0, newest: rows[0].newest });
      await copy.knex.raw('insert into notes values (0)');
      await copy.close();
    }
    isOver = true;
    expect(await count(server)).to.equal(2 * (await inserting));
  });

  /** A process that has a copy to change. */
  const borrower = async () => {
    const socket = (await connectTo(folder))!;
    const lines = new Lines(socket);
    lines.send({ version: VERSION, use: 'copy', pid: 42 });
    await lines.next();
    const { copy } = (await lines.next())!;
    return { lines, copy: copy! };
  };

  it('takes a copy back from a process that makes no progress, and says so to it and in the log', async () => {
    await host.close();
    host = await shareFolder(server.shared!, VERSION, log, 1);
    logged.length = 0;
    const { lines, copy } = await borrower();
    expect((await lines.next())!.refused).to.match(/made no progress for 0\.001 s.*has taken the copy/);
    expect(await lines.next()).to.equal(null);
    await server.shared!.pause.wait(60_000);
    expect(existsSync(copy)).to.equal(false);
    await server.knex.raw('insert into notes values (1)');
    const told = logged.map((line) => JSON.parse(line));
    expect(told.map(({ pid, msg }) => [pid, msg])).to.deep.equal([
      [42, 'a command changes a copy of the database: other changes wait'],
      [42, 'a command made no progress: its copy of the database is deleted'],
      [42, 'the database accepts changes again'],
    ]);
    await host.close();
    host = await shareFolder(server.shared!, VERSION, log, PATIENCE_MS);
  });

  it('leaves a copy to a process that makes progress', async () => {
    const { lines } = await borrower();
    for (let at = 0; at < 3; at++) lines.send({ works: true });
    lines.send({ replace: false });
    expect(await lines.next()).to.deep.equal({ replaced: false });
  });

  it('tells a command whose copy was taken back why nothing is stored', async () => {
    await host.close();
    host = await shareFolder(server.shared!, VERSION, log, 1);
    const changing = async () => {
      const copy = await guest('copy');
      await copy.knex
        .raw('insert into notes values (1)')
        .catch((error) => expect(copy.failure!(error)).to.be.instanceOf(FolderHostError));
      await copy.close();
    };
    const failure = await changing().catch((error) => error);
    expect(failure).to.be.instanceOf(FolderHostError);
    expect(failure.message).to.match(/made no progress for 0\.001 s.* Nothing of this command is stored\.$/);
    expect(await count(server)).to.equal(0);
    await host.close();
    host = await shareFolder(server.shared!, VERSION, log, PATIENCE_MS);
  });

  it('keeps what it has if the copy cannot be opened, and says so', async () => {
    const copy = await guest('copy');
    await server.shared!.current().exec('select 1');
    await copy.knex.raw('insert into notes values (1)');
    const { replace } = server.shared!;
    server.shared!.replace = async () => {
      throw new Error('no such file');
    };
    const failure = await copy.close().catch((error: unknown) => error);
    server.shared!.replace = replace;
    expect(failure).to.be.instanceOf(FolderHostError);
    expect((failure as Error).message)
      .to.include('no such file')
      .and.include('Nothing of this command is stored.');
    await server.knex.raw('insert into notes values (2)');
    expect(await count(server)).to.equal(1);
  });

  const startup = Buffer.from('\0\0\0\x08\0\x03\0\0', 'latin1');
  const framed = (type: string, content: Uint8Array) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(4 + content.length);
    return Buffer.concat([Buffer.from(type, 'latin1'), length, content]);
  };
  const query = (sql: string) => framed('Q', Buffer.from(`${sql}\0`));

  const hostile = fc.oneof(
    fc.record({ type: fc.constantFrom(...'QPBDEHCS'), content: fc.uint8Array({ maxLength: 60 }) }),
    fc.record({ type: fc.constantFrom(...'FXdcfp?'), content: fc.uint8Array({ maxLength: 60 }) }),
    fc.record({
      type: fc.constantFrom('P', 'Q'),
      content: fc
        .constantFrom(
          '\0select $1\0\0\0',
          'copy notes from stdin\0',
          'begin\0',
          'nonsense\0',
          'select pg_backend_pid()\0',
        )
        .map((sql) => Buffer.from(sql)),
    }),
  );

  it('survives whatever messages a process sends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { maxLength: 12 }), fc.boolean(), async (messages, greets) => {
        const socket = (await connectTo(folder))!;
        const lines = new Lines(socket);
        lines.send({ version: VERSION, use: 'session' });
        await lines.next();
        await lines.next();
        lines.release();
        socket.resume();
        if (greets) socket.write(startup);
        for (const { type, content } of messages) socket.write(framed(type, content));
        socket.end();
        if (!socket.closed) await once(socket, 'close');
        expect((await server.knex.raw('select 1 as n')).rows).to.deep.equal([{ n: 1 }]);
      }),
      { numRuns: 60 },
    );
    const other = await guest();
    expect(await count(other)).to.equal(0);
    await other.close();
  });
});
