import { Args } from '@oclif/core';
import { string } from '@oclif/core/flags';
import type { HistoryMetric } from '../../contract/reads/history.js';
import { type ParamsOf, resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { paramFlags } from '../base/flags.js';
import { type ReadFlags, SheetCommand } from '../base/read-command.js';
import { CommandError } from '../failure/command-error.js';
import { suggestion } from '../failure/suggestion.js';
import { metricNamed, metricWords } from '../render/metric.js';
import { type HistoryRow, historyView } from '../views/history.js';

const resource = 'metrics/history';
const METRIC: HistoryMetric = 'visibility';
const WORDS = `${metricWords.join(', ')} (${METRIC} when absent), or the name of the API`;

export default class History extends SheetCommand<typeof resource, HistoryRow> {
  static override summary = resources[resource].summary;
  static override description =
    'On a terminal a chart, with gaps where nothing was measured, and a row per entity with the change ' +
    'from the window of equal length before. Days are days of UTC; today is marked, because it is not over. ' +
    'Other formats than the table print one day of one entity a row.';
  static override examples = [
    '<%= config.bin %> history',
    '<%= config.bin %> history share of voice --days 56 --competitors',
    '<%= config.bin %> history sentiment --from 2026-09-01 --engine chatgpt',
  ];
  // A metric of several words needs no quotes.
  static override strict = false;
  static override args = {
    metric: Args.string({ description: `The metric: ${WORDS}`, ignoreStdin: true }),
  };
  static override flags = {
    ...paramFlags(resources[resource].params),
    metric: string({ description: `The same as METRIC: ${WORDS}`, helpValue: 'METRIC' }),
  };

  protected readonly resource = resource;
  protected readonly view = historyView;
  protected read = (svc: SvcClient, params: ParamsOf<typeof resource>, options: CallOptions) =>
    svc.history(params, options);

  protected override async readFlags<F extends ReadFlags>(): Promise<F> {
    const { flags, argv } = await this.parse(History);
    return { ...flags, metric: metricOf(argv.join(' '), flags.metric) } as unknown as F;
  }
}

/** @throws CommandError `usage` for what is no metric, and for two different ones. */
function metricOf(word: string, flag: string | undefined): HistoryMetric {
  const [argued, flagged] = [word, flag ?? ''].map((given) => (given === '' ? undefined : known(given)));
  if (argued !== undefined && flagged !== undefined && argued !== flagged) {
    throw new CommandError('usage', `Two metrics are given, ${word} and --metric ${flag}.`);
  }
  return argued ?? flagged ?? METRIC;
}

function known(given: string): HistoryMetric {
  const metric = metricNamed(given);
  if (metric !== undefined) return metric;
  const near = suggestion(given.toLowerCase(), metricWords);
  throw new CommandError('usage', `Unknown metric: ${given}. Known are ${metricWords.join(', ')}.${near}`);
}
