import { expect } from 'chai';
import { commonWork } from '../../../../src/server/answers/reads/common-work.js';
import type { Db } from '../../../../src/server/base/statement.js';

/** A database that notes what it is asked for, and fails while `fails` says so. */
function noting(fails: () => boolean = () => false) {
  const asked: string[] = [];
  const db: Db = {
    raw: (sql, bindings) => ({
      options: async () => {
        asked.push(`${sql} ${JSON.stringify(bindings)}`);
        if (fails()) throw new Error('gone');
        return { rows: [3, 1, 2] as never[] };
      },
    }),
  };
  return { db, asked };
}

const run = async (db: Db, sql: string, bindings = {}): Promise<number[]> =>
  (await db.raw(sql, bindings).options({})).rows;

describe('the reads of one page', () => {
  it('run a statement with the same values once, whichever of their connections has it', async () => {
    const [one, other] = [noting(), noting()];
    const common = commonWork();
    const rows = await Promise.all([
      run(common.of(one.db), 'a', { day: 1 }),
      run(common.of(other.db), 'a', { day: 1 }),
      run(common.of(other.db), 'a', { day: 2 }),
      run(common.of(one.db), 'b', { day: 1 }),
    ]);
    expect(rows).to.deep.equal([
      [3, 1, 2],
      [3, 1, 2],
      [3, 1, 2],
      [3, 1, 2],
    ]);
    expect(one.asked).to.deep.equal(['a {"day":1}', 'b {"day":1}']);
    expect(other.asked).to.deep.equal(['a {"day":2}']);
  });

  it('get a list each, which they may sort', async () => {
    const common = commonWork();
    const { db } = noting();
    (await run(common.of(db), 'a')).sort();
    expect(await run(common.of(db), 'a')).to.deep.equal([3, 1, 2]);
  });

  it('do not fail because another one was left: they run the statement themselves', async () => {
    const [left, here] = [noting(() => true), noting()];
    const common = commonWork();
    const [first, second] = await Promise.allSettled([
      run(common.of(left.db), 'a'),
      run(common.of(here.db), 'a'),
    ]);
    expect(first.status).to.equal('rejected');
    expect(second).to.deep.include({ status: 'fulfilled', value: [3, 1, 2] });
    expect(await run(common.of(here.db), 'a')).to.deep.equal([3, 1, 2]);
  });
});
