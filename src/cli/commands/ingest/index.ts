import { closeSync, openSync, writeSync } from 'node:fs';
import { Args } from '@oclif/core';
import { ApiCommand, type ApiFlags } from '../../api-command.js';
import { CommandError, exitCodes } from '../../command-error.js';
import { commandErrorOf } from '../../diagnosis.js';
import { IngestBar } from '../../ingest/bar.js';
import { Delivery } from '../../ingest/delivery.js';
import { ingestFlags } from '../../ingest/flags.js';
import { STDIN } from '../../ingest/input.js';
import { Interruption } from '../../ingest/interruption.js';
import { sizeOf } from '../../ingest/pieces.js';
import { shipAll } from '../../ingest/run.js';
import { inputsOf, prefixOf, unparsedLimit } from '../../ingest/settings.js';
import { defaultStateFile, StateFile } from '../../ingest/state-file.js';
import { Totals } from '../../ingest/totals.js';
import { print } from '../../output.js';
import type { Settings } from '../../settings.js';
import { plainTable, textOf } from '../../table.js';
import { grouped } from '../../view.js';

type Parsed = Awaited<ReturnType<Ingest['parseAll']>>;
type Flags = Parsed['flags'];

export default class Ingest extends ApiCommand {
  static override summary = 'Ship crawler logs: files, standard input, or a log as it is written';
  static override description =
    'Reads access logs in combined format and its relatives, JSON lines and W3C logs, plain or gzipped. What was delivered before is not counted again.';
  static override examples = [
    '<%= config.bin %> ingest /var/log/nginx/access.log*',
    'zcat -f /var/log/nginx/access.log* | <%= config.bin %> ingest',
    '<%= config.bin %> ingest --follow /var/log/nginx/access.log',
    '<%= config.bin %> ingest --dry-run --verbose access.log',
  ];
  static override strict = false;
  static override args = {
    files: Args.string({
      description: 'Log files, - for standard input (default: standard input)',
      // oclif would read the beginning of the pipe as the argument.
      ignoreStdin: true,
    }),
  };
  static override flags = ingestFlags;

  readonly #totals = new Totals();
  readonly #interruption = new Interruption();

  protected parseAll() {
    return this.parse(Ingest);
  }

  override async run(): Promise<void> {
    const { argv, flags } = await this.parseAll();
    const inputs = inputsOf(argv as string[], flags);
    const limit = unparsedLimit(flags);
    const settings = this.settle(flags as ApiFlags);
    const stripPrefix = prefixOf(flags);
    const errors = flags.errors === undefined ? undefined : openSync(flags.errors, 'w');
    // Progress and warnings to a terminal that is gone are no reason to stop.
    process.stderr.on('error', () => {});
    const shown = !flags.json && !flags.quiet && !flags['no-progress'] && !flags.follow;
    const bar = await IngestBar.show(shown ? await sizeOf(inputs) : null, shown);
    this.#interruption.listen(flags.follow);
    let failure: unknown;
    try {
      await shipAll(inputs, {
        follow: flags.follow,
        from: flags.from,
        flushEveryMs: flags['flush-every'] * 1000,
        onlyAgents: flags['only-agents'],
        stripPrefix,
        delivery: flags['dry-run'] ? null : this.#delivery(flags, settings),
        stateOf: this.#states(flags, settings),
        totals: this.#totals,
        bar,
        interruption: this.#interruption,
        warn: (message) => this.#warn(message),
        onUnparsed:
          errors === undefined
            ? undefined
            : (input, line, bytes) => {
                writeSync(
                  errors,
                  `${inputs.length > 1 ? `${input}:` : ''}${line}: ${bytes.toString('utf8')}\n`,
                );
              },
      });
    } catch (error) {
      failure = error;
    } finally {
      this.#interruption.release();
      // An open pipe that is read no more would keep the process.
      if (inputs.includes(STDIN)) process.stdin.destroy();
      bar.stop();
      if (errors !== undefined) closeSync(errors);
    }
    await this.#report(flags, failureOf(failure, this.#totals, limit));
  }

  #delivery(flags: Flags, settings: Settings): Delivery {
    return new Delivery({
      settings,
      gzip: flags.gzip,
      maxRetries: flags['max-retries'],
      timeout: flags.timeout * 1000,
      batchBytes: flags['batch-bytes'],
      signal: this.#interruption.sending,
      warn: (message) => this.#warn(message),
      info: (message) => {
        if (flags.verbose) this.note(message);
      },
      onDelivered: (sent) => this.#totals.add(sent),
    });
  }

  #states(flags: Flags, { url, brand }: Settings): (file: string) => StateFile | null {
    if (flags['dry-run']) return () => null;
    const shared = flags.state === undefined ? undefined : new StateFile(flags.state);
    return (file) => shared ?? new StateFile(defaultStateFile(url, brand, file));
  }

  #warn(message: string): void {
    this.note(`Warning: ${message}`);
  }

  /** The summary, and the failure as exit code; under --json both are one object. */
  async #report(flags: Flags, failure: CommandError | null): Promise<void> {
    const totals = this.#totals;
    const isDryRun = flags['dry-run'];
    const hasResult = failure === null || failure.kind === 'incomplete' || failure.kind === 'interrupted';
    if (!hasResult) throw failure;
    if (!flags.json) {
      this.note(totals.summary(isDryRun));
      if ((flags.verbose || isDryRun) && totals.agents.size > 0) await print(agentTable(totals.ranking));
      if (failure !== null) throw failure;
      return;
    }
    const error = failure && {
      error: {
        code: failure.kind,
        message: failure.message,
        status: failure.status,
        retryable: failure.retryable,
      },
    };
    await print(`${JSON.stringify({ ...error, ...totals.json(isDryRun) })}\n`);
    if (failure !== null) this.exit(exitCodes[failure.kind]);
  }
}

/** What the exit code is to say. */
function failureOf(error: unknown, totals: Totals, limit: number | null): CommandError | null {
  if (error !== undefined) {
    const failure = commandErrorOf(error);
    if (failure.kind === 'interrupted' || totals.batches === 0) return failure;
    const { status, retryable, message } = failure;
    return new CommandError('incomplete', `Part of the logs was not delivered: ${message}`, {
      status,
      retryable,
      hint: 'Run the same command with --from last to go on, or from the beginning: nothing counts twice.',
    });
  }
  if (totals.skippedLines > 0) {
    return new CommandError(
      'incomplete',
      `${totals.skippedLines} lines are too long for any request and were skipped.`,
    );
  }
  if (limit !== null && totals.unparsedPercent > limit) {
    const share = totals.unparsedPercent.toFixed(1);
    return new CommandError(
      'incomplete',
      `${share} % of the lines could not be parsed; the limit is ${limit} %.`,
    );
  }
  return null;
}

function agentTable(ranking: readonly (readonly [string, number])[]): string {
  const table = plainTable({ colAligns: ['left', 'right'] });
  for (const [agent, hits] of ranking) table.push([agent, grouped(hits)]);
  return textOf(table);
}
