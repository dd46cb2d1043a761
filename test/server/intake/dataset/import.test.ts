import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { retried } from '../../../../src/server/database/connections.js';
import { BATCH_BYTES, BATCH_RECORDS, importDataset } from '../../../../src/server/intake/dataset/import.js';
import { DatasetError } from '../../../../src/server/intake/dataset/problems.js';
import { UNCOMPARED } from '../../../../src/server/intake/dataset/statistics.js';
import { citusWorkers } from '../../../support/citus.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';
import { itOnServer } from '../../../support/on-server.js';
import { bytesOf } from '../../../support/server.js';
import { everyType } from './support/all-types.js';
import { brand, load, market, NOW, refusal, runOf, workspace } from './support/load.js';
import { type Tables, tablesOf } from './support/tables.js';

const textOf = (lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

describe('dataset: an import', () => {
  const database = fresh(emptyDatabase);

  const tables = (): Promise<Tables> => tablesOf(database.knex);
  const rowsOf = async (table: string) => (await tables())[table]!.map((row) => JSON.parse(row));
  const refused = (lines: (object | string)[]) => refusal(database.knex, lines);
  const loaded = (lines: object[]) => load(database.knex, lines);

  describe('all or nothing', () => {
    it('reports the line, the field and the expected value, and writes nothing', async () => {
      const before = await tables();
      const lines = [
        ...market,
        { ...runOf('r'), engine: 'bard' },
        '{"type":"nonsense"}',
        runOf('s', { region: 5 }),
      ];
      const words = await refused(lines);
      expect(words.split('\n').map((line) => line.slice(0, 32))).to.deep.equal([
        'line 6: engine: expected one of ',
        'line 7: type: expected one of wo',
        'line 8: region: expected text, g',
      ]);
      expect(await tables()).to.deep.equal(before);
    });

    it('lists the first twenty problems by line and counts the others', async () => {
      const bad = Array.from({ length: 500 }, (_, at) => runOf(`r${at}`, { prompt: 'nowhere' }));
      const words = (await refused([...bad, ...market, '{'])).split('\n');
      expect(words).to.have.lengthOf(21);
      expect(words[0]).to.equal(
        'line 1: prompt: expected a prompt that this file or the database has, got nowhere',
      );
      expect(words[19]).to.match(/^line 20: /);
      expect(words[20]).to.equal('and 481 more');
    });

    it('does not change stored data', async () => {
      await loaded(everyType);
      const before = await tables();
      await refused([{ ...brand, name: 'New' }, runOf('r1', { collected_at: '2026-11-01T00:00:00Z' }), '[]']);
      expect(await tables()).to.deep.equal(before);
    });

    it('applies if the stream breaks off', async () => {
      const before = await tables();
      const broken = async function* () {
        yield* bytesOf([...market, ...Array.from({ length: 1500 }, (_, at) => runOf(`r${at}`))]);
        throw new Error('connection lost');
      };
      const error = await importDataset(database.knex, broken(), { now: NOW }).catch(
        (thrown: Error) => thrown,
      );
      expect(error).to.include({ message: 'connection lost' });
      expect(await tables()).to.deep.equal(before);
    });

    it('applies if a gzip file is truncated', async () => {
      const before = await tables();
      const file = gzipSync(textOf(market));
      const cut = async function* () {
        yield file.subarray(0, file.length - 9);
      };
      const error = await importDataset(database.knex, cut(), { now: NOW }).catch((thrown: Error) => thrown);
      expect(error).to.be.instanceOf(Error);
      expect(await tables()).to.deep.equal(before);
    });

    it('applies if the database fails at the very end', async () => {
      await database.knex.raw('alter table day_scope add constraint no_runs check (run_count < 2)');
      try {
        const before = await tables();
        const error = await loaded([...market, runOf('r'), runOf('s')]).catch((thrown: Error) => thrown);
        expect(error).to.be.instanceOf(Error).and.not.instanceOf(DatasetError);
        expect(await tables()).to.deep.equal(before);
      } finally {
        await database.knex.raw('alter table day_scope drop constraint no_runs');
      }
    });

    for (const [stop, code] of [
      ['pg_cancel_backend', '57014'],
      ['pg_terminate_backend', '57P01'],
    ] as const) {
      it(`holds when ${stop} stops it while it copies, and the next import works`, async function () {
        if (database.embedded) this.skip();
        const { knex } = database;
        await loaded(market);
        const before = await tables();
        await knex.raw('alter table runs add constraint slow check (pg_sleep(60)::text is not null)');
        const importing = loaded([runOf('r')]).catch((error: unknown) => error);
        try {
          for (let stopped = 0; stopped === 0; ) {
            const { rows } = await knex.raw(
              `select ${stop}(pid) from pg_stat_activity
               where datname = current_database() and pid <> pg_backend_pid() and query ilike 'copy runs%'`,
            );
            stopped = rows.length;
          }
          expect(await importing)
            .to.be.instanceOf(Error)
            .and.to.include({ code });
        } finally {
          await knex.raw('alter table runs drop constraint slow');
        }
        expect(await tables()).to.deep.equal(before);
        const { rows } = await knex.raw(
          "select relname from pg_class where relpersistence = 't' and relkind = 'r'",
        );
        expect(rows).to.deep.equal([]);
        await loaded([runOf('r')]);
        expect(await rowsOf('runs')).to.have.lengthOf(1);
      });
    }

    it('holds when the database refuses a row that is copied', async () => {
      await loaded(market);
      await database.knex.raw("alter table runs add constraint elsewhere check (region <> 'xx')");
      try {
        const before = await tables();
        const error = await loaded([runOf('r'), runOf('s', { region: 'xx' })]).catch(
          (thrown: Error) => thrown,
        );
        // A worker of Citus loses the code of an error of COPY.
        const code = citusWorkers.length > 0 ? 'XX000' : '23514';
        expect(error).to.be.instanceOf(Error).and.to.include({ code });
        expect(await tables()).to.deep.equal(before);
      } finally {
        await database.knex.raw('alter table runs drop constraint elsewhere');
      }
      await loaded([runOf('s', { region: 'xx' })]);
    });
  });

  describe('dry run', () => {
    it('counts and writes nothing', async () => {
      const before = await tables();
      const result = await load(database.knex, market, { dryRun: true });
      expect(result).to.deep.equal({
        lines: 5,
        records: { workspace: 1, brand: 1, competitor: 1, prompt: 2 },
      });
      expect(await tables()).to.deep.equal(before);
    });

    it('reports problems', async () => {
      const words = await refusal(database.knex, [brand], { dryRun: true });
      expect(words).to.equal(
        'line 1: workspace: expected a workspace that this file or the database has, got w',
      );
    });
  });

  describe('files', () => {
    it('may be gzipped, begin with a byte order mark and have CRLF line ends and blank lines', async () => {
      const text = `\uFEFF${textOf(everyType).replaceAll('\n', '\r\n\r\n')}`;
      const file = async function* () {
        yield gzipSync(text);
      };
      const { lines } = await importDataset(database.knex, file(), { now: NOW });
      expect(lines).to.equal(everyType.length * 2);
      const before = await tables();
      await loaded(everyType);
      expect(await tables()).to.deep.equal(before);
    });

    it('are refused with the number of a line that is not UTF-8', async () => {
      const file = async function* () {
        yield Buffer.concat([Buffer.from(textOf([workspace])), Buffer.from('{"type":"\xff"}\n', 'latin1')]);
      };
      const error = await importDataset(database.knex, file(), { now: NOW }).catch((thrown: Error) => thrown);
      expect(error).to.include({ message: 'line 2: expected UTF-8' });
    });

    it('may be empty', async () => {
      expect(await loaded([])).to.deep.equal({ lines: 0, records: {} });
    });

    it('report progress that ends at the last line', async () => {
      const seen: number[] = [];
      await load(database.knex, market, { onProgress: ({ lines }) => seen.push(lines) });
      expect(seen).to.deep.equal([1, 2, 3, 4, 5]);
    });
  });

  it('leaves statistics of the tables that it filled, and not of those that hardly changed', async function () {
    // The coordinator counts no rows of distributed tables; their nodes analyse them by themselves.
    if (citusWorkers.length > 0) this.skip();
    const { knex } = database;
    await knex.raw('alter table runs set (autovacuum_enabled = false)');
    await knex.raw("delete from pg_statistic where starelid = cast('runs' as regclass)");
    await loaded(market);
    const known = async () =>
      (await knex.raw("select reltuples as n from pg_class where relname = 'runs'")).rows[0].n;
    await loaded(Array.from({ length: 200 }, (_, at) => runOf(`r${at}`)));
    expect(await known()).to.equal(200);
    const stats = await knex.raw(
      "select most_common_vals as values from pg_stats where tablename = 'runs' and attname = 'brand_key'",
    );
    expect(stats.rows).to.deep.equal([{ values: '{1}' }]);
    const analysed = await knex.raw("select attname as name from pg_stats where tablename = 'runs'");
    const names = analysed.rows.map(({ name }: { name: string }) => name);
    expect(names).to.include.members(['day', 'prompt_key', 'engine', 'region', 'm_name', 'quotes_negative']);
    expect(names.filter((name: string) => UNCOMPARED.runs!.includes(name))).to.deep.equal([]);
    await loaded([runOf('one more')].map((run) => ({ ...run, id: 'more' })));
    expect(await known()).to.equal(200);
    await knex.raw('alter table runs reset (autovacuum_enabled)');
  });

  it('leaves out of the statistics only columns that exist', async () => {
    const { rows } = await database.knex.raw(
      `select cast(attrelid as regclass)::text as name, array_agg(attname::text) as columns from pg_attribute
       where attrelid = any(cast(:tables as text[])::regclass[]) and attnum > 0 and not attisdropped group by attrelid`,
      { tables: Object.keys(UNCOMPARED) },
    );
    for (const { name, columns } of rows) expect(columns, name).to.include.members(UNCOMPARED[name]!);
    expect(rows).to.have.lengthOf(Object.keys(UNCOMPARED).length);
  });

  it('waits for another import of the same new brand, then adds to its data', async function () {
    if (database.embedded) this.skip();
    await loaded([workspace]);
    const rest = market.filter((record) => record !== workspace);
    const imports = ['r', 's', 't'].map((id) => loaded([...rest, runOf(id)]));
    await Promise.all(imports);
    expect(await rowsOf('brands')).to.have.lengthOf(1);
    expect((await rowsOf('runs')).map(({ id, brand_key }) => [brand_key, id])).to.have.deep.members([
      ['b', 'r'],
      ['b', 's'],
      ['b', 't'],
    ]);
    expect((await rowsOf('day_scope'))[0]).to.include({ run_count: 3 });
  });

  it('loses a deadlock with an import of the same brands in another order, and is repeated', async function () {
    if (database.embedded) this.skip();
    const brands = ['b', 'z'];
    await loaded([workspace, ...brands.map((id) => ({ ...brand, id, name: id }))]);
    let locks = 0;
    let bothHold: () => void = () => undefined;
    const holding = new Promise<void>((resolve) => {
      bothHold = resolve;
    });
    const listen = (_: unknown, { sql }: { sql: string }) => {
      if (/import_locks.*for update$/.test(sql) && ++locks === 2) bothHold();
    };
    database.knex.on('query-response', listen);
    /** Yields topics of one brand, then, when both imports hold the lock of a brand, of the other. */
    const source = async function* (order: readonly string[], name: string) {
      for (const [at, of] of order.entries()) {
        // One topic more than a batch, so that the batch is written before the source ends.
        const topics = Array.from({ length: BATCH_RECORDS + 1 }, (_, n) => ({
          type: 'topic',
          id: `${name}${n}`,
          brand: of,
          name: `${at}`,
        }));
        yield* bytesOf(topics);
        await holding;
      }
    };
    let begun = 0;
    const imported = (order: readonly string[], name: string) =>
      retried(() => {
        begun++;
        return importDataset(database.knex, source(order, name), { now: NOW });
      });
    await Promise.all([imported(brands, 'x'), imported([...brands].reverse(), 'y')]);
    database.knex.removeListener('query-response', listen);
    // Only a deadlock is repeated. The repetition may lose once more, if it locks a brand before the winner wakes up.
    expect(begun).to.be.at.least(3);
    expect(await rowsOf('topics')).to.have.lengthOf(4 * (BATCH_RECORDS + 1));
  });

  it('locks the brands of a batch in the order of their ids', async () => {
    const ids = ['c', 'a', 'b'];
    await loaded([workspace, ...ids.map((id) => ({ ...brand, id, name: id }))]);
    const { rows } = await database.knex.raw('select id, brand_key from brands');
    const idOf = new Map(rows.map((row: { id: string; brand_key: number }) => [row.brand_key, row.id]));
    const locked: unknown[] = [];
    const listen = ({ sql, bindings }: { sql: string; bindings: unknown[] }) => {
      if (/import_locks.*for update/.test(sql)) locked.push(idOf.get(bindings[0]));
    };
    database.knex.on('query', listen);
    await loaded(ids.map((of) => ({ type: 'topic', id: 't', brand: of, name: 'T' })));
    database.knex.removeListener('query', listen);
    expect(locked).to.deep.equal(['a', 'b', 'c']);
  });

  itOnServer('copies long records in batches of bounded length', async () => {
    const answer = 'a'.repeat(600_000);
    const runs = function* () {
      yield* market;
      for (let at = 0; at < 40; at++) yield runOf(`r${at}`, { answer });
    };
    let copies = 0;
    const listen = ({ sql }: { sql: string }) => {
      if (sql.startsWith('copy run_answers')) copies++;
    };
    database.knex.on('query', listen);
    await load(database.knex, runs());
    database.knex.removeListener('query', listen);
    expect(copies).to.equal(Math.ceil(40 / Math.ceil(BATCH_BYTES / answer.length)));
    const { rows } = await database.knex.raw('select count(*) as n from run_answers');
    expect(rows).to.deep.equal([{ n: 40 }]);
  });

  it('reports the first failure if the rollback fails too', async () => {
    const failure = new Error('no space left on device');
    const source = async function* () {
      yield* bytesOf([workspace]);
      throw failure;
    };
    const failing = {
      transaction: (work: (trx: Knex.Transaction) => Promise<unknown>) =>
        database.knex.transaction(work).catch(() => {
          throw new Error('cannot drop active portal');
        }),
    } as unknown as Knex;
    const error = await importDataset(failing, source(), { now: NOW }).catch((thrown: unknown) => thrown);
    expect(error).to.equal(failure);
  });

  itOnServer('uses bounded memory for any number of lines', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const visits = function* () {
      yield* market;
      for (let at = 0; at < 15_000; at++) {
        const path = `/${String(at % 100).padStart(2000, '0')}`;
        yield { type: 'visit_day', brand: 'b', date: '2026-11-19', path, visits: at % 100 };
      }
    };
    const before = heap();
    let most = 0;
    await load(database.knex, visits(), {
      onProgress: ({ lines }) => {
        if (lines % 10_000 === 0) most = Math.max(most, heap() - before);
      },
    });
    // All lines together are 30 MiB.
    expect(most)
      .to.be.above(0)
      .and.below(20 * 1024 * 1024);
    expect(await rowsOf('visit_days')).to.have.lengthOf(100);
  });
});
