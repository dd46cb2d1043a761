import { string } from '@oclif/core/flags';
import type { Params } from '../../contract/params.js';
import { presetDays } from '../../contract/params.js';
import { type HistoryMetric, historyMetricNames } from '../../contract/reads/history.js';
import { reads } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import type { HistoryParams } from '../../sdk/types.js';
import { paramFlags } from '../base/flags.js';
import { ReadCommand } from '../base/read-command-base.js';
import { CommandError, exitCodes } from '../failure/command-error.js';
import { type Diff, diffOf, diffView, sentenceOf } from '../render/diff-view.js';
import { knownMetric, metricNames } from '../render/metric.js';
import { formatObject } from '../render/object-format.js';

const { brand, engine, from, to } = reads.history.params;
const params = {
  brand,
  days: presetDays(7, 'the newest collected day'),
  from,
  to,
  engine,
} as const satisfies Params;

export default class DiffCommand extends ReadCommand {
  static override summary = 'Whether the metrics of a brand moved, against the window of equal length before';
  static override description =
    'A metric moved if the difference is more than chance explains; every other difference is no clear change. ' +
    `With --fail-if-down the command ends with code ${exitCodes.incomplete} if the metric moved down, and only then.`;
  static override examples = [
    '<%= config.bin %> diff',
    '<%= config.bin %> diff --days 28 --engine chatgpt',
    '<%= config.bin %> diff --fail-if-down visibility',
  ];
  static override flags = {
    ...paramFlags(params),
    'fail-if-down': string({
      description: `End with code ${exitCodes.incomplete} if this metric moved down: ${metricNames.join(', ')}; may be repeated`,
      helpValue: 'METRIC',
      multiple: true,
      // oclif puts the flag before the message.
      parse: async (word) => knownMetric(word),
    }),
  };

  override async run(): Promise<void> {
    let shown: Diff | undefined;
    await this.present<Diff>({
      params,
      waiting: 'Reading metrics/history …',
      request: readDiff,
      row: diffView.schema,
      response: diffView.schema,
      show: (format, data, { picked }) => {
        shown = data;
        return formatObject(format, diffView, data, picked);
      },
    });
    const flags = await this.readFlags<{
      json?: boolean;
      format?: 'json';
      'fail-if-down'?: HistoryMetric[];
    }>();
    const fallen = shown!.metrics.filter(
      ({ metric, verdict }) => verdict === 'down' && flags['fail-if-down']?.includes(metric as HistoryMetric),
    );
    if (fallen.length === 0) return;
    // The JSON of the result is printed; a second document would make the output invalid.
    if (flags.json || flags.format === 'json') this.exit(exitCodes.incomplete);
    throw new CommandError('incomplete', fallen.map(sentenceOf).join(' '));
  }
}

/** Reads the histories of all metrics over the same window. */
async function readDiff(
  svc: SvcClient,
  given: Omit<HistoryParams, 'metric'>,
  options: CallOptions,
): Promise<Diff> {
  const { days = given.from === undefined ? params.days.default : undefined, ...rest } = given;
  const histories = await Promise.all(
    historyMetricNames.map((metric) => svc.history({ ...rest, days, metric }, options)),
  );
  return diffOf(histories);
}
