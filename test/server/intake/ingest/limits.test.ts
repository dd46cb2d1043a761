import { expect } from 'chai';
import fc from 'fast-check';
import { RefusedError } from '../../../../src/server/base/errors.js';
import { createMemoryBudget, type Reservation } from '../../../../src/server/intake/ingest/limits.js';

const limits = { bodies: 6, bodiesPerKey: 4, bytes: 100, bytesPerKey: 60 };

/** A step: a body of a key begins with a stated length, a body grows to a length, or a body ends. */
const step = fc.oneof(
  fc.record({ begin: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ grow: fc.nat(20), bytes: fc.integer({ min: 0, max: 80 }) }),
  fc.record({ end: fc.nat(20) }),
);

describe('the memory for bodies', () => {
  it('never exceeds the limits, and is freed to the last byte', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = createMemoryBudget(limits);
        const held: { key: string; bytes: number; reservation: Reservation }[] = [];
        for (const each of steps) {
          try {
            if ('begin' in each) {
              const reservation = budget.reserve(each.begin, each.bytes);
              held.push({ key: each.begin, bytes: each.bytes, reservation });
            } else if ('grow' in each && held.length > 0) {
              const one = held[each.grow % held.length]!;
              one.reservation.grow(each.bytes);
              one.bytes = Math.max(one.bytes, each.bytes);
            } else if ('end' in each && held.length > 0) {
              held.splice(each.end % held.length, 1)[0]!.reservation.release();
            }
          } catch (error) {
            if (!(error instanceof RefusedError)) throw error;
          }
          const bytesOf = (some: typeof held) => some.reduce((sum, { bytes }) => sum + bytes, 0);
          expect(held.length).to.be.at.most(limits.bodies);
          expect(bytesOf(held)).to.be.at.most(limits.bytes);
          for (const key of ['a', 'b', 'c']) {
            const own = held.filter((one) => one.key === key);
            expect(own.length).to.be.at.most(limits.bodiesPerKey);
            expect(bytesOf(own)).to.be.at.most(limits.bytesPerKey);
          }
        }
        for (const { reservation } of held) reservation.release();
        budget.reserve('a', limits.bytesPerKey);
        budget.reserve('b', limits.bytes - limits.bytesPerKey);
      }),
    );
  });

  it('is refused with 503 and a Retry-After', () => {
    const budget = createMemoryBudget(limits);
    budget.reserve('a', 60);
    try {
      budget.reserve('a', 1);
      expect.fail();
    } catch (error) {
      expect((error as RefusedError).refusal).to.deep.equal({
        code: 'ingest_busy',
        status: 503,
        message: 'Too many log bodies are on their way. Nothing of this one was stored; retry after 5s.',
        headers: { 'Retry-After': '5' },
      });
    }
  });
});
