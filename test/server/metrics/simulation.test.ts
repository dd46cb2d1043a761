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
} from '../../../scripts/generate/simulated-panel.js';
import type { MeasureName } from '../../../src/contract/measures.js';
import { judge } from '../../../src/server/metrics/change.js';
import { intervalOf } from '../../../src/server/metrics/intervals.js';
import type { Sample } from '../../../src/server/metrics/samples.js';

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
