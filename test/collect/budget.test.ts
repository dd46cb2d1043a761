import { expect } from 'chai';
import fc from 'fast-check';
import { Budget, costOf } from '../../src/collect/budget.js';

const NOTHING = { usd: 0, calls: 0 };
const charge = (kind = 'a', mostUsd: number | null = 0.5) => ({ kind, mostUsd });

describe('the budget of a collection', () => {
  it('grants as many calls of a constant cost as the limit pays, and no more', () => {
    const budget = new Budget({ maxUsd: 1, maxCalls: null }, NOTHING);
    let granted = 0;
    for (;;) {
      const reservation = budget.reserve([charge('a', 0.1)]);
      if (typeof reservation === 'string') break;
      reservation.spend('a', 0.1);
      granted++;
    }
    expect(granted).to.equal(10);
    expect(budget.spentUsd).to.be.closeTo(1, 1e-9);
  });

  it('counts what is reserved, and gives back what was not charged', () => {
    const budget = new Budget({ maxUsd: null, maxCalls: 2 }, { usd: 0, calls: 1 });
    const first = budget.reserve([charge()]);
    expect(budget.reserve([charge()])).to.equal('maxCalls');
    if (typeof first !== 'string') first.release();
    expect(budget.reserve([charge(), charge('b')])).to.equal('maxCalls');
    expect(budget.reserve([charge()])).not.to.equal('maxCalls');
  });

  it('a call whose cost is not stated costs what was reserved', () => {
    const budget = new Budget({ maxUsd: 1.2, maxCalls: null }, NOTHING);
    const first = budget.reserve([charge()]);
    if (typeof first !== 'string') first.spend('a', null);
    expect(budget.spentUsd).to.equal(0.5);
  });

  it('reserves the most that a call costs, or what one did cost if that was more, and reports what was not reserved', () => {
    const budget = new Budget({ maxUsd: 1.2, maxCalls: null }, NOTHING);
    const first = budget.reserve([charge()]);
    if (typeof first === 'string') return expect.fail();
    expect(first.grow('a', 0.3)).to.equal(true);
    expect(first.reservedUsd('a')).to.equal(0.5);
    expect(first.grow('a', 1.3)).to.equal(false);
    expect(first.spend('a', 0.6)).to.be.closeTo(0.1, 1e-12);
    const second = budget.reserve([charge()]);
    if (typeof second === 'string') return expect.fail();
    expect(second.reservedUsd('a')).to.equal(0.6);
    expect(budget.reserve([charge('b', 0.01)])).to.equal('maxUsd');
    expect(second.spend('a', 0.2)).to.equal(0);
  });

  it('calls at the same time never pass the limit, if none costs more than the most', () => {
    const property = fc.property(
      fc.array(fc.record({ cost: fc.double({ min: 0, max: 1, noNaN: true }), ends: fc.boolean() }), {
        maxLength: 60,
      }),
      fc.double({ min: 0, max: 5, noNaN: true }),
      (steps, maxUsd) => {
        const budget = new Budget({ maxUsd, maxCalls: 20 }, NOTHING);
        const open: (() => void)[] = [];
        for (const { cost, ends } of steps) {
          const reservation = budget.reserve([charge('a', 1)]);
          if (typeof reservation !== 'string') open.push(() => reservation.spend('a', cost));
          if (ends) open.shift()?.();
        }
        for (const end of open) end();
        expect(budget.spentUsd).to.be.at.most(maxUsd + 1e-6);
        expect(budget.calls).to.be.at.most(20);
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  it('the cost of a call is stated by the engine, or tokens and searches at their prices, or not known', () => {
    const prices = { inputUsdPerMtok: 2, outputUsdPerMtok: 10, callUsd: 0.01 };
    const usage = { input: 1000, output: 500, searches: 2, costUsd: null };
    expect(costOf(usage, prices, true)).to.be.closeTo(0.027, 1e-12);
    expect(costOf({ ...usage, searches: null }, prices, true)).to.be.closeTo(0.017, 1e-12);
    expect(costOf(usage, prices, false)).to.be.closeTo(0.007, 1e-12);
    expect(costOf({ ...usage, costUsd: 1 }, prices, true)).to.equal(1);
    expect(costOf({ ...usage, input: null }, prices, true)).to.equal(null);
    // A gateway charges nothing for a call by a key of one's own, which the vendor charges.
    expect(costOf({ ...usage, costUsd: 0 }, prices, true)).to.be.closeTo(0.027, 1e-12);
    expect(costOf({ ...usage, costUsd: 0 }, { ...prices, callUsd: null }, true)).to.equal(0);
    expect(costOf(usage, { ...prices, callUsd: null }, true)).to.equal(null);
  });
});
