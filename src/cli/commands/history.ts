import { Args } from '@oclif/core';
import { string } from '@oclif/core/flags';
import { type HistoryMetric, history } from '../../contract/reads/history.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags, watchFlag } from '../base/flags.js';
import { printRead } from '../base/read.js';
import { CommandError } from '../failure/command-error.js';
import { historyView } from '../render/history-view.js';
import { knownMetric, metricNames } from '../render/metric.js';

const METRIC: HistoryMetric = 'visibility';
const METRICS = `${metricNames.join(', ')} (default ${METRIC}), or its name in the API`;

export default class History extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 4 };
  static override summary = history.summary;
  static override description =
    'On a terminal a chart, with gaps where nothing was measured, and a row per entity with the change ' +
    'from the window of equal length before. Days are days of UTC; today is marked, because it is not over. ' +
    'Formats other than the table print one day of one entity per row.';
  static override examples = [
    '<%= config.bin %> history',
    '<%= config.bin %> history share of voice --days 56 --competitors',
    '<%= config.bin %> history sentiment --from 2026-09-01 --engine chatgpt',
  ];
  // Allows a metric of several words without quotes.
  static override strict = false;
  static override args = {
    metric: Args.string({ description: `The metric: ${METRICS}`, ignoreStdin: true }),
  };
  static override flags = {
    ...readFlags(history),
    ...watchFlag,
    metric: string({ description: `The same as METRIC: ${METRICS}`, helpValue: 'METRIC' }),
  };

  override async run(): Promise<void> {
    const { argv, flags } = await this.parse(History);
    const metric = metricOf(argv.join(' '), flags.metric);
    return printRead(this, { ...flags, metric }, history, {
      request: (svc, params, options) => svc.history(params, options),
      view: historyView,
    });
  }
}

/** @throws CommandError `usage` for an unknown metric, and for two different metrics. */
function metricOf(word: string, flag: string | undefined): HistoryMetric {
  const argued = word === '' ? undefined : knownMetric(word, 'METRIC');
  const flagged = flag === undefined ? undefined : knownMetric(flag, '--metric');
  if (argued !== undefined && flagged !== undefined && argued !== flagged) {
    throw new CommandError('usage', `Two metrics are given, ${word} and --metric ${flag}.`);
  }
  return argued ?? flagged ?? METRIC;
}
