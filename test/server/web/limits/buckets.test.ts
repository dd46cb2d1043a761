import { expect } from 'chai';
import fc from 'fast-check';
import type { Lane } from '../../../../src/contract/keys.js';
import {
  type BucketState,
  batchedTakes,
  CAPACITY,
  databaseBuckets,
  dropFullBuckets,
  full,
  fullAt,
  memoryBuckets,
  type RateState,
  REFILL_PER_SECOND,
  refilled,
  remaining,
  retryAfter,
  type TakeTokens,
  take,
} from '../../../../src/server/web/limits/buckets.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';

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
  const database = fresh(emptyDatabase);

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

const bucket = fc.record({
  tokens: fc.double({ min: 0, max: CAPACITY, noNaN: true }),
  at: fc.double({ min: 0, max: 4e9, noNaN: true }),
});
const elapsed = fc.double({ min: 0, max: 1000, noNaN: true });

describe('a token bucket', () => {
  it('holds 120 tokens and refills two per second', () => {
    expect([CAPACITY, REFILL_PER_SECOND]).to.deep.equal([120, 2]);
    expect(refilled({ tokens: 10, at: 100 }, 100.25)).to.deep.equal({ tokens: 10.5, at: 100.25 });
    expect(refilled({ tokens: 119, at: 100 }, 200)).to.deep.equal({ tokens: 120, at: 200 });
  });

  it('grants exactly 120 requests at once when it is full', () => {
    let state: BucketState = full(7);
    const granted = Array.from({ length: 125 }, () => {
      const next = take(state, 7);
      state = next;
      return next.granted;
    });
    expect(granted.filter(Boolean)).to.have.lengthOf(120);
    expect(granted.lastIndexOf(true)).to.equal(119);
  });

  it('stays between 0 and its capacity, and its time never goes back', () => {
    fc.assert(
      fc.property(bucket, fc.double({ min: 0, max: 4e9, noNaN: true }), (state, now) => {
        const after = take(state, now);
        expect(after.tokens).to.be.within(0, CAPACITY);
        expect(after.at).to.equal(Math.max(state.at, now));
        expect(after.granted).to.equal(refilled(state, now).tokens >= 1);
      }),
    );
  });

  it('refills by the elapsed time, in any number of steps', () => {
    fc.assert(
      fc.property(bucket, elapsed, elapsed, (state, one, two) => {
        const inSteps = refilled(refilled(state, state.at + one), state.at + one + two);
        const atOnce = refilled(state, state.at + one + two);
        expect(inSteps.tokens).to.be.closeTo(atOnce.tokens, 1e-5);
      }),
    );
  });

  it('does not change when the clock goes back', () => {
    fc.assert(
      fc.property(bucket, elapsed, (state, back) => {
        expect(refilled(state, state.at - back)).to.deep.equal(state);
      }),
    );
  });

  it('does not change after a refusal', () => {
    expect(take({ tokens: 0.75, at: 10 }, 10)).to.deep.equal({ tokens: 0.75, at: 10, granted: false });
  });

  it('grants at most 120 plus two per second in any period', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 400 }), (waits) => {
        let state: BucketState = full(0);
        let [now, granted] = [0, 0];
        for (const wait of waits) {
          now += wait / 1000;
          const next = take(state, now);
          granted += next.granted ? 1 : 0;
          state = next;
        }
        expect(granted).to.be.at.most(CAPACITY + REFILL_PER_SECOND * now + 1e-6);
      }),
    );
  });

  it('grants a request after retryAfter, which is at least one whole second', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (tokens) => {
        const seconds = retryAfter({ tokens, at: 1000 });
        expect(seconds).to.equal(Math.max(1, Math.ceil(seconds)));
        expect(take({ tokens, at: 1000 }, 1000 + seconds).granted).to.equal(true);
      }),
    );
  });

  it('is full at fullAt and not a second before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: CAPACITY - 1 }),
        fc.integer({ min: 0, max: 4e9 }),
        (tokens, at) => {
          const state = { tokens, at };
          expect(refilled(state, fullAt(state)).tokens).to.equal(CAPACITY);
          expect(refilled(state, fullAt(state) - 1).tokens).to.be.below(CAPACITY);
        },
      ),
    );
    expect(fullAt({ tokens: CAPACITY, at: 10.2 })).to.equal(11);
  });

  it('grants only whole tokens', () => {
    expect([0, 0.99, 1, 119.5, 120].map((tokens) => remaining({ tokens, at: 0 }))).to.deep.equal([
      0, 0, 1, 119, 120,
    ]);
  });
});

const NOW = 1_800_000_000;

/** Buckets in memory that are taken from as the statement does it: all of the tokens or none. */
function store(initial: Readonly<Record<string, BucketState>> = {}) {
  const buckets = new Map(Object.entries(initial));
  const statements: { bucket: string; count: number }[][] = [];
  const takeTokens: TakeTokens = async (wanted) => {
    statements.push(wanted.map(({ bucket, count }) => ({ bucket, count })));
    return wanted.map(({ bucket, count }) => {
      const { tokens, at } = refilled(buckets.get(bucket) ?? full(NOW), NOW);
      const granted = tokens >= count;
      const state = { tokens: granted ? tokens - count : tokens, at, granted };
      buckets.set(bucket, state);
      return { bucket, ...state };
    });
  };
  return { buckets, statements, takeTokens };
}

/** The answers of single checks in the same order. */
function single(initial: Readonly<Record<string, BucketState>>, names: readonly string[]): RateState[] {
  const buckets = new Map(Object.entries(initial));
  return names.map((name) => {
    const state = take(buckets.get(name) ?? full(NOW), NOW);
    buckets.set(name, state);
    return state;
  });
}

const name = fc.constantFrom('a', 'b', 'c');
const state = fc.record({
  tokens: fc.oneof(fc.integer({ min: 0, max: CAPACITY }), fc.double({ min: 0, max: CAPACITY, noNaN: true })),
  at: fc.oneof(fc.constant(NOW), fc.double({ min: NOW - 90, max: NOW + 10, noNaN: true })),
});

describe('batched checks of buckets', () => {
  it('have the answers of single checks in the same order, to the last bit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, state),
        fc.array(fc.array(name, { maxLength: 160 }), { maxLength: 4 }),
        async (initial, turns) => {
          const takeOne = batchedTakes(store(initial).takeTokens);
          const answers: Promise<RateState>[] = [];
          for (const names of turns) {
            answers.push(...names.map(takeOne));
            await new Promise(setImmediate);
          }
          expect(await Promise.all(answers)).to.deep.equal(single(initial, turns.flat()));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('of one turn are one statement, and those that arrive meanwhile are the next one', async () => {
    const { statements, takeTokens } = store();
    let late: Promise<RateState>[] = [];
    const takeOne = batchedTakes(async (wanted) => {
      if (statements.length === 0) late = ['b', 'c', 'b'].map(takeOne);
      return takeTokens(wanted);
    });
    await Promise.all(['a', 'b', 'a', 'a'].map(takeOne));
    await Promise.all(late);
    expect(statements).to.deep.equal([
      [
        { bucket: 'a', count: 3 },
        { bucket: 'b', count: 1 },
      ],
      [
        { bucket: 'b', count: 2 },
        { bucket: 'c', count: 1 },
      ],
    ]);
  });

  it('never take more than a bucket holds while another server takes from it too', async () => {
    await fc.assert(
      fc.asyncProperty(
        state,
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 0, max: 300 }),
        async (initial, mine, theirs) => {
          const { takeTokens } = store({ key: initial });
          const servers = [batchedTakes(takeTokens), batchedTakes(takeTokens)];
          const checks = Array.from({ length: mine + theirs }, (_, nth) =>
            servers[nth < mine ? 0 : 1]!('key'),
          );
          const granted = (await Promise.all(checks)).filter((each) => each.granted);
          const held = Math.floor(refilled(initial, NOW).tokens);
          expect(granted).to.have.lengthOf(Math.min(held, mine + theirs));
        },
      ),
    );
  });

  it('that wait for a failing statement fail with its error; later ones are checked', async () => {
    const { takeTokens } = store();
    const failure = new Error('the database is away');
    let late: Promise<RateState> | undefined;
    let isAway = true;
    const takeOne = batchedTakes(async (wanted) => {
      if (!isAway) return takeTokens(wanted);
      isAway = false;
      late = takeOne('a');
      throw failure;
    });
    const outcomes = await Promise.allSettled(['a', 'b', 'a'].map(takeOne));
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).to.deep.equal([
      failure,
      failure,
      failure,
    ]);
    expect(await late).to.deep.equal({ tokens: CAPACITY - 1, at: NOW, granted: true });
    expect((await takeOne('a')).tokens).to.equal(CAPACITY - 2);
  });
});
