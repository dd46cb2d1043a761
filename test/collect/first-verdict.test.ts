import { expect } from 'chai';
import { firstVerdictDay } from '../../src/collect/preview.js';
import { addDays } from '../../src/server/days.js';

describe('the first day with verdicts', () => {
  const TODAY = '2026-11-20';
  const ago = (...days: number[]) => new Set(days.map((count) => addDays(TODAY, -count)));

  it('is the eleventh of daily collections', () => {
    expect(firstVerdictDay(ago(0), TODAY)).to.equal(addDays(TODAY, 10));
    expect(firstVerdictDay(ago(0, 1, 2, 3), TODAY)).to.equal(addDays(TODAY, 7));
    expect(firstVerdictDay(ago(...Array(10).keys()), TODAY)).to.equal(addDays(TODAY, 1));
  });

  it('is past if both windows have four days', () => {
    expect(firstVerdictDay(ago(...Array(11).keys()), TODAY)).to.equal(null);
    expect(firstVerdictDay(ago(0, 2, 4, 6, 7, 9, 11, 13), TODAY)).to.equal(null);
  });

  it('does not count days that are too old, nor a today without answers', () => {
    expect(firstVerdictDay(ago(0, 30, 31, 32, 33), TODAY)).to.equal(addDays(TODAY, 10));
    expect(firstVerdictDay(ago(), TODAY)).to.equal(addDays(TODAY, 11));
  });
});
