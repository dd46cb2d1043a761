import { expect } from 'chai';
import { longDay } from '../../../../src/contract/day-words.js';
import { collectionMoves } from '../../../../src/server/alerts/moves/collections.js';
import { scopesOf } from '../../../../src/server/alerts/moves/history.js';
import { replayedMoves } from '../../../../src/server/alerts/moves/tell.js';
import type { Collection } from '../../../../src/server/answers/collections.js';
import {
  endCollection,
  failCollection,
  planCollections,
  takeCollection,
} from '../../../../src/server/answers/collections.js';
import { addDays, everyDayOf } from '../../../../src/server/base/days.js';
import { tellAllMoves } from '../../../../src/server/run/nightly.js';
import { fresh } from '../../../support/hooks.js';
import { market, marketServer } from '../../answers/reads/support/market-server.js';
import { runsOn } from './support/runs.js';

const NIGHTS = { start: '2026-11-01', end: '2026-11-19' };

const rowOf = (day: string, fields: Partial<Collection> = {}): Collection => ({
  day,
  dueAt: new Date(`${day}T04:00:00Z`),
  journal: 'j',
  host: 'h',
  startedAt: new Date(`${day}T04:00:00Z`),
  endedAt: new Date(`${day}T04:10:00Z`),
  outcome: 'complete',
  reason: null,
  remedy: null,
  ...{ calls: 2, costUsd: 1, assumedUsd: 0, answered: 20, missing: 0, waiting: 0 },
  ...fields,
});
const daysTo = (end: string, start = '2026-10-01') => everyDayOf({ start, end });
const runsOfDays = (days: readonly string[]) =>
  scopesOf(
    days.map((day) => ({ day, engine: 'chatgpt', runs: 20, citations: 0 })),
    [],
  );

/** What is told of some days. @param answered The days with answers. */
const told = (rows: readonly Collection[], answered: readonly string[] = [], nights = NIGHTS) =>
  collectionMoves({ scopes: runsOfDays(answered) }, rows, nights).map(({ kind, day }) => [kind, day]);

describe('collections that are told', () => {
  it('are those that failed, were cut by a limit, stopped or missed, on the day after', () => {
    for (const outcome of ['incomplete', 'stopped', 'failed'] as const)
      expect(told([rowOf('2026-11-18'), rowOf('2026-11-19', { outcome })])).to.deep.equal([
        ['collection_incomplete', '2026-11-19'],
      ]);
    const missed = rowOf('2026-11-19', { outcome: 'missed', journal: null });
    expect(told([missed])).to.deep.equal([['collection_missed', '2026-11-19']]);
    const planned = { ...missed, outcome: null };
    expect(told([planned])).to.deep.equal([['collection_missed', '2026-11-19']]);
  });

  it('are told a day later while answers may come', () => {
    for (const fields of [{ outcome: 'incomplete', waiting: 3 } as const, { outcome: null, endedAt: null }]) {
      expect(told([rowOf('2026-11-19', fields)])).to.deep.equal([]);
      expect(told([rowOf('2026-11-18', fields)])).to.deep.equal([['collection_incomplete', '2026-11-18']]);
    }
  });

  it('are told once while they fail alike, and again when one is complete', () => {
    const failed = ['2026-11-10', '2026-11-12', '2026-11-14'];
    const rows = [...failed.map((day) => rowOf(day, { outcome: 'failed' })), rowOf('2026-11-16')];
    expect(told([rowOf('2026-11-08'), ...rows, rowOf('2026-11-18')])).to.deep.equal([
      ['collection_incomplete', '2026-11-10'],
      ['collection_completed', '2026-11-16'],
    ]);
  });

  it('are not the days between those of a schedule, though answers came every day before it', () => {
    const daily = daysTo('2026-11-09');
    const rows = ['2026-11-10', '2026-11-12', '2026-11-14', '2026-11-16', '2026-11-18'].map((day) =>
      rowOf(day),
    );
    expect(told(rows, [...daily, ...rows.map(({ day }) => day)])).to.deep.equal([]);
    // Without the notes the rhythm of the days before says that answers are missing.
    expect(told([], [...daily, ...rows.map(({ day }) => day)])).to.deep.equal([
      ['collection_missed', '2026-11-11'],
      ['collection_completed', '2026-11-12'],
      ['collection_missed', '2026-11-13'],
      ['collection_completed', '2026-11-14'],
      ['collection_missed', '2026-11-15'],
    ]);
  });

  it('are complete where the plan says so, though an engine was taken out of it', () => {
    const days = daysTo('2026-11-19');
    const scopes = scopesOf(
      days.flatMap((day) => [
        { day, engine: 'chatgpt', runs: 20, citations: 0 },
        ...(day < '2026-11-15' ? [{ day, engine: 'gemini', runs: 20, citations: 0 }] : []),
      ]),
      [],
    );
    // Nor is it complete again when the engine is not expected any more.
    expect(collectionMoves({ scopes }, [], NIGHTS).map(({ kind, day }) => [kind, day])).to.deep.equal([
      ['collection_incomplete', '2026-11-15'],
    ]);
    expect(
      collectionMoves(
        { scopes },
        days.map((day) => rowOf(day)),
        NIGHTS,
      ),
    ).to.deep.equal([]);
  });

  it('of a brand that is imported by hand need a rhythm of twelve of fourteen days', () => {
    const sparse = daysTo('2026-11-12').filter((_, at) => at % 3 !== 0);
    expect(told([], sparse)).to.deep.equal([]);
    expect(told([rowOf('2026-11-05', { dueAt: null, journal: '' })], sparse)).to.deep.equal([]);
    expect(told([], daysTo('2026-11-12'))).to.deep.equal([['collection_missed', '2026-11-13']]);
  });
});

describe('a schedule that is not kept', () => {
  const DAY = '2026-11-18';
  const server = fresh(() => marketServer(new Date(`${DAY}T12:00:00Z`)));
  beforeEach(async () => {
    await server.collect(...runsOn('2026-11-17', 12));
  });

  const db = () => server.database.knex;
  const until = (day: string, time = '00:05') => {
    server.now = new Date(`${day}T${time}:00Z`);
  };
  const night = () => tellAllMoves(db(), null, server.now);
  const sentences = async () => {
    const { rows } = await db().raw('select type, data from events order by at, id');
    return rows.map(({ type, data }: { type: string; data: { sentence: string } }) => [type, data.sentence]);
  };
  const take = (day: string) =>
    takeCollection(db(), {
      ...{ brandKey: 1, day, journal: 'j', host: 'h', now: server.now, isForced: false },
    });
  const ending = { calls: 5, costUsd: 1, assumedUsd: 0, answered: 7, waiting: 0 };

  it('is told in the night after, with the reason, and once', async () => {
    await take(DAY);
    const reason = '3 runs of the plan are missing: max_usd of [schedule] has no room for another call.';
    await endCollection(db(), {
      ...{ brandKey: 1, day: DAY, now: server.now, outcome: 'incomplete', reason, missing: 3 },
      ...ending,
    });
    await night();
    expect(await sentences()).to.deep.equal([]);
    until(addDays(DAY, 1));
    await night();
    await night();
    expect(await sentences()).to.deep.equal([
      ['collection.incomplete', `The collection of ${longDay(DAY)} is incomplete: ${reason}`],
    ]);
  });

  it('is told as a failure and as a day without a collection, and when it is kept again', async () => {
    await take(DAY);
    const failure = { brandKey: 1, day: DAY, now: server.now, outcome: 'failed', reason: 'no room' } as const;
    await failCollection(db(), failure);
    until(addDays(DAY, 1));
    await night();
    until(addDays(DAY, 2));
    const [missed, next] = [
      addDays(DAY, 1),
      { day: addDays(DAY, 2), dueAt: server.now, reason: null, remedy: null },
    ];
    await planCollections(db(), 1, { next, missed: [missed], now: server.now });
    await night();
    await take(next.day);
    await server.load([...market, ...runsOn(next.day, 12)]);
    await endCollection(db(), {
      ...{ brandKey: 1, day: next.day, now: server.now, outcome: 'complete', reason: null, missing: 0 },
      ...ending,
      answered: 20,
    });
    until(addDays(DAY, 3));
    await night();
    expect(await sentences()).to.deep.equal([
      ['collection.incomplete', `The collection of ${longDay(DAY)} failed: no room.`],
      ['collection.incomplete', `The collection of ${longDay(missed)} did not happen.`],
      ['collection.completed', `The collection is complete again: 20 answers of ${longDay(next.day)}.`],
    ]);
    const replayed = await replayedMoves(db(), 1, { start: DAY, end: next.day });
    expect(replayed.map((each) => each.night)).to.deep.equal([1, 2, 3].map((days) => addDays(DAY, days)));
  });

  it('tells nothing twice after a clock that was set forward and back', async () => {
    until(addDays(DAY, 5));
    const days = everyDayOf({ start: DAY, end: addDays(DAY, 4) });
    await planCollections(db(), 1, { next: null, missed: days, now: server.now });
    await night();
    expect(await sentences()).to.have.length(1);
    for (let day = 0; day < 12; day++) {
      until(addDays(DAY, day), '12:00');
      await take(addDays(DAY, day));
      await endCollection(db(), {
        ...{ brandKey: 1, day: addDays(DAY, day), now: server.now, outcome: 'complete', reason: null },
        ...{ ...ending, missing: 0 },
      });
      await night();
    }
    expect((await sentences()).filter(([type]: [string]) => type === 'collection.incomplete')).to.have.length(
      1,
    );
  });
});
