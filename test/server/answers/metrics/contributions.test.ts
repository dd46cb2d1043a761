import { expect } from 'chai';
import fc from 'fast-check';
import { measureNames, measureValue, type Sums } from '../../../../src/contract/measures.js';
import {
  type Cell,
  contributionsOf,
  countedContributions,
  largestRejected,
  sharesOf,
} from '../../../../src/server/answers/metrics/contributions.js';
import { NO_RUNS, NO_SUMS, type Sample } from '../../../../src/server/answers/metrics/samples.js';
import { isMoved, sampleOf } from './support/contributed.js';

/** The sums of a day that could be: each run mentions at most each of three entities once. */
const dayOfRuns = fc
  .record({
    runs: fc.integer({ min: 1, max: 40 }),
    present: fc.double({ min: 0, max: 1, noNaN: true }),
    others: fc.double({ min: 0, max: 2, noNaN: true }),
    weight: fc.double({ min: 0.2, max: 1, noNaN: true }),
    tones: fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)),
    citations: fc.nat(60),
    own: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ runs, tones, citations, own, ...rest }): Sums => {
    const present = Math.round(runs * rest.present);
    const [positive, neutral, negative] = tones.map((tone) => Math.min(tone, Math.floor(present / 3)));
    return {
      totals: { runs, citations, presences: present + Math.round(runs * rest.others) },
      entity: {
        ...{ present, positionSum: present, weightSum: Math.round(1e9 * present * rest.weight) },
        ...{ positive: positive!, neutral: neutral!, negative: negative! },
        citations: Math.round(citations * own),
      },
    };
  });

const windowOfCell = fc.array(dayOfRuns, { maxLength: 8 });
const someCells = fc
  .array(fc.record({ before: windowOfCell, after: windowOfCell }), { minLength: 1, maxLength: 8 })
  .map((cells): { cells: Cell[]; whole: Cell } => {
    const of = (when: 'before' | 'after') => sampleOf(cells.flatMap((cell) => cell[when]));
    return {
      cells: cells.map(({ before, after }) => ({ before: sampleOf(before), after: sampleOf(after) })),
      whole: { before: of('before'), after: of('after') },
    };
  });
const someMetric = fc.constantFrom(...measureNames);
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

describe('parts of a change: cells of runs', () => {
  it('sum to the difference of every metric, whatever the cells', () => {
    fc.assert(
      fc.property(someCells, someMetric, ({ cells, whole }, metric) => {
        const [before, after] = [measureValue(metric, whole.before), measureValue(metric, whole.after)];
        const found = contributionsOf(metric, whole, cells, true);
        expect(found === null).to.equal(before === null || after === null);
        if (found === null) return;
        const totals = found.map((each) => each?.total ?? 0);
        expect(sum(totals)).to.be.closeTo(after! - before!, 1e-9);
        for (const each of found) {
          if (each === null) continue;
          expect(each.total).to.equal(each.rate! + each.mix! + each.panel!);
          if (each.kind === 'both') expect(each.panel).to.equal(0);
          else expect([each.rate, each.mix, each.interval, each.verdict]).to.deep.equal([0, 0, null, null]);
        }
      }),
    );
  });

  it('have a verdict only with an interval that excludes 0, on the side of the rate', () => {
    fc.assert(
      fc.property(someCells, someMetric, ({ cells, whole }, metric) => {
        for (const each of contributionsOf(metric, whole, cells, true) ?? []) {
          if (each === null || !isMoved(each)) continue;
          const [low, high] = each.interval!;
          expect(each.verdict === 'up' ? low > 0 : high < 0).to.equal(true);
          expect(Math.sign(each.rate!)).to.equal(each.verdict === 'up' ? 1 : -1);
        }
      }),
    );
  });

  const runs = (present: number, of: number): Sums => ({
    totals: { runs: of, citations: 0, presences: present },
    entity: { ...NO_SUMS, present, weightSum: present * 1e9 },
  });
  const week = (present: number, of = 20, days = 7): Sample =>
    sampleOf(Array.from({ length: days }, (_, day) => runs(present + (day % 2), of)));
  const NOTHING = sampleOf([]);

  it('a single cell is all rate', () => {
    const cell = { before: week(10), after: week(4) };
    const [only] = contributionsOf('presence_rate', cell, [cell], true)!;
    expect(only).to.deep.include({ kind: 'both', mix: 0, panel: 0, verdict: 'down', weightBefore: 1 });
    expect(only!.rate).to.equal(only!.after! - only!.before!);
  });

  it('without answers in a window there are no parts', () => {
    const [is, none] = [week(10), NOTHING];
    expect(contributionsOf('visibility', { before: none, after: is }, [], true)).to.equal(null);
    expect(contributionsOf('visibility', { before: is, after: none }, [], true)).to.equal(null);
  });

  it('without a denominator in both windows a metric has no parts, and a cell is left out', () => {
    const cell = { before: week(10), after: week(4) };
    expect(contributionsOf('sentiment_index', cell, [cell], true)).to.equal(null);
    const none = { before: NOTHING, after: NOTHING };
    expect(contributionsOf('visibility', cell, [none, cell], true)![0]).to.equal(null);
  });

  it('without a domain there is no citation share, so it has no parts', () => {
    const cited = sampleOf([{ totals: { ...NO_RUNS, runs: 1, citations: 3 }, entity: NO_SUMS }], false);
    const cell = { before: cited, after: cited };
    expect(contributionsOf('citation_share', cell, [cell], true)).to.equal(null);
  });

  it('a new and a retired cell are panel parts without a verdict', () => {
    const [old, fresh] = [week(16), week(2)];
    const stays = { before: week(10), after: week(10) };
    const whole = {
      before: sampleOf([...stays.before.days, ...old.days]),
      after: sampleOf([...stays.after.days, ...fresh.days]),
    };
    const cells = [stays, { before: old, after: NOTHING }, { before: NOTHING, after: fresh }];
    const [same, retired, added] = contributionsOf('presence_rate', whole, cells, true)!;
    expect(same).to.deep.include({ kind: 'both', rate: 0, panel: 0, verdict: 'no_clear_change' });
    expect(retired).to.deep.include({ kind: 'retired', after: null, weightAfter: 0, verdict: null });
    expect(added).to.deep.include({ kind: 'new', before: null, weightBefore: 0, interval: null });
    expect(retired!.panel).to.be.lessThan(0);
    expect(added!.panel).to.be.lessThan(0);
  });

  it('a cell of three days is unknown, and its parts stay', () => {
    const cell = { before: week(10, 20, 3), after: week(2) };
    const [only] = contributionsOf('presence_rate', cell, [cell], true)!;
    expect(only).to.deep.include({ interval: null, verdict: 'unknown' });
    expect(only!.rate).to.be.lessThan(0);
  });

  it('where the prompts changed verdicts are unknown, and intervals stay', () => {
    const cell = { before: week(10), after: week(2) };
    const [only] = contributionsOf('presence_rate', cell, [cell], false)!;
    expect(only!.verdict).to.equal('unknown');
    expect(only!.interval![1]).to.be.lessThan(0);
  });
});

/** The counts of days in a row. */
const byDay = (numbers: readonly number[]) => new Map(numbers.map((count, ago) => [ago, count]));
const counts = (length: number) => fc.array(fc.nat(30), { minLength: length, maxLength: length });
const someCounts = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 })).chain(([a, b]) =>
  fc.record({
    before: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: a, maxLength: a }),
    after: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: b, maxLength: b }),
    related: fc.constantFrom(1, 7),
    cells: fc.array(fc.record({ before: counts(a), after: counts(b), isOwn: fc.boolean() }), {
      minLength: 1,
      maxLength: 8,
    }),
  }),
);

describe('parts of a change: who took it', () => {
  it('own and others sum to the difference of the share, and the cells to both', () => {
    fc.assert(
      fc.property(someCounts, ({ before, after, related, cells }) => {
        const windowOf = (runs: number[], when: 'before' | 'after') => ({
          related,
          runs: byDay(runs),
          own: sum(cells.filter(({ isOwn }) => isOwn).flatMap((cell) => cell[when])),
          all: sum(cells.flatMap((cell) => cell[when])),
        });
        const [then, now] = [windowOf(before, 'before'), windowOf(after, 'after')];
        const shares = sharesOf(then, now);
        expect(shares === null).to.equal(then.all === 0 || now.all === 0);
        if (shares === null) return;
        const difference = now.own / now.all - then.own / then.all;
        expect(shares.own + shares.others).to.be.closeTo(difference, 1e-9);
        const counted = cells.map((cell) => ({
          ...{ before: byDay(cell.before), after: byDay(cell.after), isOwn: cell.isOwn },
        }));
        for (const few of ['of runs', 'of citations'] as const) {
          const found = countedContributions(shares, then, now, counted, few, true);
          expect(sum(found.map(({ total }) => total))).to.be.closeTo(difference, 1e-9);
          const own = found.filter((_, at) => cells[at]!.isOwn);
          expect(sum(own.map(({ total }) => total))).to.be.closeTo(shares.own, 1e-9);
          for (const each of found.filter(isMoved)) {
            expect(each.verdict).to.equal(each.total > 0 ? 'up' : 'down');
            expect(each.interval!.every((bound) => bound * each.total > 0)).to.equal(true);
          }
        }
      }),
    );
  });

  it('one citation after none is no move', () => {
    const window = { related: 1, runs: byDay(Array(7).fill(16)) };
    const [then, now] = [
      { ...window, own: 0, all: 100 },
      { ...window, own: 3, all: 103 },
    ];
    const cell = { before: byDay([]), after: byDay([0, 1, 0, 1, 0, 1, 0]), isOwn: true };
    const [found] = countedContributions(sharesOf(then, now)!, then, now, [cell], 'of citations', true);
    expect(found!.verdict).to.equal('no_clear_change');
  });
});

describe('verdicts among many cells', () => {
  it('reject what the procedure of Benjamini and Hochberg rejects', () => {
    expect(largestRejected([])).to.equal(-1);
    expect(largestRejected([0.2])).to.equal(-1);
    expect(largestRejected([0.09])).to.equal(0.09);
    // The example of their paper, table 1, at q = 0.05: the four smallest of fifteen.
    const paper = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
      0.759, 1,
    ];
    expect(largestRejected(paper, 0.05)).to.equal(0.0095);
    // A smaller p-value that misses its own limit is rejected with a larger one that does not.
    expect(largestRejected([0.06, 0.07], 0.1)).to.equal(0.07);
  });
});
