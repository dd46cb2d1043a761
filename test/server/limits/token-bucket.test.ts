import { expect } from 'chai';
import fc from 'fast-check';
import {
  type BucketState,
  CAPACITY,
  full,
  fullAt,
  REFILL_PER_SECOND,
  refilled,
  remaining,
  retryAfter,
  take,
} from '../../../src/server/limits/buckets.js';

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
