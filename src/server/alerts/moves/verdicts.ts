/** The verdicts of one night: which metrics of a brand moved, among all that were looked at. Without database and clock. */
import { type MeasureName, measureNames, measureValue, scaleOf } from '../../../contract/measures.js';
import { type Direction, LEAST_SAME_PROMPTS, MOVE_WINDOWS } from '../../../contract/moves.js';
import { isMostlyAsked } from '../../../contract/waterfall.js';
import {
  type DifferenceTest,
  directionOf,
  isClear,
  isOtherPanel,
  pValueOf,
  radiusOf,
  surfaceMovedIn,
  testOf,
} from '../../answers/metrics/change.js';
import { contributionsOf, FALSE_DISCOVERIES, largestRejected } from '../../answers/metrics/contributions.js';
import type { Sample } from '../../answers/metrics/samples.js';
import { crossedGap } from '../../answers/sums/name-gaps.js';
import type { TrackedEntity } from '../../answers/sums/tracked-entities.js';
import { everyDayOf, type Window, windowBefore, windowEnding } from '../../base/days.js';
import { engineCells, enginesOf, type History, type Scope, sampleIn } from './history.js';

/** What may move: a metric of the brand, or the share of voice of a competitor. */
interface Series {
  readonly metric: MeasureName;
  readonly entity: TrackedEntity;
  readonly scope: Scope;
  readonly days: (typeof MOVE_WINDOWS)[number];
}

/** A series that moved between two windows. */
export interface Held extends Series {
  /** The only engine of a blended series, whose own series is equal to it; null: the series has several engines. */
  readonly onlyEngine: Scope;
  readonly direction: Direction;
  readonly window: Window;
  readonly before: number;
  readonly after: number;
  /** The interval of the difference, in the unit of the metric. */
  readonly interval: readonly [number, number];
  readonly p: number;
}

/** All verdicts of a night. */
export interface Verdicts {
  /** The verdicts that hold. */
  readonly held: readonly Held[];
  /** The p-values of all other tests of the same family. */
  readonly others: readonly number[];
}

interface Tested extends Series {
  readonly onlyEngine: Scope;
  readonly window: Window;
  readonly prior: Window;
  readonly current: Sample;
  readonly previous: Sample;
  readonly test: DifferenceTest;
  readonly p: number;
}

const COMPETITORS_METRIC = 'share_of_voice_fraction';

/**
 * The verdicts that hold on windows that end on a day, under one control of false discoveries (Y. Benjamini, Y. Hochberg,
 * 1995). A metric whose prompts, engines or surfaces changed instead of its answers has no verdict, and is not in the family.
 * @param falseDiscoveries The part of wrong verdicts that is accepted; infinite: no control.
 */
export async function verdictsOn(
  history: History,
  end: string,
  falseDiscoveries = FALSE_DISCOVERIES,
): Promise<Verdicts> {
  const tested = MOVE_WINDOWS.flatMap((days) => testsOf(history, end, days));
  const judged: Tested[] = [];
  for (const each of tested) if (!isClear(each.test) || (await isOfAnswers(history, each))) judged.push(each);
  const rejected = largestRejected(
    judged.map(({ p }) => p),
    falseDiscoveries,
  );
  const isHeld = ({ test, p }: Tested) => isClear(test) && p <= rejected;
  return {
    held: judged.filter(isHeld).map(heldOf),
    others: judged.filter((each) => !isHeld(each)).map(({ p }) => p),
  };
}

const heldOf = ({
  test,
  current,
  previous,
  metric,
  entity,
  scope,
  days,
  onlyEngine,
  window,
  p,
}: Tested): Held => ({
  metric,
  entity,
  scope,
  days,
  onlyEngine,
  window,
  p,
  direction: directionOf(test),
  before: measureValue(metric, previous)!,
  after: measureValue(metric, current)!,
  interval: intervalOf(metric, test),
});

/** The 95 % interval of this metric only, without a correction for the other metrics. */
function intervalOf(metric: MeasureName, test: DifferenceTest): readonly [number, number] {
  const { times } = scaleOf(metric);
  return [times * (test.difference - radiusOf(test)), times * (test.difference + radiusOf(test))];
}

/** One test for each series. An engine that has all answers of the blended scope has no tests: they would be the same ones. */
function testsOf({ tracked, scopes, gaps = [] }: History, end: string, days: Series['days']): Tested[] {
  const window = windowEnding(end, days);
  const prior = windowBefore(window);
  const [now, before] = [everyDayOf(window), everyDayOf(prior)];
  const only = onlyEngineOf(scopes, [...before, ...now]);
  return [...scopes].flatMap(([scope, sums]) =>
    tracked
      .filter(({ entity }) => scope === null || (entity === 0 && scope !== only))
      .flatMap((entity) => {
        const current = sampleIn(sums, window, now, entity, gaps);
        const previous = sampleIn(sums, prior, before, entity, gaps);
        if (current.days.length === 0 || previous.days.length === 0) return [];
        const metrics = entity.entity === 0 ? measureNames : [COMPETITORS_METRIC as MeasureName];
        return metrics.flatMap((metric) => {
          if (crossedGap(metric, entity.entity, gaps, { window, prior })) return [];
          const test = testOf(metric, { current, previous });
          if (test === null) return [];
          const series = { metric, entity, scope, days, onlyEngine: scope === null ? only : null };
          return [{ ...series, window, prior, current, previous, test, p: pValueOf(test) }];
        });
      }),
  );
}

/** The engine that all answers of the blended scope are of; null: there are several, or no answers. */
function onlyEngineOf(scopes: History['scopes'], days: readonly string[]): Scope {
  const runsOf = (scope: Scope) =>
    days.reduce((sum, day) => sum + (scopes.get(scope)?.totals.get(day)?.runs ?? 0), 0);
  const answered = enginesOf(null).filter((engine) => runsOf(engine) > 0);
  return answered.length === 1 ? answered[0]! : null;
}

/** Whether both windows asked the same, so that the difference is one of the answers. */
async function isOfAnswers(history: History, tested: Tested): Promise<boolean> {
  const { scope, window, prior, current, previous } = tested;
  if (isOtherPanel(await history.overlap(scope, window, prior), LEAST_SAME_PROMPTS)) return false;
  const surfaces = await history.surfaces(scope, window, prior);
  if (surfaceMovedIn({ current, previous, surfaces })) return false;
  return scope !== null || !isOfEngines(history, tested);
}

/** Whether a blended metric changed mostly because other engines were asked, or more often. */
function isOfEngines(
  history: History,
  { metric, entity, window, prior, current, previous }: Tested,
): boolean {
  const cells = engineCells(history, entity, window, prior).map(({ cell }) => cell);
  const whole = { before: previous, after: current };
  const parts = (contributionsOf(metric, whole, cells, true) ?? []).filter((part) => part !== null);
  const total = (of: 'rate' | 'mix' | 'panel') => parts.reduce((sum, part) => sum + (part[of] ?? 0), 0);
  return isMostlyAsked({ rate: total('rate'), mix: total('mix'), panel: total('panel') });
}
