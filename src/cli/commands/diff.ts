import { string } from '@oclif/core/flags';
import type { ReadParams } from '../../contract/brand-reads.js';
import { exitCodes } from '../../contract/failure.js';
import { WINDOW_DAYS } from '../../contract/limits.js';
import { overview } from '../../contract/reads/overview.js';
import { windowRange } from '../../contract/slice.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import type { HistoryParams } from '../../sdk/types.js';
import { ApiCommand } from '../base/api-command.js';
import { formatFlag, paramFlags } from '../base/flags.js';
import { noteOf, printRead, type ReadFlags, requestParams } from '../base/read.js';
import { CommandError } from '../command-error.js';
import { knownMetric, metricNames } from '../render/metric.js';
import { daysEnding, today } from '../render/wording.js';
import { hasMoved, readReasons } from '../reports/because.js';
import { clientReads } from '../reports/client-reads.js';
import {
  type ComparedMetric,
  type Comparison,
  comparison,
  comparisonView,
  type Diff,
  type DiffRow,
  diff,
  diffOf,
  diffView,
  otherSlice,
  readComparison,
  sentenceOf,
} from '../reports/diff.js';
import { historiesOf } from '../reports/histories.js';

/** The parameters that `--with` may change. */
const { brand: _, days: __, ...slice } = overview.params;

export default class DiffCommand extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 2 };
  static override alsoCalled = ['compare', 'changes'];
  static override summary = 'Whether the metrics of a brand moved, against the window of equal length before';
  static override description =
    'A metric moved if the difference is more than chance explains; every other difference is no clear change. ' +
    'Of each that moved, a line says because of what, as `svc why` shows in full. ' +
    `With --fail-if-down the command ends with code ${exitCodes.incomplete} if the metric moved down, and only then. ` +
    '--with compares two slices or two windows instead: it shows both with their intervals, and no verdict, because ' +
    'the server gives one only for a window against the one just before.';
  static override examples = [
    '<%= config.bin %> diff',
    '<%= config.bin %> diff --days 28 --engine chatgpt',
    '<%= config.bin %> diff --fail-if-down visibility',
    '<%= config.bin %> diff --engine chatgpt --with engine=perplexity',
    '<%= config.bin %> diff --from 2026-11-01 --to 2026-11-07 --with from=2026-10-01 --with to=2026-10-07',
  ];
  static override flags = {
    ...formatFlag,
    ...paramFlags(diff.params),
    'fail-if-down': string({
      description: `End with code ${exitCodes.incomplete} if this metric moved down: ${metricNames.join(', ')}; may be repeated`,
      helpValue: 'METRIC',
      multiple: true,
      // oclif puts the flag before the message.
      parse: async (word) => knownMetric(word),
    }),
    with: string({
      description: `Compare with this slice: the one of the other flags with ${Object.keys(slice).join(', ')} changed as given, or removed by NAME=; may be repeated`,
      helpValue: 'NAME=VALUE',
      multiple: true,
      multipleNonGreedy: true,
      exclusive: ['fail-if-down'],
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(DiffCommand);
    if (flags.with) await this.#compare(flags, flags.with);
    else await this.#judge(flags);
  }

  /** Two slices, or two windows, side by side. */
  async #compare(flags: DiffFlags, changes: readonly string[]): Promise<void> {
    const { days, ...chosen } = requestParams({ ...slice, days: windowRange.days }, flags);
    const first = days === undefined ? chosen : { ...chosen, ...daysEnding(today(), days) };
    const other = requestParams(slice, otherSlice(first, changes, Object.keys(slice)));
    await printRead<typeof diff.params, Comparison, ComparedMetric>(this, flags, comparison, {
      waiting: 'Reading overview …',
      request: (svc, _, options) => readComparison(svc, [first, other], options),
      view: comparisonView,
      notes: ({ a, b }, format) => [a, b].flatMap((each) => noteOf(each, format)),
    });
  }

  /** A window against the one before. */
  async #judge(flags: DiffFlags): Promise<void> {
    const shown = await printRead<typeof diff.params, Diff, DiffRow>(this, flags, diff, {
      waiting: 'Reading metrics/history …',
      request: readDiff,
      view: diffView,
    });
    const fallen = shown!.metrics.filter(
      ({ metric, verdict }) => verdict === 'down' && flags['fail-if-down']?.includes(metric),
    );
    if (fallen.length === 0) return;
    // The JSON of the result is printed; a second document would make the output invalid.
    if (flags.json || flags.format === 'json') this.exit(exitCodes.incomplete);
    throw new CommandError('incomplete', fallen.map(sentenceOf).join(' '));
  }
}

interface DiffFlags extends ReadFlags {
  readonly 'fail-if-down'?: readonly string[] | undefined;
  readonly with?: readonly string[] | undefined;
}

/**
 * Reads the histories of all metrics over the same window, which without from and to ends today as that of the scorecard, then
 * why those moved that did.
 */
async function readDiff(
  svc: SvcClient,
  { days, ...slice }: Omit<HistoryParams, 'metric' | 'days'> & { readonly days?: number | undefined },
  options: CallOptions,
): Promise<Diff> {
  const window = slice.from === undefined ? daysEnding(today(), days ?? WINDOW_DAYS) : {};
  const reads = clientReads(svc, options);
  const histories = await historiesOf(reads, { ...slice, ...window } as ReadParams);
  const moved = histories.flatMap(({ metric, series }) =>
    hasMoved(series[0]?.trend?.verdict) ? [metric] : [],
  );
  const { start, end } = histories[0]!.window;
  const range = start === null || end === null ? {} : { from: start, to: end };
  return diffOf(histories, await readReasons(reads, moved, { ...slice, ...range } as ReadParams));
}
