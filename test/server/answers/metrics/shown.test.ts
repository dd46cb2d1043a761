import { expect } from 'chai';
import { shownByDay, shownIn } from '../../../../src/server/answers/metrics/shown.js';

const WEEK = { start: '2026-11-14', end: '2026-11-20' };
const on = (day: number, shown: number, asked: number) => ({ day: `2026-11-${day}`, shown, asked });

describe('the share of runs that showed an answer', () => {
  it('is not measured where no run states its outcome', () => {
    expect(shownIn(WEEK, null)).to.equal(null);
    expect(shownByDay(WEEK, ['2026-11-14'], null)).to.equal(null);
  });

  it('is computed from the runs of the window, with the interval of a share', () => {
    // R = 20 / 40; days of 10 runs each vary by 2 around 5: V = 4 / 3 · 4 · (2 / 40)², and n = R(1 − R) / V · (z / t(3))² = 7.1.
    const days = [on(14, 7, 10), on(15, 3, 10), on(16, 7, 10), on(17, 3, 10)];
    expect(shownIn(WEEK, days)).to.deep.equal({
      shown_rate: 0.5,
      interval: [0.204, 0.796],
      asked_count: 40,
    });
  });

  it('has no interval on three days, and one up to 1 where every run showed an answer', () => {
    const all = [on(14, 5, 5), on(15, 5, 5), on(16, 5, 5)];
    expect(shownIn(WEEK, all)).to.deep.equal({ shown_rate: 1, interval: null, asked_count: 15 });
    const { interval } = shownIn(WEEK, [...all, on(17, 5, 5)])!;
    expect(interval![0]).to.be.within(0.6, 0.8);
    expect(interval![1]).to.equal(1);
  });

  it('has a point for each day, null where none was asked', () => {
    expect(shownByDay(WEEK, ['2026-11-14', '2026-11-15'], [on(14, 1, 3)])!.points).to.deep.equal([
      { date: '2026-11-14', shown_rate: 0.333, asked_count: 3 },
      { date: '2026-11-15', shown_rate: null, asked_count: 0 },
    ]);
  });
});
