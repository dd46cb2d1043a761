import { expect } from 'chai';
import fc from 'fast-check';
import type { Lane } from '../../../src/contract/keys.js';
import type { Database } from '../../../src/server/database/database.js';
import {
  CAPACITY,
  databaseBuckets,
  dropFullBuckets,
  memoryBuckets,
} from '../../../src/server/limits/buckets.js';
import { emptyDatabase } from '../../support/database.js';

const START = Date.parse('2026-11-20T12:00:00Z');

/** A request: milliseconds after the last one, lane, number of times, and whether it only reads the bucket. */
const step = fc.record({
  wait: fc.oneof(fc.constant(0), fc.integer({ min: -2000, max: 5000 }), fc.integer({ min: 0, max: 90_000 })),
  lane: fc.constantFrom<Lane>('reads', 'ingest'),
  key: fc.constantFrom('a', 'b'),
  times: fc.constantFrom(1, 1, 2, 45),
  peek: fc.boolean(),
});

describe('the token buckets', () => {
  let database: Database;
  beforeEach(async () => {
    database = await emptyDatabase();
  });
  afterEach(() => database.close());

  it('compute exactly the same in the database as in memory', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        let now = START;
        const clock = () => new Date(now);
        const [memory, shared] = [memoryBuckets(clock), databaseBuckets(database.knex, clock)];
        const prefix = `${++run}-`;
        for (const { wait, lane, key, times, peek } of steps) {
          now += wait;
          for (let i = 0; i < times; i++) {
            const ask = peek ? ('peek' as const) : ('take' as const);
            expect(await shared[ask](lane, prefix + key)).to.deep.equal(
              await memory[ask](lane, prefix + key),
            );
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  for (const store of ['memory', 'database'] as const) {
    it(`are independent for ingest and reads (${store})`, async () => {
      const clock = () => new Date(START);
      const buckets = store === 'memory' ? memoryBuckets(clock) : databaseBuckets(database.knex, clock);
      for (let i = 0; i < CAPACITY; i++) await buckets.take('ingest', 'key');
      expect((await buckets.take('ingest', 'key')).granted).to.equal(false);
      expect((await buckets.peek('reads', 'key')).tokens).to.equal(CAPACITY);
      expect((await buckets.take('reads', 'key')).granted).to.equal(true);
    });
  }

  it('never grant a token twice to concurrent requests', async () => {
    const clock = () => new Date(START);
    const instances = [databaseBuckets(database.knex, clock), databaseBuckets(database.knex, clock)];
    const takes = Array.from({ length: 140 }, (_, i) => instances[i % 2]!.take('reads', 'key'));
    const states = await Promise.all(takes);
    expect(states.filter((state) => state.granted)).to.have.lengthOf(CAPACITY);
  });

  it('of many keys at once are checked in one statement on the database', async () => {
    const buckets = databaseBuckets(database.knex, () => new Date(START));
    const keys = Array.from({ length: 40 }, (_, nth) => `key-${nth % 32}`);
    let statements = 0;
    const count = () => {
      statements++;
    };
    database.knex.on('query', count);
    const states = await Promise.all(keys.map((key) => buckets.take('reads', key)));
    database.knex.removeListener('query', count);
    expect(states.map(({ tokens }) => tokens)).to.deep.equal(
      keys.map((_, nth) => CAPACITY - (nth < 32 ? 1 : 2)),
    );
    expect(statements).to.equal(1);
  });

  describe('without a clock of the test', () => {
    const SystemDate = Date;
    afterEach(() => {
      globalThis.Date = SystemDate;
    });
    /** Shifts the clock of this process. `Date.now` stays, because the embedded database uses it. */
    const skew = (ms: number) => {
      globalThis.Date = class extends SystemDate {
        constructor(...of: [number]) {
          super(...(of.length > 0 ? of : ([SystemDate.now() + ms] as [number])));
        }
      } as DateConstructor;
    };
    const databaseTime = async (): Promise<number> => {
      const { rows } = await database.knex.raw(
        'select cast(extract(epoch from clock_timestamp()) as double precision) as now',
      );
      return rows[0].now;
    };

    it('use the clock of the database, not those of the servers', async () => {
      const buckets = databaseBuckets(database.knex);
      const begin = await databaseTime();
      const times: number[] = [];
      for (const ms of [3_600_000, -3_600_000, 0]) {
        skew(ms);
        const { at, granted } = await buckets.take('reads', 'key');
        times.push(at, (await buckets.peek('reads', 'key')).at, (await buckets.peek('reads', 'other')).at);
        expect(granted).to.equal(true);
      }
      expect(times).to.deep.equal([...times].sort((a, b) => a - b));
      expect(times[0]).to.be.at.least(begin);
      expect(times.at(-1)).to.be.at.most(await databaseTime());
    });

    it('are refilled on every server by the time of the database', async () => {
      const buckets = databaseBuckets(database.knex);
      for (let i = 0; i < CAPACITY; i++) await buckets.take('reads', 'key');
      await database.knex.raw('update rate_buckets set tokens = 0, at = at - 1');
      skew(-3_600_000);
      expect((await buckets.take('reads', 'key')).granted).to.equal(true);
    });

    it('are deleted when they are full', async () => {
      await databaseBuckets(database.knex).take('reads', 'key');
      await database.knex.raw('update rate_buckets set at = at - 1');
      await dropFullBuckets(database.knex, { now: null });
      expect((await database.knex.raw('select * from rate_buckets')).rows).to.deep.equal([]);
    });
  });

  it('do not change and get no row if they are only read', async () => {
    const buckets = databaseBuckets(database.knex, () => new Date(START));
    expect((await buckets.peek('reads', 'key')).tokens).to.equal(CAPACITY);
    const { rows } = await database.knex.raw('select * from rate_buckets');
    expect(rows).to.deep.equal([]);
  });

  it('are deleted when they are full, and others are kept', async () => {
    let now = START;
    const buckets = databaseBuckets(database.knex, () => new Date(now));
    await buckets.take('reads', 'early');
    now += 500;
    await buckets.take('reads', 'late');
    await dropFullBuckets(database.knex, { now: now / 1000 });
    const { rows } = await database.knex.raw('select bucket from rate_buckets');
    expect(rows).to.deep.equal([{ bucket: 'reads:late' }]);
    now += 3_600_000;
    await buckets.take('reads', 'third');
    const left = await database.knex.raw('select bucket from rate_buckets');
    expect(left.rows).to.deep.equal([{ bucket: 'reads:third' }]);
  });
});
