import {
  estimators,
  INTERVAL_LEVEL,
  LEAST_UNITS,
  measureNames,
  verdicts,
  WEEKLY_FROM_DAYS,
} from '../measures.js';
import { AS_METRIC, type DefinitionGroup, judged, UNROUNDED } from './definition.js';

const FEW = `fewer than ${LEAST_UNITS} days with a denominator (weeks in windows of ${WEEKLY_FROM_DAYS} days and more)`;

export const uncertainty: DefinitionGroup = {
  id: 'uncertainty',
  title: 'Intervals and changes',
  definitions: [
    {
      name: 'interval',
      fields: ['interval', ...measureNames.map((name) => `intervals.${name}`)],
      what: 'The range that covers what these prompts show in windows like this one; 95 % of such intervals do.',
      formula: `${estimators.ratio}; ${estimators.variance}; visibility and sentiment: ${estimators.linearised}; shares: ${estimators.wilson}`,
      unit: AS_METRIC,
      scale: AS_METRIC,
      rounding: '0.1; shares 0.001',
      denominator: AS_METRIC,
      empty: `null: not measured, or ${FEW}; in history also on daily_stats`,
      interval: null,
    },
    {
      name: 'level',
      what: 'The part of such intervals that cover the value.',
      formula: `always ${INTERVAL_LEVEL}`,
      unit: 'fraction_0_1',
      scale: '0 to 1',
      rounding: UNROUNDED,
      denominator: null,
      empty: 'never null',
      interval: null,
    },
    {
      name: 'previous',
      fields: ['previous', 'previous_window_value'],
      what: 'The metric over the window of equal length just before.',
      formula: 'the formula of the metric, over that window',
      unit: AS_METRIC,
      scale: AS_METRIC,
      rounding: '0.1; shares 0.001',
      denominator: 'that of the metric, in that window',
      empty: 'null: not measured; in history trend is null then',
      interval: null,
    },
    {
      name: 'delta',
      what: 'The change from the window before, from unrounded values. It is a change only if the verdict is up or down.',
      formula: 'visibility: 100 × (now − before) / before; shares and sentiment: now − before',
      unit: 'visibility: percent of the value before; shares: fraction points; sentiment: index points',
      scale: 'negative: less than before',
      rounding: 'visibility and sentiment 0.1, shares 0.001; halves away from zero',
      denominator: 'visibility: its value before; others none',
      empty: 'null: not measured in one of the windows, or visibility was 0 before',
      interval: null,
    },
    {
      name: 'difference',
      what: 'How much the metric changed from the window before, from unrounded values. It is a change only if the verdict is up or down.',
      formula: 'now − before',
      unit: 'points for visibility and sentiment; for shares fraction_0_1, × 100 percentage points',
      scale: 'negative: less than before',
      rounding: '0.1; shares 0.001; halves away from zero',
      denominator: null,
      empty: 'null: not measured in one of the windows',
      interval: null,
    },
    {
      ...judged(
        'verdict',
        {
          what: 'Whether the metric moved by more than chance explains.',
          empty: `unknown: ${FEW} in one of the windows, or prompts asked in both are less than half of the runs of either; reason says which`,
        },
        `${estimators.verdict} (${estimators.leastVariance})`,
        verdicts.join(', '),
      ),
      fields: ['trend.verdict', ...measureNames.map((name) => `${name}.verdict`)],
    },
  ],
};

export const history: DefinitionGroup = {
  id: 'history',
  title: 'History',
  definitions: [
    {
      name: 'value',
      fields: ['history.series.points.value'],
      what: 'The metric that the request names, on one UTC day.',
      formula: 'the formula of the metric, over the runs of the day',
      unit: 'that of the metric: the field unit',
      scale: AS_METRIC,
      rounding: '0.1; shares 0.001',
      denominator: AS_METRIC,
      empty: 'null: nothing was collected (sample_size 0), or the denominator is 0 (sample_size above 0)',
      interval: null,
    },
    {
      name: 'window_value',
      what: 'The metric that the request names, over the whole window.',
      formula: 'the formula of the metric, over the runs of the window; never from daily values',
      unit: 'that of the metric: the field unit',
      scale: AS_METRIC,
      rounding: '0.1; shares 0.001',
      denominator: AS_METRIC,
      empty: 'null: not measured, or on daily_stats, which have no denominators',
      interval: 'the field interval of the same object',
    },
  ],
};
