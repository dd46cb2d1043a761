import { expect } from 'chai';
import fc from 'fast-check';
import {
  type BucketState,
  batchedTakes,
  CAPACITY,
  full,
  type RateState,
  refilled,
  type TakeTokens,
  take,
} from '../../../src/server/limits/buckets.js';

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
