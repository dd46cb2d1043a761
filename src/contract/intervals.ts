/** The fields that state how certain a metric is and whether it moved. Reads add them to their metrics. */
import { AS_METRIC, type Definition } from './definition.js';
import { TOO_FEW_DAYS } from './enough-days.js';
import {
  entityMeasureNames,
  estimators,
  INTERVAL_LEVEL,
  intervalUnits,
  MAX_MOVED_POINTS,
  type MeasureName,
  measureNames,
  scaleOf,
  scales,
  verdicts,
} from './measures.js';
import { fact } from './read.js';
import {
  count,
  fraction,
  type Infer,
  type NullableSchema,
  type NumberSchema,
  nullable,
  number,
  object,
  oneOf,
  type PairSchema,
  pair,
  score,
  text,
} from './schema.js';

const FEW = `a denominator on ${TOO_FEW_DAYS}`;

const PERCENT = `${100 * INTERVAL_LEVEL} %`;

export const verdict = oneOf(
  verdicts,
  'up or down: it moved, by more than chance explains; no_clear_change: the difference may be chance; unknown: too little was measured to say',
  {
    group: 'uncertainty',
    what: 'Whether the metric moved by more than chance explains.',
    formula: `${estimators.verdict} (${estimators.leastVariance})`,
    empty: `unknown: ${FEW} in one of the windows, prompts asked in both are less than half of the runs of either, or the share of a surface in the runs differs by more than ${MAX_MOVED_POINTS} points, whichever surface the runs have that state none; reason says which`,
  },
);
export const verdictReason = {
  reason: nullable(text('Why the verdict is unknown; null with every other verdict')),
  reason_fact: nullable({ ...fact, description: 'The reason as a fact; null with every other verdict' }),
};

export const changeDifference = nullable(
  number(
    'Now − before in the unit of the metric, rounded as it: visibility and sentiment in points (0.1), shares as fractions (0.001; × 100: percentage points); null: not measured',
    {
      group: 'uncertainty',
      what: 'How much the metric changed from the window before, from unrounded values. It is a change only if the verdict is up or down.',
      formula: 'now − before',
      unit: 'points for visibility and sentiment; for shares fraction_0_1, × 100 percentage points',
      scale: 'negative: less than before',
      rounding: '0.1; shares 0.001; halves away from zero',
      empty: 'null: not measured in one of the windows',
    },
  ),
);

export const previousValue: Definition = {
  group: 'uncertainty',
  what: 'The metric over the window of equal length just before.',
  formula: 'the formula of the metric, over that window',
  denominator: 'that of the metric, in that window',
  unit: AS_METRIC,
  scale: AS_METRIC,
  rounding: '0.1; shares 0.001',
  empty: 'null: not measured; in history trend is null then',
};

export const delta: Definition = {
  group: 'uncertainty',
  what: 'The change from the window before, from unrounded values. It is a change only if the verdict is up or down.',
  formula: 'visibility: 100 × (now − before) / before; shares and sentiment: now − before',
  denominator: 'visibility: its value before; others none',
  unit: 'visibility: percent of the value before; shares: fraction points; sentiment: index points',
  scale: 'negative: less than before',
  rounding: 'visibility and sentiment 0.1, shares 0.001; halves away from zero',
  empty: 'null: not measured in one of the windows, or visibility was 0 before',
};

export const metricChange = object(
  {
    previous: nullable(
      number('The value over the window before, rounded alike; null: not measured', previousValue),
    ),
    delta: nullable(
      number(
        'Change from it: visibility in percent of it (0.1), shares in fraction points (0.001), sentiment in index points (0.1); null: undefined',
        delta,
      ),
    ),
    difference: changeDifference,
    verdict,
    ...verdictReason,
  },
  'One metric against the window of equal length just before',
);
export type MetricChange = Infer<typeof metricChange>;

/** Lower and upper bound. */
export type Bounds = [number, number];
type BoundsSchema = NullableSchema<PairSchema<NumberSchema>>;

/** Tells agents how to answer whether a metric moved. */
export const quoteVerdict =
  'change compares with the window of equal length before: only the verdicts up and down are changes. Quote difference: in points, for shares × 100 in percentage points.';

const TOO_FEW = `on ${TOO_FEW_DAYS}`;

export const interval: Definition = {
  group: 'uncertainty',
  name: 'interval',
  what: 'The range that covers what these prompts show in windows like this one; 95 % of such intervals do.',
  formula: `${estimators.ratio}; ${estimators.variance}; ${estimators.freedom}; visibility and sentiment: ${estimators.linearised}; shares: ${estimators.wilson}`,
  denominator: AS_METRIC,
  unit: AS_METRIC,
  scale: AS_METRIC,
  rounding: '0.1; shares 0.001',
  empty: `null: not measured, or ${FEW}; in history also on daily_stats`,
};

const boundsIn = (bound: typeof score, digits: number): BoundsSchema =>
  nullable(
    pair(
      bound(`Rounded to ${digits}`, interval),
      `Lower and upper bound, rounded to ${digits}; null: not measured, or ${TOO_FEW}`,
    ),
  );

const fieldsOf = <N extends MeasureName, S>(names: readonly N[], schemaOf: (name: N) => S) =>
  Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as Record<N, S>;

const level = number(`Always ${INTERVAL_LEVEL}: the part of such intervals that cover the value`, {
  group: 'uncertainty',
  what: 'The part of such intervals that cover the value.',
  formula: `always ${INTERVAL_LEVEL}`,
  unit: 'fraction_0_1',
  scale: '0 to 1',
  empty: 'never null',
});

const intervalsOf = <N extends MeasureName>(names: readonly N[]) =>
  object(
    {
      level,
      unit: oneOf(
        intervalUnits,
        'What repeats: always day; week was stated before, for windows of 28 days and more',
      ),
      ...fieldsOf(names, (name) =>
        boundsIn(scaleOf(name) === scales.fraction ? fraction : score, 10 ** -scaleOf(name).digits),
      ),
    },
    `${PERCENT} intervals: what these prompts would show in another window like this one`,
  );

const previousRunCount = count('Runs in the window before', {
  group: 'sample',
  what: 'The runs of the window just before.',
  formula: 'collected answers in the window of equal length before, in the same scope',
  unit: 'runs',
  empty: '0: there is nothing to compare with',
});

const changesOf = <N extends MeasureName>(names: readonly N[]) =>
  object(
    {
      previous_run_count: previousRunCount,
      ...fieldsOf(names, () => metricChange),
    },
    'Against the window of equal length just before. A difference whose verdict is no_clear_change is not a change',
  );

export const scorecardIntervals = intervalsOf(measureNames);
export const scorecardChange = changesOf(measureNames);

export const competitorIntervals = intervalsOf(entityMeasureNames);
export const competitorChange = changesOf(entityMeasureNames);

/** The interval of the value of a series over its window. */
export const windowInterval = nullable(
  pair(
    number('Rounded as window_value', interval),
    `${PERCENT} interval of window_value, lower and upper bound; null: not measured, ${TOO_FEW}, or on daily_stats`,
  ),
);
