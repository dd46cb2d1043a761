/** The fields that state how certain a metric is and whether it moved. Reads add them beside their metrics. */
import {
  entityMeasureNames,
  INTERVAL_LEVEL,
  intervalUnits,
  LEAST_UNITS,
  type MeasureName,
  measureNames,
  scaleOf,
  scales,
  verdicts,
  WEEKLY_FROM_DAYS,
} from './measures.js';
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

const PERCENT = `${100 * INTERVAL_LEVEL} %`;

export const verdict = oneOf(
  verdicts,
  'up or down: it moved, by more than chance explains; no_clear_change: the difference may be chance; unknown: too little was measured to say',
);
export const verdictReason = nullable(text('Why the verdict is unknown; null with every other verdict'));

export const changeDifference = nullable(
  number(
    'Now − before in the unit of the metric, rounded as it: visibility and sentiment in points (0.1), shares as fractions (0.001; × 100: percentage points); null: not measured',
  ),
);

export const metricChange = object(
  {
    previous: nullable(number('The value over the window before, rounded alike; null: not measured')),
    delta: nullable(
      number(
        'Change from it: visibility in percent of it (0.1), shares in fraction points (0.001), sentiment in index points (0.1); null: undefined',
      ),
    ),
    difference: changeDifference,
    verdict,
    reason: verdictReason,
  },
  'One metric against the window of equal length just before',
);
export type MetricChange = Infer<typeof metricChange>;

/** Lower and upper bound. */
export type Bounds = [number, number];
type BoundsSchema = NullableSchema<PairSchema<NumberSchema>>;

/** For agents: how to answer whether a metric moved. */
export const quoteVerdict =
  'change compares with the window of equal length before. To say whether a metric moved, quote its verdict: only up and down are changes; no_clear_change means that the difference may be chance. Quote difference with its unit: points for visibility and sentiment_index, percentage points (100 × difference) for shares; delta is relative, in percent of the value before, only for visibility. intervals are 95 %.';

const TOO_FEW = `on fewer than ${LEAST_UNITS} days (weeks in windows of ${WEEKLY_FROM_DAYS} days and more)`;

const boundsIn = (bound: (description: string) => NumberSchema, digits: number): BoundsSchema =>
  nullable(
    pair(
      bound(`Rounded to ${digits}`),
      `Lower and upper bound, rounded to ${digits}; null: not measured, or ${TOO_FEW}`,
    ),
  );

const fieldsOf = <N extends MeasureName, S>(names: readonly N[], schemaOf: (name: N) => S) =>
  Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as Record<N, S>;

/** The interval of each metric in `names`. */
const intervalsOf = <N extends MeasureName>(names: readonly N[]) =>
  object(
    {
      level: number(`Always ${INTERVAL_LEVEL}: the part of such intervals that cover the value`),
      unit: oneOf(
        intervalUnits,
        `What repeats: days, or weeks in windows of ${WEEKLY_FROM_DAYS} days and more`,
      ),
      ...fieldsOf(names, (name) =>
        boundsIn(scaleOf(name) === scales.fraction ? fraction : score, 10 ** -scaleOf(name).digits),
      ),
    },
    `${PERCENT} intervals: what these prompts would show in another window like this one`,
  );

/** The change of each metric in `names`. */
const changesOf = <N extends MeasureName>(names: readonly N[]) =>
  object(
    {
      previous_run_count: count('Runs in the window before'),
      ...fieldsOf(names, () => metricChange),
    },
    'Against the window of equal length just before. A difference whose verdict is no_clear_change is not a change',
  );

export const scorecardIntervals = intervalsOf(measureNames);
export const scorecardChange = changesOf(measureNames);

export const competitorIntervals = intervalsOf(entityMeasureNames);
export const competitorChange = changesOf(entityMeasureNames);

/** Of the value of a series over its window. */
export const windowInterval = nullable(
  pair(
    number('Rounded as window_value'),
    `${PERCENT} interval of window_value, lower and upper bound; null: not measured, ${TOO_FEW}, or on daily_stats`,
  ),
);
