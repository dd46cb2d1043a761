import type { BodyOf } from '../../contract/registry.js';
import { resources } from '../../contract/registry.js';
import { readCommand } from '../base/read-command.js';
import type { RequestContext } from '../base/read-command-base.js';
import { sparkline } from '../render/chart/sparkline.js';
import { shownMetric } from '../render/metric.js';
import { outputWidth } from '../render/output.js';
import { scorecard } from '../render/scorecard.js';
import { unmeasured } from '../render/unmeasured.js';
import { count, percent, position, type ScorecardView, score, text } from '../render/view.js';

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
  row: resources.overview.response,
  measured: (data) => overviewView.shown(data),
  show: async (format, data, context) => {
    const wanted = format === 'table' && process.stdout.isTTY === true;
    const trend = wanted ? await context.progress.during('Reading history …', recentTrend(context)) : '';
    const days = (outputWidth() ?? NARROW) < NARROW ? FEW_DAYS : TREND.days;
    const view = trend === '' ? overviewView : overviewWith(trend.slice(-days), days);
    return scorecard(format, view, data, context.picked);
  },
}) {
  static override examples = ['<%= config.bin %> overview', '<%= config.bin %> overview --json'];
}

/** The last weeks as a sparkline; empty if the request fails, because the sparkline is optional. */
async function recentTrend({ svc, options }: RequestContext): Promise<string> {
  const { shown, bounds } = shownMetric(TREND.metric);
  try {
    const history = await svc.history(TREND, { ...options, deadline: TREND_DEADLINE, maxRetries: 0 });
    return sparkline(history.series[0]?.points.map(({ value }) => shown(value)) ?? [], bounds);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return '';
  }
}

/** The fields that the contract sends as 0 if no run was collected in the window. */
const zeros = ['visibility', 'presence_rate', 'share_of_voice', 'share_of_voice_fraction'] as const;

const overviewView: ScorecardView<Data> = {
  title: ({ brand, window_days }) => `${brand.name} · ${brand.domain} · last ${window_days} days`,
  shown: (data) => (data.run_count === 0 ? unmeasured(data, zeros) : data),
  uncertain: (data) => data.low_confidence,
  columns: [
    score('visibility', (data) => data.visibility),
    percent('presence', (data) => data.presence_rate),
    percent('share of voice', (data) => data.share_of_voice_fraction),
    percent('citation share', (data) => data.citation_share),
    score('sentiment', (data) => data.sentiment_index),
    position('avg position', (data) => data.avg_position),
    count('runs', (data) => data.run_count),
  ],
  sentences: ({ has_prior_window, window_days }) => [
    has_prior_window
      ? `The ${window_days} days before have runs too, to compare with.`
      : `The ${window_days} days before have no runs to compare with.`,
  ],
};

/** The scorecard with a sparkline below its metric. */
const overviewWith = (visibility: string, days: number): ScorecardView<Data> => {
  const [first, ...rest] = overviewView.columns;
  const trend = text<Data>(`visibility, ${days} days`, () => visibility);
  return { ...overviewView, columns: [first!, trend, ...rest] };
};
