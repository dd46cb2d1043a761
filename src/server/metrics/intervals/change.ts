/** Whether a metric moved between two windows, by more than chance explains. */
import type { MetricChange } from '../../../contract/intervals.js';
import {
  type IntervalUnit,
  LEAST_UNITS,
  type MeasureName,
  type Verdict,
} from '../../../contract/measures.js';
import { deltaOf, differenceOf, measure, roundedValue } from '../ratio-metrics.js';
import { hasEnoughUnits } from './bounds.js';
import type { RatioEstimate } from './ratio.js';
import { estimateOf, type Sample } from './sample.js';
import { leastVariance } from './sparse.js';
import { studentQuantile } from './student.js';

/** Two windows and the prompts that were asked in both. */
export interface Comparison {
  readonly current: Sample;
  readonly previous: Sample;
  readonly panel: PanelOverlap;
}

/** Runs of each window, and those of prompts that were asked in the other window too. */
export interface PanelOverlap {
  readonly currentRuns: number;
  readonly currentShared: number;
  readonly previousRuns: number;
  readonly previousShared: number;
}

/** The part of the runs of each window that shared prompts must make up. */
const LEAST_SHARED = 0.5;

/** The change of a metric between the two windows, rounded, with its verdict. */
export function changeOf(metric: MeasureName, comparison: Comparison): MetricChange {
  const { current, previous } = comparison;
  const [now, before] = [current, previous].map(({ entity, totals, hasDomain }) =>
    measure(metric, entity, totals, hasDomain),
  ) as [number | null, number | null];
  return {
    previous: roundedValue(metric, before),
    delta: deltaOf(metric, now, before),
    difference: differenceOf(metric, now, before),
    ...judge(metric, comparison),
  };
}

/** The verdict on the difference of a metric between the windows, and the reason where it is unknown. */
export function judge(
  metric: MeasureName,
  { current, previous, panel }: Comparison,
): { verdict: Verdict; reason: string | null } {
  const unknown = (reason: string) => ({ verdict: 'unknown' as const, reason });
  if (metric === 'citation_share' && !current.hasDomain) return unknown(NO_DOMAIN);
  const now = estimateOf(metric, current);
  const before = estimateOf(metric, previous);
  if (!now || !before || ![now, before].every(({ units }) => hasEnoughUnits(units)))
    return unknown(tooFew(current.unit, now?.units ?? 0, before?.units ?? 0));
  if (isOtherPanel(panel)) return unknown(otherPanel(panel));
  return { verdict: verdictOn(now, before, leastVariance(metric, current, previous)), reason: null };
}

/** The difference against t(G₁ + G₂ − 2) · √(V₁ + V₂), with V₁ + V₂ at least `least`. */
function verdictOn(now: RatioEstimate, before: RatioEstimate, least: number): Verdict {
  const difference = now.ratio - before.ratio;
  const variance = Math.max(now.variance + before.variance, least);
  const limit = studentQuantile(now.units + before.units - 2) * Math.sqrt(variance);
  if (Math.abs(difference) <= limit) return 'no_clear_change';
  return difference > 0 ? 'up' : 'down';
}

/** Whether shared prompts make up less than half of either window: then the windows measure different prompts. */
export const isOtherPanel = ({
  currentRuns,
  currentShared,
  previousRuns,
  previousShared,
}: PanelOverlap): boolean =>
  currentShared < LEAST_SHARED * currentRuns || previousShared < LEAST_SHARED * previousRuns;

const NO_DOMAIN = 'No domain is known, so no citation can be counted as its own.';

const tooFew = (unit: IntervalUnit, now: number, before: number): string =>
  `Measured ${unit === 'day' ? 'on' : 'in'} ${now} ${unit}${now === 1 ? '' : 's'} of this window and ${before} of the one before; a verdict needs ${LEAST_UNITS} of each.`;

/** Cut, not rounded, so that a share below a half is never stated as a half. */
const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.floor((100 * part) / whole)} %`;

const otherPanel = (panel: PanelOverlap): string =>
  `The prompts changed: those asked in both windows make up ${percent(panel.currentShared, panel.currentRuns)} of the runs of this window and ${percent(panel.previousShared, panel.previousRuns)} of the one before; a verdict needs half of each.`;
