import { expect } from 'chai';
import {
  addFetched,
  brandKeyOf,
  CollectionTakenError,
  endCollection,
  failCollection,
  planCollections,
  recentCollections,
  stateOf,
  takeCollection,
} from '../../../src/server/answers/collections.js';
import { emptyDatabase } from '../../support/database.js';
import { fresh } from '../../support/hooks.js';
import { load, market } from '../intake/dataset/support/load.js';

const DAY = '2026-11-20';
const at = (time: string) => new Date(`${DAY}T${time}:00Z`);
const NONE = { reason: null, calls: 4, costUsd: 0.5, assumedUsd: 0, answered: 3, missing: 1, waiting: 1 };

describe('the collections of a brand', () => {
  let brandKey: number;
  const database = fresh(emptyDatabase);
  beforeEach(async () => {
    await load(database.knex, market);
    brandKey = (await brandKeyOf(database.knex, { id: 'b' }))[0]!.brandKey;
  });

  const take = (journal: string, isForced = false, day = DAY) =>
    takeCollection(database.knex, {
      ...{ brandKey, day, journal, host: `host-of-${journal}`, now: at('04:00'), isForced },
    });
  const end = (outcome: 'complete' | 'incomplete' = 'incomplete') =>
    endCollection(database.knex, { brandKey, day: DAY, now: at('04:10'), outcome, ...NONE });
  const rows = () => recentCollections(database.knex, brandKey);
  const refused = async (work: Promise<void>) => {
    const error = await work.then(
      () => null,
      (failure: Error) => failure,
    );
    expect(error).to.be.instanceOf(CollectionTakenError);
    return error!.message;
  };

  it('belong to the journal that began the day, running or ended, unless another one takes it over', async () => {
    await take('one');
    expect(await refused(take('other'))).to.include(
      '2026-11-20 are collected by host-of-one, which has not ended, since 2026-11-20 04:00 UTC',
    );
    await take('one');
    await end();
    expect(await refused(take('other'))).to.not.include('has not ended');
    await take('other', false, '2026-11-21');
    await take('other', true);
    expect(await refused(take('one'))).to.include('host-of-other');
  });

  it('of many that begin at once one begins', async () => {
    const all = ['a', 'b', 'c', 'd'].map((journal) =>
      take(journal).then(
        () => journal,
        () => null,
      ),
    );
    const begun = (await Promise.all(all)).filter((journal) => journal !== null);
    expect(begun).to.have.length(1);
    expect((await rows()).map(({ journal }) => journal)).to.deep.equal(begun);
  });

  it('have what the day gave, and what was fetched later', async () => {
    await take('one');
    await end();
    expect((await rows())[0]).to.deep.include({
      day: DAY,
      outcome: 'incomplete',
      ...NONE,
      endedAt: at('04:10'),
    });
    await addFetched(database.knex, { brandKey, day: DAY, fetched: 1 });
    expect((await rows())[0]).to.deep.include({ outcome: 'complete', answered: 4, missing: 0, waiting: 0 });
  });

  it('that an error ended are failed, but not those that ended before', async () => {
    const fail = () =>
      failCollection(database.knex, {
        ...{ brandKey, day: DAY, now: at('04:05'), outcome: 'failed', reason: 'no space' },
      });
    await take('one');
    await fail();
    expect((await rows())[0]).to.include({ outcome: 'failed', reason: 'no space' });
    await take('one');
    expect((await rows())[0]).to.include({ outcome: null, reason: null, endedAt: null });
    await end('complete');
    await fail();
    expect((await rows())[0]!.outcome).to.equal('complete');
  });

  it('of a day whose runs came from elsewhere are noted, and any journal may go on with it', async () => {
    await end('complete');
    expect((await rows())[0]).to.include({ journal: '', outcome: 'complete' });
    await take('one');
    expect((await rows())[0]!.journal).to.equal('one');
  });

  it('are planned one at a time, for a reason in one line, and what passed is missed', async () => {
    const plan = (day: string, missed: string[] = [], reason: string | null = null) =>
      planCollections(database.knex, brandKey, {
        ...{
          next: { day, dueAt: new Date(`${day}T04:00:00Z`), reason, remedy: null },
          missed,
          now: at('05:00'),
        },
      });
    await plan('2026-11-21');
    const reason = 'The plan has two faults:\nA is not set.\nB has no key';
    await plan('2026-11-22', [], reason);
    expect((await rows()).map(({ day, outcome }) => [day, outcome])).to.deep.equal([['2026-11-22', null]]);
    expect(stateOf(await rows())).to.deep.include({
      last: null,
      obstacle: { reason: 'The plan has two faults: A is not set. B has no key', remedy: 'wait' },
    });
    await plan('2026-11-24', ['2026-11-22', '2026-11-23']);
    expect((await rows()).map(({ day, outcome, reason }) => [day, outcome, reason])).to.deep.equal([
      ['2026-11-24', null, null],
      ['2026-11-23', 'missed', null],
      ['2026-11-22', 'missed', reason],
    ]);
    // A day that was missed by a clock that was ahead.
    await plan('2026-11-22');
    expect((await rows()).find(({ day }) => day === '2026-11-22')!.outcome).to.equal(null);
  });

  it('that have begun are neither unplanned nor missed', async () => {
    await take('one');
    const next = { day: '2026-11-21', dueAt: at('12:00'), reason: null, remedy: null };
    await planCollections(database.knex, brandKey, { next, missed: [DAY], now: at('05:00') });
    const [planned, begun] = await rows();
    expect(begun).to.include({ day: DAY, journal: 'one', outcome: null });
    expect(stateOf([planned!, begun!])).to.deep.include({ last: begun, nextAt: at('12:00') });
  });
});
