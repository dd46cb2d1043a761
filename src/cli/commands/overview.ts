import { label, metricLabel } from '../../contract/glossary.js';
import type { MetricChange } from '../../contract/intervals.js';
import { ratioMetricNames, ratioMetrics } from '../../contract/metrics.js';
import { type BodyOf, resources } from '../../contract/registry.js';
import { readCommand } from '../base/read-command.js';
import { given, type RequestContext } from '../base/read-command-base.js';
import { sparkline } from '../render/chart.js';
import { shownMetric } from '../render/metric.js';
import { outputWidth } from '../render/output.js';
import { scorecard } from '../render/scorecard.js';
import { sliceWords } from '../render/slice.js';
import { daysEnding } from '../render/today.js';
import { changeColumn, changeSentence, withInterval } from '../render/uncertainty.js';
import { count, percent, position, type ScorecardView, score, text } from '../render/view.js';
import { datesText, newModels } from '../render/wording.js';

type Data = BodyOf<'overview'>;

const TREND = { metric: 'visibility', days: 28 } as const;
/** The number of days that fit a narrow terminal. */
const FEW_DAYS = 14;
const NARROW = 60;
/** The time limit of the request for the sparkline, in milliseconds. */
const TREND_DEADLINE = 2000;

export default class Overview extends readCommand('overview', {
  request: (svc, params, options) => svc.overview(params, options),
  watch: true,
  show: async (format, data, context) => {
    // A sparkline of the last weeks would not show the range of --from and --to.
    const wanted = format === 'table' && process.stdout.isTTY === true && !data.slice?.from;
    const trend = wanted
      ? await context.progress.during('Reading history …', recentTrend(context, data))
      : '';
    const days = (outputWidth() ?? NARROW) < NARROW ? FEW_DAYS : TREND.days;
    const view = trend === '' ? overviewView : overviewWith(trend.slice(-days), days);
    return scorecard(format, view, data, context.picked);
  },
}) {
  static override examples = ['<%= config.bin %> overview', '<%= config.bin %> overview --json'];
}

/** The last weeks as a sparkline; empty if the request fails, because the sparkline is optional. */
async function recentTrend(
  { svc, options, flags }: RequestContext,
  { window }: Partial<Data>,
): Promise<string> {
  const { shown, bounds } = shownMetric(TREND.metric);
  try {
    const slice = given(resources.overview.params, flags);
    // The days to the last one of the scorecard; a history of a number of days ends on the newest collected day.
    const { metric, days } = TREND;
    const range = window ? daysEnding(window.end, days) : { days };
    const history = await svc.history(
      { ...slice, metric, ...range },
      { ...options, deadline: TREND_DEADLINE, maxRetries: 0 },
    );
    return sparkline(history.series[0]?.points.map(({ value }) => shown(value)) ?? [], bounds);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return '';
  }
}

/** The lines that have an interval and a verdict. */
const ratios = ratioMetricNames.map((metric) => [metricLabel(metric), metric] as const);

const overviewView: ScorecardView<Data> = {
  title: ({ brand, slice, ...days }) =>
    [brand.name, brand.domain, ...(slice ? [] : [datesText(days)])].join(' · '),
  subtitle: sliceWords,
  uncertain: (data) => data.low_confidence,
  columns: [
    ...ratios.map(([head, metric]) => {
      const column = { score_0_100: score, index_0_100: score, fraction_0_1: percent }[
        ratioMetrics[metric].unit
      ];
      const plain = column<Data>(head, (data) => data[metric]);
      return withInterval(plain, metric, (data) => [data[metric], data.intervals?.[metric]]);
    }),
    position(label('averagePosition'), (data) => data.avg_position),
    count(label('answers'), (data) => data.run_count),
  ],
  changes: ratios.map(([head, metric]) =>
    changeColumn(head, (data: Data) => ({
      metric,
      value: data[metric],
      // One sentence says that there is nothing to compare with.
      change: data.has_prior_window ? data.change?.[metric] : undefined,
    })),
  ),
  sentences: ({ visibility, has_prior_window, window_days, change, model_changes = [] }) => [
    ...(has_prior_window
      ? moved(visibility, change?.visibility, window_days)
      : [`The ${window_days} days before have no answers to compare with.`]),
    ...(model_changes.length > 0 ? [`Models ${newModels(model_changes)}.`] : []),
  ],
};

const moved = (value: number | null, change: MetricChange | undefined, days: number): string[] =>
  change ? [changeSentence('Visibility', 'visibility', value, change, `the ${days} days before`)] : [];

/** The scorecard with a sparkline below its metric. */
const overviewWith = (visibility: string, days: number): ScorecardView<Data> => {
  const [first, ...rest] = overviewView.columns;
  const trend = text<Data>(`visibility, ${days} days`, () => visibility);
  return { ...overviewView, columns: [first!, trend, ...rest] };
};
