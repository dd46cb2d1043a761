import { label } from '../../contract/glossary.js';
import type { MetricChange } from '../../contract/intervals.js';
import { measureNames } from '../../contract/measures.js';
import { overview } from '../../contract/reads/overview.js';
import type { Infer } from '../../contract/schema.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import type { OverviewParams } from '../../sdk/types.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags, watchFlag } from '../base/flags.js';
import { printRead, requestParams } from '../base/read.js';
import { shownMetric } from '../render/metric.js';
import { scorecard } from '../render/scorecard.js';
import { outputWidth } from '../render/terminal.js';
import { changeColumn, changeSentence, withInterval } from '../render/uncertainty.js';
import { columnsOf, type ScorecardView, text } from '../render/view.js';
import { daysEnding, headingLines, newModels, shownSentences } from '../render/wording.js';
import { faultSentences, readFault } from '../reports/summary.js';

type Data = Infer<typeof overview.response>;

const TREND = { metric: 'visibility', days: 28 } as const;
/** The number of days that fit a narrow terminal. */
const FEW_DAYS = 14;
const NARROW = 60;
/** The time limit of the request for the sparkline, in milliseconds. */
const TREND_DEADLINE = 2000;

export default class Overview extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 1 };
  static override summary = overview.summary;
  static override examples = ['<%= config.bin %> overview', '<%= config.bin %> overview --json'];
  static override flags = {
    ...readFlags(overview),
    ...watchFlag,
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Overview);
    await printRead(this, flags, overview, {
      request: (svc, params, options) => svc.overview(params, options),
      show: async (format, data, { svc, options, picked }) => {
        // A sparkline of the last weeks would not show the range of --from and --to.
        const wanted = format === 'table' && process.stdout.isTTY === true && !data.slice?.from;
        const { days: _, ...slice } = overview.params;
        const trend = wanted
          ? await this.progress.during(
              'Reading history …',
              recentTrend(svc, requestParams(slice, flags), options, data),
            )
          : '';
        const days = (outputWidth() ?? NARROW) < NARROW ? FEW_DAYS : TREND.days;
        const plain = trend === '' ? overviewView : overviewWith(trend.slice(-days), days);
        const isForPeople = format === 'table' || format === 'md';
        const fault = isForPeople ? faultSentences(await readFault(svc, data, options)) : [];
        const view = { ...plain, sentences: (shown: Data) => [...fault, ...plain.sentences(shown)] };
        return scorecard(format, view, data, picked);
      },
    });
  }
}

/** The last weeks as a sparkline; empty if the request fails, because the sparkline is optional. */
async function recentTrend(
  svc: SvcClient,
  slice: Omit<OverviewParams, 'days'>,
  options: CallOptions,
  { window }: Partial<Data>,
): Promise<string> {
  const { shown, bounds } = shownMetric(TREND.metric);
  try {
    // The days to the last one of the scorecard; a history of a number of days ends on the newest collected day.
    const { metric, days } = TREND;
    const range = window ? daysEnding(window.end, days) : { days };
    const history = await svc.history(
      { ...slice, metric, ...range },
      { ...options, deadline: TREND_DEADLINE, maxRetries: 0 },
    );
    const { sparkline } = await import('../render/chart.js');
    return sparkline(history.series[0]?.points.map(({ value }) => shown(value)) ?? [], bounds);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return '';
  }
}

const column = columnsOf(overview.response);

const overviewView: ScorecardView<Data> = {
  title: (data) => headingLines(data)[0],
  subtitle: (data) => headingLines(data)[1],
  uncertain: (data) => data.low_confidence,
  columns: [
    ...measureNames.map((metric) =>
      withInterval<Data>(column(metric), metric, (data) => [data[metric], data.intervals[metric]]),
    ),
    column('avg_position'),
    column('run_count'),
  ],
  changes: measureNames.map((metric) =>
    changeColumn(label(metric), (data: Data) => ({
      metric,
      value: data[metric],
      // One sentence says that there is nothing to compare with.
      change: data.has_prior_window ? data.change[metric] : undefined,
    })),
  ),
  sentences: ({ visibility, has_prior_window, window_days, change, model_changes, shown }) => [
    ...(has_prior_window
      ? moved(visibility, change.visibility, window_days)
      : [`The ${window_days} days before have no answers to compare with.`]),
    ...(model_changes.length > 0 ? [`Models ${newModels(model_changes)}.`] : []),
    ...shownSentences(shown),
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
