import { expect } from 'chai';
import type { Knex } from 'knex';
import { retriedTransaction } from '../../../src/server/database/retry.js';

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
