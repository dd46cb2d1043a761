import { expect } from 'chai';
import { FACT_CHECK_RUN } from '../../../src/contract/limits.js';
import type { Database } from '../../../src/server/database/database.js';
import {
  claimFactCheckSlot,
  endFactCheckRun,
  factCheckSlotOf,
  slotRefusal,
} from '../../../src/server/fact-check/slot.js';
import { emptyDatabase } from '../../support/database.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

/** A stored slot, by default an hour after its last run. */
const slot = (changes: object = {}) => ({
  brand_key: 1,
  holder: 'before',
  started_at: at(-3600),
  ended_at: at(-3590),
  lease_until: at(-3400),
  day: '2026-11-20',
  spent: 1,
  ...changes,
});

/** The stored slot, and the spent runs of the day after it is taken; null: it is refused. */
const cases: readonly (readonly [string, object | null, number | null])[] = [
  ['nothing', null, 1],
  ['a run that ended long ago', slot(), 2],
  ['a run that ended 4.9 seconds ago', slot({ ended_at: at(-4.9) }), null],
  ['a run that ended 5 seconds ago', slot({ ended_at: at(-5) }), 2],
  ['a run that began and failed 3 seconds ago', slot({ started_at: at(-3), ended_at: at(-3) }), null],
  ['a running check', slot({ started_at: at(-20), ended_at: null, lease_until: at(1) }), null],
  ['a lost run', slot({ started_at: at(-20), ended_at: null, lease_until: at(0), spent: 7 }), 7],
  ['a lost 24th run', slot({ started_at: at(-20), ended_at: null, lease_until: at(0), spent: 24 }), 24],
  ['23 runs of today', slot({ spent: 23 }), 24],
  ['24 runs of today', slot({ spent: 24 }), null],
  ['24 runs of yesterday', slot({ day: '2026-11-19', spent: 24 }), 1],
  ['a lost run of yesterday', slot({ day: '2026-11-19', ended_at: null, spent: 24 }), 1],
];

describe('the slot of a fact check', () => {
  let database: Database;
  beforeEach(async () => {
    database = await emptyDatabase();
  });
  afterEach(() => database.close());

  const claim = (holder = 'me') =>
    claimFactCheckSlot(database.knex, {
      brandKey: 1,
      holder,
      now: NOW,
      today: '2026-11-20',
      leaseUntil: at(100),
      rested: at(-FACT_CHECK_RUN.pauseSeconds),
    });
  const found = async () => (await factCheckSlotOf(database.knex, { brandKey: 1 }))[0];

  for (const [what, row, spent] of cases) {
    it(`${spent === null ? 'is refused' : `is taken, with ${spent} runs spent,`} after ${what}, by the check and by the statement`, async () => {
      if (row) await database.knex('fact_check_slots').insert(row);
      expect(slotRefusal(await found(), NOW) === null, 'words').to.equal(spent !== null);
      expect(await claim()).to.have.length(spent === null ? 0 : 1);
      if (spent !== null)
        expect(await found())
          .to.include({ spent })
          .and.deep.include({ endedAt: null });
    });
  }

  it('is taken by one of two concurrent claims', async () => {
    const claims = await Promise.all([claim('one'), claim('two')]);
    expect(claims.map(({ length }) => length).sort()).to.deep.equal([0, 1]);
  });

  it('is ended only by its holder, and only once', async () => {
    await claim();
    const end = (holder: string, spent: boolean) =>
      endFactCheckRun(database.knex, { brandKey: 1, holder, now: at(2), spent });
    await end('somebody', false);
    expect(await found()).to.deep.include({ endedAt: null, spent: 1 });
    await end('me', false);
    expect(await found()).to.deep.include({ endedAt: at(2), spent: 0 });
    await end('me', false);
    expect(await found()).to.include({ spent: 0 });
  });
});
