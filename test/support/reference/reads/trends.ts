import type { ExpectedJudgement } from '../intervals.js';
import type { DeltaUnit, Scale } from '../metric-values.js';
import { rounded, SCALES } from '../metric-values.js';
import type { Open } from '../open.js';
import { OPEN } from '../open.js';
import type { Metric } from '../parameters.js';

export interface ExpectedTrend extends ExpectedJudgement {
  previous_window_value: number;
  delta: number | null | Open;
  delta_unit: DeltaUnit;
  difference: number | null | Open;
}

/** The change from the window before, from unrounded values; null where that was not measured. */
export function trendOf(
  metric: Metric,
  current: number | null,
  previous: number | null,
  judgement: () => ExpectedJudgement,
): ExpectedTrend | null {
  if (previous === null) return null;
  const { deltaUnit } = SCALES[metric];
  const delta = current === null ? null : changeOf(SCALES[metric], current, previous);
  return {
    previous_window_value: rounded(metric, previous)!,
    delta,
    delta_unit: deltaUnit,
    difference: differenceOf(SCALES[metric], current, previous),
    ...judgement(),
  };
}

export function changeOf(
  { deltaUnit, deltaDigits }: Pick<Scale, 'deltaUnit' | 'deltaDigits'>,
  current: number,
  previous: number,
): number | null | Open {
  if (deltaUnit !== 'relative_pct') return roundedChange(current - previous, deltaDigits);
  return previous === 0 ? null : roundedChange((100 * (current - previous)) / previous, deltaDigits);
}

/** The change on the scale of the metric. */
export function differenceOf(
  { digits }: Pick<Scale, 'digits'>,
  current: number | null,
  previous: number | null,
): number | null | Open {
  return current === null || previous === null ? null : roundedChange(current - previous, digits);
}

/** The rounding of negative ties and the order of operations are not specified: ties are open. */
function roundedChange(value: number, digits: number): number | Open {
  if (isNearTie(value, digits)) return OPEN;
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale + 0;
}

/** Whether the value is so close to the middle of two decimals that the last bit of a sum decides. */
export function isNearTie(value: number, digits: number): boolean {
  const scaled = Math.abs(value) * 10 ** digits;
  return Math.abs(scaled - Math.floor(scaled) - 0.5) < 1e-4;
}
