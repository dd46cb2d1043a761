import { expect } from 'chai';
import type { Knex } from 'knex';
import { isDatabaseUnavailable } from '../../../src/server/base/errors.js';
import { liftTimeLimits, retriedTransaction } from '../../../src/server/database/connections.js';
import { type Database, openDatabase } from '../../../src/server/database/database.js';
import { emptyDatabase, serverUrl } from '../../support/database.js';
import { type MutePostgres, mutePostgres } from '../../support/mute-postgres.js';

describe('the time limits for a server that stops answering', () => {
  /** Long enough that an answer of this process on a busy machine is not taken for silence. */
  const silenceMs = 1000;
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'no failure',
      (error: unknown) => error,
    );
  let server: MutePostgres;
  let database: Database;
  beforeEach(async () => {
    server = await mutePostgres();
    database = await openDatabase({ url: server.url }, { silenceMs });
    await database.knex.raw('select 1');
  });
  afterEach(async () => {
    await database.close();
    await server.close();
  });

  it('make a query fail like an unreachable database', async () => {
    server.fallSilent();
    const error = await failure(database.knex.raw('select 2'));
    expect(isDatabaseUnavailable(error), String(error)).to.equal(true);
    expect(error).to.have.property('code', 'ETIMEDOUT');
  });

  it('make a transaction fail after its query, and its connection is not used again', async () => {
    const work = database.knex.transaction(async (trx) => {
      server.fallSilent();
      await trx.raw('select 3');
    });
    expect(isDatabaseUnavailable(await failure(work))).to.equal(true);
    expect(server.queries.at(-1)).to.equal('select 3');
    server.speak();
    await database.knex.raw('select 4');
    expect(server.queries.at(-1)).to.equal('select 4');
  });

  it('do not close an idle connection', async () => {
    const connection = await database.knex.client.acquireConnection();
    await new Promise((resolve) => setTimeout(resolve, 3 * silenceMs));
    await database.knex.client.releaseConnection(connection);
    await database.knex.raw('select 5');
    expect(await database.knex.client.acquireConnection()).to.equal(connection);
    await database.knex.client.releaseConnection(connection);
    server.fallSilent();
    expect(isDatabaseUnavailable(await failure(database.knex.raw('select 6')))).to.equal(true);
  });

  it('do not end a transaction without limits, but end the next query on its connection', async () => {
    await database.knex.transaction(async (trx) => {
      await liftTimeLimits(trx);
      server.fallSilent();
      setTimeout(() => server.speak(), 3 * silenceMs);
      await trx.raw('select 6');
    });
    server.fallSilent();
    expect(isDatabaseUnavailable(await failure(database.knex.raw('select 7')))).to.equal(true);
  });

  it('make a ping fail', async () => {
    await database.ping();
    server.fallSilent();
    expect(isDatabaseUnavailable(await failure(database.ping()))).to.equal(true);
  });
});

describe('the time limits of the server', () => {
  it('are lifted until the transaction ends', async () => {
    const database = await emptyDatabase();
    const limits = async (db: Database['knex']) =>
      (
        await db.raw(
          "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock",
        )
      ).rows[0];
    const before = await limits(database.knex);
    if (serverUrl) expect(before).to.deep.equal({ statement: '30s', lock: '10s' });
    await database.knex.transaction(async (trx) => {
      await liftTimeLimits(trx);
      expect(await limits(trx)).to.deep.equal({ statement: '0', lock: '0' });
      const { rows } = await trx.raw("select current_setting('citus.propagate_set_commands') as sent");
      expect(rows, 'on every node of a distributed database').to.deep.equal([{ sent: 'local' }]);
    });
    expect(await limits(database.knex)).to.deep.equal(before);
    await database.close();
  });
});

const failure = (code: string) => Object.assign(new Error(code), { code });

describe('a transaction that lost against another one', () => {
  /** Runs work that fails with each of the codes in turn and then succeeds. */
  async function run(codes: readonly string[]): Promise<{ tries: number; outcome: unknown }> {
    let tries = 0;
    const db = { transaction: (work: (trx: unknown) => unknown) => work({}) } as unknown as Knex;
    const work = async () => {
      const code = codes[tries++];
      if (code !== undefined) throw failure(code);
      return 'done';
    };
    const outcome = await retriedTransaction(db, work).catch((error: Error) => error.message);
    return { tries, outcome };
  }

  it('is repeated after a deadlock or a serialisation failure', async () => {
    expect(await run(['40P01', '40001'])).to.deep.equal({ tries: 3, outcome: 'done' });
  });

  it('runs at most five times', async () => {
    expect(await run(Array(9).fill('40P01'))).to.deep.equal({ tries: 5, outcome: '40P01' });
  });

  it('fails at once after any other failure', async () => {
    expect(await run(['23505'])).to.deep.equal({ tries: 1, outcome: '23505' });
  });
});
