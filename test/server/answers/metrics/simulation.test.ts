/**
 * Whether intervals and verdicts keep what they promise, on simulated panels of 30 prompts and 8 engines over 7 days. Beside
 * them the naive interval and test, which take every run for an independent draw. A panel asks the same prompts every day,
 * so without shocks the days differ less than independent draws would, and the naive test misses moves. With shocks
 * the days differ more, and it reports moves that did not happen.
 */
import { expect } from 'chai';
import {
  naiveChange,
  naiveInterval,
  type PanelSettings,
  simulatedPanel,
} from '../../../../scripts/generate/simulated-panel.js';
import type { MeasureName, Sums } from '../../../../src/contract/measures.js';
import { randomOf } from '../../../../src/demo/data/random.js';
import { judge } from '../../../../src/server/answers/metrics/change.js';
import { intervalOf } from '../../../../src/server/answers/metrics/intervals.js';
import {
  added,
  type MeasuredDay,
  NO_RUNS,
  NO_SUMS,
  type Sample,
  sampleOfDays,
} from '../../../../src/server/answers/metrics/samples.js';

const WEEKS = 1200;
/** A rise of the log odds that is hard to see. */
const LIFT = 0.18;
const METRICS = ['presence_rate', 'visibility'] as const;
const SAME = { currentRuns: 1, currentShared: 1, previousRuns: 1, previousShared: 1 };

const moved = (metric: MeasureName, current: Sample, previous: Sample): boolean =>
  judge(metric, { current, previous, panel: SAME, surfaces: [] }).verdict !== 'no_clear_change';

const inside = (bounds: readonly [number, number], value: number): boolean =>
  bounds[0] <= value && value <= bounds[1];

/** The share of weeks for which something holds, in percent. */
const percent = (weeks: readonly Sample[], holds: (week: Sample, before: Sample) => boolean): number =>
  (100 * weeks.filter((week, at) => holds(week, weeks.at(at - 1)!)).length) / weeks.length;

function simulated(settings: PanelSettings) {
  const panel = simulatedPanel(settings);
  const weeks = Array.from({ length: WEEKS }, () => panel.week());
  const lifted = weeks.slice(0, WEEKS / 3).map(() => panel.week(LIFT));
  const of = (metric: (typeof METRICS)[number]) => ({
    coverage: percent(weeks, (week) => inside(intervalOf(metric, week)!, panel.truth[metric])),
    falseAlarms: percent(weeks, (week, before) => moved(metric, week, before)),
    power: percent(lifted, (week) => moved(metric, week, weeks[lifted.indexOf(week)]!)),
  });
  const naive = {
    coverage: percent(weeks, (week) => inside(naiveInterval(week), panel.truth.presence_rate)),
    falseAlarms: percent(weeks, naiveChange),
    power: percent(lifted, (week) => naiveChange(week, weeks[lifted.indexOf(week)]!)),
  };
  return { metrics: METRICS.map(of), naive };
}

describe('metric: intervals and verdicts on simulated panels', () => {
  const without = simulated({ seed: 'without shocks', dayShock: 0 });

  const shocked = simulated({ seed: 'with shocks', dayShock: 0.15 });

  it('verdicts see a change in 3 to 8 % of weeks without one, with shocks and without', () => {
    for (const { falseAlarms } of [...without.metrics, ...shocked.metrics])
      expect(falseAlarms).to.be.within(3, 8);
  });

  it('95 % intervals cover the truth in 92 to 98 % of weeks', () => {
    const [share, visibility] = without.metrics;
    for (const { coverage } of [visibility!, ...shocked.metrics]) expect(coverage).to.be.within(92, 98);
    // The sample size of a share is at most its number of runs, so without shocks the interval is on the safe side.
    expect(share!.coverage).to.be.within(92, 99.5);
  });

  it('without shocks the naive interval is too wide, and the naive test misses moves that verdicts find', () => {
    const { metrics, naive } = without;
    expect(naive.coverage).to.be.above(97.5);
    expect(naive.falseAlarms).to.be.below(3);
    expect(metrics[0]!.power).to.be.above(naive.power + 5);
  });

  it('with shocks the naive interval is too narrow, and the naive test calls chance a change', () => {
    const { naive } = shocked;
    expect(naive.coverage).to.be.below(92);
    expect(naive.falseAlarms).to.be.above(8);
  });
});

interface LongWindow {
  readonly days: number;
  /** The correlation of the shocks of successive days. */
  readonly correlation: number;
  /** Of each five days, those that are asked. */
  readonly asked?: number;
}

/** Pairs of windows drawn of each setting. */
const PAIRS = 600;
const ANSWERS = 20;
const ENGINES = 10;
const SHOCK = 0.2;

/** Two windows and the day after, in which nothing changes but the shocks of days. */
function drawnDays(
  { days, correlation, asked = 5 }: LongWindow,
  { next }: ReturnType<typeof randomOf>,
): Sums[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const engines = Array.from({ length: ENGINES }, () => 0.4 * normal() - 0.4);
  let shock = normal();
  return Array.from({ length: 2 * days + 1 }, (_, day) => {
    shock = correlation * shock + Math.sqrt(1 - correlation ** 2) * normal();
    const answers = Array.from({ length: day % 5 < asked ? ANSWERS : 0 }, (_, at) => engines[at % ENGINES]!);
    const present = answers.filter((odds) => next() < 1 / (1 + Math.exp(-odds - SHOCK * shock))).length;
    return { totals: { ...NO_RUNS, runs: answers.length }, entity: { ...NO_SUMS, present } };
  });
}

const windowOf = (sums: readonly Sums[], from: number, days: number, related: number): Sample =>
  sampleOfDays(
    sums
      .slice(from, from + days)
      .map((each, at) => ({ ago: days - 1 - at, ...each }))
      .filter(({ totals }) => totals.runs > 0),
    { related, hasDomain: true },
  );

/** The same window with weeks in the place of days. */
function inWeeks({ days }: Sample): Sample {
  const weeks = new Map<number, MeasuredDay>();
  for (const day of days) {
    const ago = Math.floor(day.ago / 7);
    const week = weeks.get(ago);
    weeks.set(ago, { ago, ...(week ? added(week, day) : { totals: day.totals, entity: day.entity }) });
  }
  return sampleOfDays([...weeks.values()], { related: 1, hasDomain: true });
}

const verdictOf = (current: Sample, previous: Sample) =>
  judge('presence_rate', { current, previous, panel: SAME, surfaces: [] }).verdict;

/** The widths of intervals in percentage points: their median, and from the tenth to the ninetieth of a hundred. */
function widthsOf(windows: readonly Sample[]) {
  const widths = windows
    .map((each) => intervalOf('presence_rate', each)!)
    .map(([low, high]) => 100 * (high - low))
    .sort((a, b) => a - b);
  const at = (part: number) => widths[Math.floor(part * widths.length)]!;
  return { median: at(0.5), spread: at(0.9) - at(0.1) };
}

function simulatedLong(setting: LongWindow) {
  const { days } = setting;
  const random = randomOf(JSON.stringify(setting));
  const drawn = Array.from({ length: PAIRS }, () => {
    const sums = drawnDays(setting, random);
    const pairOf = (night: number, related: number) =>
      [windowOf(sums, days + night, days, related), windowOf(sums, night, days, related)] as const;
    const [tonight, tomorrow] = [verdictOf(...pairOf(0, 7)), verdictOf(...pairOf(1, 7))];
    return {
      window: pairOf(0, 7)[0],
      isAlarm: tonight !== 'no_clear_change',
      isConfirmed: tonight !== 'no_clear_change' && tonight === tomorrow,
      isAlarmUnrelated: verdictOf(...pairOf(0, 1)) !== 'no_clear_change',
    };
  });
  const part = (of: 'isAlarm' | 'isConfirmed' | 'isAlarmUnrelated') =>
    (100 * drawn.filter((each) => each[of]).length) / PAIRS;
  const windows = drawn.map(({ window }) => window);
  return {
    alarms: part('isAlarm'),
    confirmed: part('isConfirmed'),
    unrelated: part('isAlarmUnrelated'),
    widths: widthsOf(windows),
    weeks: widthsOf(windows.map(inWeeks)),
  };
}

describe('metric: related days on simulated windows of four and eight weeks', () => {
  for (const [setting, most] of [
    [{ days: 28, correlation: 0 }, 7],
    [{ days: 28, correlation: 0.5 }, 8],
    [{ days: 28, correlation: 0.8 }, 13],
    [{ days: 28, correlation: 0.5, asked: 3 }, 9],
    [{ days: 56, correlation: 0 }, 7],
    [{ days: 56, correlation: 0.5 }, 8],
    [{ days: 56, correlation: 0.8 }, 13],
  ] as const)
    it(`${JSON.stringify(setting)}: at most ${most} % of verdicts are false, fewer on two nights in a row`, () => {
      const { alarms, confirmed, unrelated, widths, weeks } = simulatedLong(setting);
      expect(alarms).to.be.within(2, most);
      expect(confirmed).to.be.below(alarms);
      if (setting.correlation === 0.8) expect(unrelated).to.be.above(1.3 * alarms);
      expect(widths.median).to.be.below(weeks.median);
      if (setting.days === 28) expect(widths.spread).to.be.below(0.75 * weeks.spread);
    });
});
