import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Database, openDatabase } from '../../../src/server/database/database.js';
import { type Beside, FolderHostError } from '../../../src/server/database/folder-guest.js';
import { type FolderHost, shareFolder } from '../../../src/server/database/folder-host.js';
import { connectTo, type FolderUse, Lines } from '../../../src/server/database/folder-socket.js';

const VERSION = '1.2.3';
const beside = (use: FolderUse): { beside: Beside } => ({ beside: { use, version: VERSION } });

describe('an embedded database that a server shares', () => {
  let folder: string;
  let server: Database;
  let host: FolderHost;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-host-'));
    server = await openDatabase({ folder });
    await server.knex.raw('create table notes (n bigint primary key, text text, at timestamptz)');
    host = await shareFolder(server.shared!, VERSION);
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
    while (waits.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await first.close();
    await (await second).close();
    expect(waits).to.deep.equal(['second']);
  });

  it('accepts changes while another process reads a copy', async () => {
    const copy = await guest('snapshot');
    await server.knex.raw('insert into notes values (1)');
    expect(await count(copy)).to.equal(0);
    await copy.close();
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
