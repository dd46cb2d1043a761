import type { Overview as Scores } from '../../contract/reads/overview.js';
import { resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { paramFlags } from '../base/flags.js';
import { type Asking, ObjectCommand } from '../base/read-command.js';
import { sparkline } from '../render/chart/sparkline.js';
import type { Format } from '../render/format.js';
import { shownMetric } from '../render/metric.js';
import { outputWidth } from '../render/output.js';
import { scorecard } from '../render/scorecard.js';
import { overviewView, overviewWith } from '../views/overview.js';

const TREND = { metric: 'visibility', days: 28 } as const;
/** Days that a narrow terminal has room for. */
const FEW_DAYS = 14;
const NARROW = 60;
/** Milliseconds that the ornament may take. */
const PATIENCE = 2000;

export default class Overview extends ObjectCommand<'overview'> {
  static override summary = resources.overview.summary;
  static override examples = ['<%= config.bin %> overview', '<%= config.bin %> overview --json'];
  static override flags = paramFlags(resources.overview.params);

  protected readonly resource = 'overview';
  protected read = (svc: SvcClient, params: object, options: CallOptions) => svc.overview(params, options);

  protected override async show(format: Format, data: Scores, asking: Asking) {
    const wanted = format === 'table' && process.stdout.isTTY === true;
    const trend = wanted ? await this.progress.during('Reading history …', recent(asking)) : '';
    const days = (outputWidth() ?? NARROW) < NARROW ? FEW_DAYS : TREND.days;
    const view = trend === '' ? overviewView : overviewWith(trend.slice(-days), days);
    return scorecard(format, view, resources.overview.response, data);
  }
}

/** The last weeks as a sparkline; nothing where the server does not tell, since the numbers are what was asked for. */
async function recent({ svc, options }: Asking): Promise<string> {
  const { shown, bounds } = shownMetric(TREND.metric);
  try {
    const history = await svc.history(TREND, { ...options, deadline: PATIENCE, maxRetries: 0 });
    return sparkline(history.series[0]?.points.map(({ value }) => shown(value)) ?? [], bounds);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return '';
  }
}
