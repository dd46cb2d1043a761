import { expect } from 'chai';
import fc from 'fast-check';
import type { EntitySums, WindowSums } from '../../../../src/contract/measures.js';
import type { Surface } from '../../../../src/contract/surfaces.js';
import { changeOf, type SurfaceRuns } from '../../../../src/server/answers/metrics/change.js';
import {
  estimateRatio,
  intervalOf,
  wilsonInterval,
} from '../../../../src/server/answers/metrics/intervals.js';
import { NO_SUMS, sampleOf } from '../../../../src/server/answers/metrics/samples.js';
import { studentExceedance, studentQuantile } from '../../../../src/server/answers/metrics/student.js';
import { addDays, windowBefore, windowEnding } from '../../../../src/server/base/days.js';

const WEEK = windowEnding('2026-11-20');
const SAME_PANEL = { currentRuns: 10, currentShared: 10, previousRuns: 10, previousShared: 10 };

/** A sample of the days that end with the window, from the runs and the presences of each day. */
function sampleWith(
  days: readonly (readonly [runs: number, present: number])[],
  window = WEEK,
  hasDomain = true,
) {
  const dayOf = (at: number) => addDays(window.end, at + 1 - days.length);
  const totals = days.map(([runs, present], at): WindowSums & { day: string } => ({
    day: dayOf(at),
    runs,
    citations: 0,
    presences: present,
  }));
  const entity = days.map(([, present], at): [string, EntitySums] => [
    dayOf(at),
    { ...NO_SUMS, present, weightSum: 1e9 * present },
  ]);
  return sampleOf(window, totals, new Map(entity), hasDomain);
}

describe('metric: the quantile of Student’s distribution', () => {
  it('equals the printed tables', () => {
    const table = [
      [1, 12.7062],
      [2, 4.3027],
      [3, 3.1824],
      [4, 2.7764],
      [5, 2.5706],
      [6, 2.4469],
      [7, 2.3646],
      [10, 2.2281],
      [12, 2.1788],
      [25, 2.0595],
      [30, 2.0423],
      [52, 2.0066],
      [120, 1.9799],
      [1000, 1.9623],
    ] as const;
    for (const [df, value] of table) expect(studentQuantile(df), `df ${df}`).to.be.closeTo(value, 0.00006);
  });

  it('of degrees of freedom between whole numbers is exceeded with 5 %, as the density says', () => {
    for (const df of [3.006, 5.32, 8.5, 41.7]) {
      const value = studentQuantile(df);
      expect(studentExceedance(df, value)).to.be.closeTo(0.05, 1e-12);
      expect(value).to.be.within(studentQuantile(Math.ceil(df)), studentQuantile(Math.floor(df)));
    }
    // With 4 degrees of freedom by its closed form, and by an angle of 45 degrees with 3.
    expect(studentExceedance(4, 2)).to.be.closeTo(1 - (2 / Math.sqrt(8)) * (1 + 4 / 16), 1e-13);
    expect(studentExceedance(3, Math.sqrt(3))).to.be.closeTo(0.5 - 1 / Math.PI, 1e-13);
  });
});

describe('metric: an interval', () => {
  it('needs four days with a denominator', () => {
    const three = [
      [10, 4],
      [10, 5],
      [10, 6],
    ] as const;
    expect(intervalOf('presence_rate', sampleWith(three))).to.equal(null);
    expect(intervalOf('presence_rate', sampleWith([[10, 5], ...three]))).not.to.equal(null);
    // Two of the four days have no mention, so the share of voice has two days.
    const silent = sampleWith([
      [10, 0],
      [10, 0],
      [10, 5],
      [10, 4],
    ]);
    expect(intervalOf('visibility', silent)).not.to.equal(null);
    expect(intervalOf('share_of_voice_fraction', silent)).to.equal(null);
    expect(intervalOf('sentiment_index', silent)).to.equal(null);
  });

  it('at an end of the scale is not empty: two answers count as one draw, and a day as one at least', () => {
    const days = (runs: number, present: number) =>
      sampleWith(Array.from({ length: 7 }, () => [runs, present] as const));
    // z² / (350 + z²), and one minus it.
    expect(intervalOf('presence_rate', days(100, 0))).to.deep.equal([0, 0.011]);
    expect(intervalOf('presence_rate', days(100, 100))).to.deep.equal([0.989, 1]);
    expect(intervalOf('visibility', days(100, 0))).to.deep.equal([0, 1.1]);
    expect(intervalOf('visibility', days(100, 100))).to.deep.equal([98.9, 100]);
    // z² / (7 + z²).
    expect(intervalOf('presence_rate', days(1, 0))).to.deep.equal([0, 0.354]);
    expect(intervalOf('visibility', days(1, 0))).to.deep.equal([0, 35.4]);
  });

  it('of a share without variance takes every run for a draw, and never more', () => {
    const steady = sampleWith(Array.from({ length: 7 }, () => [10, 5] as const));
    expect(intervalOf('presence_rate', steady)).to.deep.equal([0.386, 0.614]);
  });

  it('contains the value and stays on the scale, and a share of some runs excludes 0 and 1', () => {
    const day = fc.integer({ min: 0, max: 40 }).chain((runs) => fc.tuple(fc.constant(runs), fc.nat(runs)));
    fc.assert(
      fc.property(fc.array(day, { minLength: 4, maxLength: 7 }), (days) => {
        const sums = days.map(([denominator, numerator], ago) => ({ ago, numerator, denominator }));
        const estimate = estimateRatio(sums, 1);
        const bounds = estimate && wilsonInterval(estimate);
        if (!estimate || !bounds) return;
        const [low, high] = bounds;
        expect(low).to.be.within(0, estimate.ratio + 1e-12);
        expect(high).to.be.within(estimate.ratio - 1e-12, 1);
        if (estimate.ratio > 0) expect(low).to.be.above(0);
        if (estimate.ratio < 1) expect(high).to.be.below(1);
        const scaled = intervalOf('visibility', sampleWith(days));
        if (scaled) expect(scaled.every((bound) => bound >= 0 && bound <= 100)).to.equal(true);
      }),
    );
  });

  it('needs 17 days in a row from 28 days on, at an end of the scale too, or four days a week apart', () => {
    const month = windowEnding('2026-11-20', 28);
    const daily = (count: number, present: number, window = month) =>
      sampleWith(
        Array.from({ length: count }, (_, at) => [10, present === 0 ? 0 : present + (at % 2)]),
        window,
      );
    for (const present of [0, 4]) {
      expect(intervalOf('presence_rate', daily(16, present))).to.equal(null);
      expect(intervalOf('visibility', daily(16, present))).to.equal(null);
      expect(intervalOf('presence_rate', daily(17, present))).not.to.equal(null);
      expect(intervalOf('presence_rate', daily(4, present, windowEnding('2026-11-20', 27)))).not.to.equal(
        null,
      );
    }
    const weekly = (weeks: number) =>
      sampleWith(
        Array.from({ length: 7 * weeks }, (_, at) => (at % 7 === 6 ? [10, at % 3] : [0, 0])),
        month,
      );
    expect(intervalOf('presence_rate', weekly(3))).to.equal(null);
    expect(intervalOf('presence_rate', weekly(4))).not.to.equal(null);
  });
});

/** Days of a window with some runs, or none, and what is counted in them. */
const someDays = (length: number) =>
  fc.array(
    fc.integer({ min: 0, max: 30 }).chain((runs) => fc.tuple(fc.constant(runs), fc.nat(runs))),
    { minLength: length, maxLength: length },
  );
const ratiosOf = (days: readonly (readonly [number, number])[], apart = 1) =>
  days.map(([denominator, numerator], at) => ({ ago: apart * at, numerator, denominator }));

describe('metric: the variance of related days', () => {
  it('of days that are not related is that of clusters, bit by bit', () => {
    fc.assert(
      fc.property(someDays(20), (days) => {
        const found = estimateRatio(ratiosOf(days), 1);
        const measured = days.filter(([runs]) => runs > 0);
        if (measured.length < 2) return;
        const runs = measured.reduce((sum, [each]) => sum + each, 0);
        const ratio = measured.reduce((sum, [, present]) => sum + present, 0) / runs;
        const squares = measured.reduce((sum, [y, x]) => sum + ((x - ratio * y) / runs) ** 2, 0);
        const count = measured.length;
        expect(found!.variance).to.equal((count / (count - 1)) * squares);
        expect(found!.freedom).to.equal(count - 1);
      }),
    );
  });

  it('of a panel that is asked once a week is the same', () => {
    fc.assert(
      fc.property(someDays(8), (days) => {
        const [related, alone] = [7, 1].map((within) => estimateRatio(ratiosOf(days, 7), within));
        if (alone === null || alone!.days.length < 2) return;
        expect(related!.variance).to.be.closeTo(alone!.variance, 1e-15);
        expect(related!.freedom).to.equal(alone!.freedom);
      }),
    );
  });

  it('is that of the weights of Bartlett, is never below 0, and does not depend on the direction of time', () => {
    fc.assert(
      fc.property(someDays(56), (days) => {
        const sums = ratiosOf(days);
        const found = estimateRatio(sums, 7);
        const measured = sums.filter(({ denominator }) => denominator > 0);
        if (measured.length < 2) return;
        const [runs, present] = (['denominator', 'numerator'] as const).map((part) =>
          measured.reduce((sum, each) => sum + each[part], 0),
        );
        const residual = (each: (typeof sums)[number]) =>
          (each.numerator - (present! / runs!) * each.denominator) / runs!;
        let [products, weights, squares] = [0, 0, 0];
        for (const one of measured)
          for (const other of measured) {
            const weight = Math.max(0, 1 - Math.abs(one.ago - other.ago) / 7);
            products += weight * residual(one) * residual(other);
            weights += weight;
            squares += weight ** 2;
          }
        const count = measured.length;
        expect(found!.variance).to.be.closeTo(Math.max(0, products / (1 - weights / count ** 2)), 1e-12);
        expect(found!.freedom).to.be.closeTo(count ** 2 / squares - 1, 1e-9);
        expect(found!.variance).to.be.at.least(0);
        const reversed = estimateRatio(ratiosOf(days.toReversed()), 7);
        expect(reversed!.variance).to.be.closeTo(found!.variance, 1e-12);
      }),
    );
  });
});

describe('metric: a change', () => {
  const before = windowBefore(WEEK);
  const flat = (present: number, window = WEEK) =>
    sampleWith(
      [
        [10, present - 1],
        [10, present],
        [10, present + 1],
        [10, present],
      ],
      window,
    );
  const change = (now: number, then: number, panel = SAME_PANEL, surfaces: SurfaceRuns[] = []) =>
    changeOf('presence_rate', { current: flat(now), previous: flat(then, before), panel, surfaces });

  it('is up or down beyond chance, else not clear', () => {
    expect(change(6, 3)).to.deep.equal({
      previous: 0.3,
      delta: 0.3,
      difference: 0.3,
      verdict: 'up',
      reason: null,
      reason_fact: null,
    });
    expect(change(3, 6)).to.deep.equal({
      previous: 0.6,
      delta: -0.3,
      difference: -0.3,
      verdict: 'down',
      reason: null,
      reason_fact: null,
    });
    expect(change(4, 4)).to.include({ delta: 0, verdict: 'no_clear_change' });
    expect(change(5, 4)).to.include({ delta: 0.1, verdict: 'no_clear_change', reason: null });
  });

  it('is unknown with few days, and says how many there are', () => {
    const few = sampleWith([[10, 3]], before);
    const comparison = { current: flat(5), previous: few, panel: SAME_PANEL, surfaces: [] };
    expect(changeOf('presence_rate', comparison)).to.deep.equal({
      previous: 0.3,
      delta: 0.2,
      difference: 0.2,
      verdict: 'unknown',
      reason: 'Measured on 4 days of this window and 1 of the one before; a verdict needs 4 of each.',
      reason_fact: { code: 'too_few_days', measured: 4, measured_before: 1, least: 4 },
    });
    const { reason, previous, delta } = changeOf('sentiment_index', comparison);
    expect([previous, delta, reason]).to.deep.equal([
      null,
      null,
      'Measured on 0 days of this window and 0 of the one before; a verdict needs 4 of each.',
    ]);
  });

  it('from 28 days on needs 17 days in a row of both windows, and says how many are missing', () => {
    const month = windowEnding('2026-11-20', 28);
    const daily = (count: number, of = month, apart = 1) =>
      sampleWith(
        Array.from({ length: (count - 1) * apart + 1 }, (_, at) => (at % apart === 0 ? [10, 3] : [0, 0])),
        of,
      );
    const reasonOf = (now: number, then: number, apart = 1) =>
      changeOf('presence_rate', {
        current: daily(now, month, apart),
        previous: daily(then, windowBefore(month), apart),
        panel: SAME_PANEL,
        surfaces: [],
      }).reason;
    expect(reasonOf(17, 17)).to.equal(null);
    expect(reasonOf(28, 12)).to.equal(
      'Measured on 28 days of this window and 12 of the one before; a verdict needs 5 more of the one before.',
    );
    expect(reasonOf(1, 16)).to.equal(
      'Measured on 1 day of this window and 16 of the one before; a verdict needs 16 more of this window and 1 more of the one before.',
    );
    expect(reasonOf(4, 3, 7)).to.equal(
      'Measured on 4 days of this window and 3 of the one before; a verdict needs 1 more of the one before.',
    );
  });

  it('is unknown when the prompts changed, from less than half on', () => {
    expect(change(6, 3, { ...SAME_PANEL, currentShared: 5 }).verdict).to.equal('up');
    expect(change(6, 3, { ...SAME_PANEL, previousShared: 5 }).verdict).to.equal('up');
    for (const panel of [
      { ...SAME_PANEL, currentShared: 4 },
      { ...SAME_PANEL, previousShared: 4 },
    ]) {
      const { verdict, reason } = change(6, 3, panel);
      expect(verdict).to.equal('unknown');
      expect(reason).to.match(/^The prompts changed: .* (40 %.*100 %|100 %.*40 %)/);
    }
  });

  it('is unknown when the part of a surface moved by more than 20 points, whatever the other runs are', () => {
    // Each window has 40 runs.
    const moved = (...rows: [surface: Surface, runs: number, previousRuns: number][]) =>
      change(
        6,
        3,
        SAME_PANEL,
        rows.map(([surface, runs, previousRuns]) => ({ surface, runs, previousRuns })),
      );
    expect(moved(['api', 32, 40], ['ui', 8, 0])).to.include({ verdict: 'up' });
    expect(moved(['api', 31, 40], ['ui', 9, 0])).to.include({
      verdict: 'unknown',
      reason:
        'The surfaces changed: api makes up at most 78 % of the runs of this window and at least 100 % of the one before; a verdict needs shares that differ by at most 20 points.',
    });
    expect(moved(['ui', 40, 20], ['serp', 0, 20]).reason).to.match(
      /: ui makes up at least 100 % .* at most 50 %/,
    );
    // Runs that state none may be of any surface.
    expect(moved(['ui', 40, 0])).to.include({ verdict: 'up' });
    expect(moved(['ui', 40, 1], ['api', 0, 8])).to.include({ verdict: 'up' });
    expect(moved(['ui', 40, 1], ['api', 0, 9])).to.include({ verdict: 'unknown' });
  });

  it('of the citations of an entity without a domain is unknown, and says so', () => {
    const [current, previous] = [WEEK, before].map((window) => sampleWith([[10, 3]], window, false));
    const of = changeOf('citation_share', {
      current: current!,
      previous: previous!,
      panel: SAME_PANEL,
      surfaces: [],
    });
    expect(of).to.include({
      verdict: 'unknown',
      reason: 'No domain is known, so no citation can be counted as its own.',
    });
  });
});
