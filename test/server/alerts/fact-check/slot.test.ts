import { expect } from 'chai';
import { FACT_CHECK_RUN } from '../../../../src/contract/limits.js';
import { type Brand, findBrand } from '../../../../src/server/accounts/access.js';
import { createDirectory } from '../../../../src/server/accounts/directory.js';
import { createFactChecks } from '../../../../src/server/alerts/fact-check/fact-checks.js';
import {
  claimFactCheckSlot,
  endFactCheckRun,
  factCheckSlotOf,
  slotRefusal,
} from '../../../../src/server/alerts/fact-check/slot.js';
import type { RefusedError } from '../../../../src/server/base/errors.js';
import { createLog } from '../../../../src/server/base/log.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import {
  answers,
  type CheckedMarket,
  checkedMarket,
  knowledge,
  market,
  modelSettings,
  NOW,
} from './support/checked-market.js';
import { type Behaviour, completion, finds, sends } from './support/model-server.js';

const JUST_RAN = /^A fact check for this brand just ran\. Retry in (\d+)s\.$/;
const CAP = /daily cap reached \(24\/day\)/;

describe('run_fact_check: the slot', () => {
  let open: CheckedMarket;
  afterEach(() => open.close());

  /** Runs checks, each followed by the pause. */
  async function runs(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      await open.check({ force: true });
      open.later(FACT_CHECK_RUN.pauseSeconds);
    }
  }

  it('refuses the next run for five seconds, and states the remaining ones', async () => {
    open = await checkedMarket();
    await open.check();
    expect((await open.refusal({ force: true })).match(JUST_RAN)?.[1]).to.equal('5');
    open.later(4.2);
    expect((await open.refusal({ force: true })).match(JUST_RAN)?.[1]).to.equal('1');
    open.later(0.8);
    expect(await open.check({ force: true })).to.include({ ran: true });
  });

  it('does not prevent a fresh result without force', async () => {
    open = await checkedMarket();
    await open.check();
    expect(await open.check()).to.include({ ran: false, reason: 'fresh_result' });
  });

  it('refuses a second run during the first', async () => {
    open = await checkedMarket();
    let reply: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      open.model.behave((response, one) => {
        reply = () => finds([])(response, one);
        resolve();
      });
    });
    const running = open.check();
    await asked;
    open.later(20);
    expect((await open.refusal({ force: true })).match(JUST_RAN)?.[1]).to.equal('5');
    reply();
    expect(await running).to.include({ ran: true });
    // The pause also applies after the end of a run.
    open.later(4);
    expect((await open.refusal({ force: true })).match(JUST_RAN)?.[1]).to.equal('1');
  });

  it('belongs to one brand: another brand can run at the same time', async () => {
    const other = [
      { ...knowledge, brand: 'later' },
      { type: 'prompt', id: 'p1', brand: 'later', text: 'Which?', created_at: '2026-01-01T00:00:00Z' },
      { ...answers[0], brand: 'later', mentions: [{ name: 'Later', order: 1 }] },
    ];
    open = await checkedMarket({ records: [...market, knowledge, ...answers, ...other] });
    await open.check();
    expect(await open.check({ brand_id: 'later' })).to.include({ ran: true });
  });

  it('allows 24 runs a day, also with force, and begins again at midnight UTC; reads are not limited', async () => {
    open = await checkedMarket();
    await runs(FACT_CHECK_RUN.perDay);
    expect(await open.refusal({ force: true })).to.match(CAP);
    expect(await open.check()).to.include({ ran: false });
    expect(await open.server.read('/api/v1/fact-check?brand=acme')).to.have.property('fact_check').not.null;
    open.server.now = new Date('2026-11-21T00:00:00Z');
    expect(await open.check({ force: true })).to.include({ ran: true });
  });

  it('does not count runs without cost; two malformed replies have a cost', async () => {
    open = await checkedMarket();
    await runs(FACT_CHECK_RUN.perDay - 2);
    const unpaid: Behaviour[] = [sends({ error: 'busy' }, 429), (response) => response.destroy()];
    for (const behaviour of [...unpaid, ...unpaid]) {
      open.model.behave(behaviour);
      expect(await open.refusal({ force: true })).to.match(/does not count/);
      open.later(5);
    }
    open.model.behave(sends(completion('nonsense')));
    expect(await open.refusal({ force: true })).to.match(/This run counts/);
    open.later(5);
    open.model.behave(finds([]));
    await runs(1);
    expect(await open.refusal({ force: true })).to.match(CAP);
  });

  it('requires the pause after a failure too', async () => {
    open = await checkedMarket();
    open.model.behave(sends('no', 500));
    await open.refusal();
    expect(await open.refusal()).to.match(JUST_RAN);
  });

  it('is free again when a run of a stopped server must be over', async () => {
    open = await checkedMarket();
    await open.check();
    await open.server.database.knex('fact_check_slots').update({ ended_at: null });
    open.later(140);
    expect(await open.refusal({ force: true })).to.match(JUST_RAN);
    open.later(11);
    expect(await open.check({ force: true })).to.include({ ran: true });
  });

  it('is released by a server that stops during a check', async () => {
    open = await checkedMarket();
    const db = open.server.database.knex;
    const { baseUrl } = open.model;
    const asked = new Promise<void>((resolve) => open.model.behave(() => resolve()));
    const model = { ...modelSettings, baseUrl };
    const checks = createFactChecks({ db, clock: () => NOW, log: createLog('silent'), model });
    const access = await createDirectory(db, OPERATOR_KEY).identify(OPERATOR_KEY);
    const running = checks.run((await findBrand(db, access!, 'acme')) as Brand, false).catch(bodyOfError);
    await asked;
    await checks.stop();
    expect(await running).to.match(/^The server is stopping\. This run does not count/);
    const [slot] = await db('fact_check_slots').select();
    expect(slot).to.include({ spent: 0 }).and.have.property('ended_at').not.equal(null);
  });
});

const bodyOfError = (error: RefusedError): string => error.refusal.message;

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
  const database = fresh(emptyDatabase);

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
