/** The metrics that are ratios of sums over runs: their scale, and the unit of their change. */

/** Those that every tracked entity and every history has. */
export const entityMetrics = {
  visibility: { unit: 'score_0_100', deltaUnit: 'relative_pct' },
  share_of_voice_fraction: { unit: 'fraction_0_1', deltaUnit: 'fraction_points' },
  citation_share: { unit: 'fraction_0_1', deltaUnit: 'fraction_points' },
  sentiment_index: { unit: 'index_0_100', deltaUnit: 'index_points' },
} as const;
export type EntityMetric = keyof typeof entityMetrics;
export const entityMetricNames = Object.keys(entityMetrics) as EntityMetric[];

const { visibility, ...others } = entityMetrics;
/** All of them, in the order of the scorecard. */
export const ratioMetrics = {
  visibility,
  presence_rate: { unit: 'fraction_0_1', deltaUnit: 'fraction_points' },
  ...others,
} as const;
export type RatioMetric = keyof typeof ratioMetrics;
export const ratioMetricNames = Object.keys(ratioMetrics) as RatioMetric[];

/** What people call the unit of a difference: pp are percentage points. */
export const differenceUnits = {
  score_0_100: 'points',
  index_0_100: 'points',
  fraction_0_1: 'pp',
} as const;

/** The probability with which an interval covers the value. */
export const INTERVAL_LEVEL = 0.95;
/** Windows of so many days and more are divided into weeks instead of days. */
export const WEEKLY_FROM_DAYS = 28;
/** Days (weeks in a long window) that an interval and each window of a verdict need. */
export const LEAST_UNITS = 4;

/** What divides a window for intervals: the variation between these units is measured. */
export const intervalUnits = ['day', 'week'] as const;
export type IntervalUnit = (typeof intervalUnits)[number];

export const verdicts = ['up', 'down', 'no_clear_change', 'unknown'] as const;
export type Verdict = (typeof verdicts)[number];
