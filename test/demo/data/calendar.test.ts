import { expect } from 'chai';
import fc from 'fast-check';
import {
  closingDay,
  dateText,
  dayOf,
  dayOfText,
  momentum,
  mondayOf,
  weeklySwing,
} from '../../../src/demo/data/calendar.js';

const anyDay = fc.integer({ min: dayOfText('2024-01-01'), max: dayOfText('2040-12-31') });

describe('the calendar of the demo', () => {
  it('converts days to dates and back', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(dayOfText(dateText(day))).to.equal(day);
      }),
    );
    expect(dayOf(new Date('2026-11-20T23:59:59.999Z'))).to.equal(dayOfText('2026-11-20'));
  });

  it('finds the Monday of a week', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const monday = mondayOf(day);
        expect(new Date(`${dateText(monday)}T00:00:00Z`).getUTCDay()).to.equal(1);
        expect(day - monday).to.be.within(0, 6);
      }),
    );
  });

  it('closes the archived brand on the last 10th day of a quarter that is at least three weeks ago', () => {
    expect(dateText(closingDay(dayOfText('2026-11-20')))).to.equal('2026-10-10');
    expect(dateText(closingDay(dayOfText('2026-10-30')))).to.equal('2026-07-10');
    expect(dateText(closingDay(dayOfText('2026-10-31')))).to.equal('2026-10-10');
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(day - closingDay(day)).to.be.within(21, 21 + 92);
      }),
    );
  });
});

describe('the trend of the demo', () => {
  it('keeps the momentum between 0 and 1, and increases it in the autumn of 2026', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(momentum(day)).to.be.within(0, 1);
      }),
    );
    expect(momentum(dayOfText('2026-11-20'))).to.be.above(momentum(dayOfText('2026-09-21')));
  });

  it('varies from week to week by at most a tenth', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(weeklySwing('Torvello', day)).to.be.within(0.9, 1.1);
        expect(Math.abs(weeklySwing('Torvello', day) - weeklySwing('Torvello', day + 1))).to.be.below(0.03);
      }),
    );
  });
});
