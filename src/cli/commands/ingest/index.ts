import { closeSync, openSync, writeSync } from 'node:fs';
import { Args } from '@oclif/core';
import { exitCodes } from '../../../contract/failure.js';
import type { SvcError } from '../../../sdk/errors.js';
import { configure } from '../../../sdk/options.js';
import { ApiCommand, type ApiFlags } from '../../base/api-command.js';
import type { CommandError } from '../../command-error.js';
import type { Settings } from '../../connection/settings.js';
import { STDIN, writeError } from '../../ingest/input.js';
import { defaultStateFile, StateFile } from '../../ingest/read-input.js';
import { ingestFlags, inputsOf, prefixOf, Sender, unparsedLimit } from '../../ingest/sender.js';
import { shipAll } from '../../ingest/ship-inputs.js';
import { Signals } from '../../ingest/signals.js';
import { failureOf, resumeAdvice, Totals } from '../../ingest/totals.js';
import { IngestBar } from '../../progress/bars.js';
import { NOTED_FROM_MS, waitText } from '../../progress/progress.js';
import { plainTable, textOf } from '../../render/table.js';
import { print } from '../../render/terminal.js';
import { counted, grouped } from '../../render/view.js';

export type Parsed = Awaited<ReturnType<Ingest['parseAll']>>;
type Flags = Parsed['flags'];

export default class Ingest extends ApiCommand {
  static override inHelp = { group: 'YOUR SITE', place: 2 };
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

  protected override readonly repeatable = false;
  readonly #signals = new Signals((name) => this.#stops(name));
  #bar = new IngestBar(false, new Totals(false));

  protected parseAll() {
    return this.parse(Ingest);
  }

  override async run(): Promise<void> {
    const { argv, flags } = await this.parseAll();
    const inputs = inputsOf(argv as string[], flags);
    const limit = unparsedLimit(flags);
    const settings = this.settle(flags as ApiFlags);
    const stripPrefix = prefixOf(flags);
    const errors = flags.errors === undefined ? undefined : openForWriting(flags.errors);
    const totals = new Totals(flags['dry-run']);
    // Shipping continues if the terminal for progress and warnings was closed.
    process.stderr.on('error', () => {});
    this.#bar = new IngestBar(!flags.json && !flags.quiet && !flags['no-progress'], totals);
    this.notes = this.#bar;
    this.#signals.listen(flags.follow);
    let failure: unknown;
    try {
      await shipAll(inputs, {
        follow: flags.follow,
        from: flags.from,
        flushEveryMs: flags['flush-every'] * 1000,
        onlyAgents: flags['only-agents'],
        stripPrefix,
        force: flags.force,
        sender: totals.isDryRun ? null : this.#sender(flags, settings, totals),
        stateOf: this.#states(flags, settings),
        totals,
        bar: this.#bar,
        signals: this.#signals,
        warn: (message) => this.#warn(message),
        note: (message) => this.note(message),
        onUnparsed: errors === undefined ? undefined : lineWriter(errors, inputs.length > 1),
      });
    } catch (error) {
      failure = error;
    } finally {
      this.#signals.release();
      // An open pipe keeps the process alive.
      if (inputs.includes(STDIN)) process.stdin.destroy();
      this.#bar.stop();
      if (errors !== undefined) closeSync(errors);
    }
    const remarks = failure === undefined ? this.#remarks(inputs, flags, totals) : [];
    await this.#report(flags, totals, remarks, failureOf(failure, totals, { limit, inputs }));
  }

  #sender(flags: Flags, settings: Settings, totals: Totals): Sender {
    return new Sender({
      configuration: this.connectBy(configure, settings),
      gzip: flags.gzip,
      maxRetries: flags['max-retries'],
      timeout: flags.timeout * 1000,
      batchBytes: flags['batch-bytes'],
      signal: this.#signals.sending,
      warn: (message) => this.#warn(message),
      onRetry: (error, wait) => this.#onRetry(error, flags.verbose ? 0 : NOTED_FROM_MS, wait),
      onSent: (sent) => totals.add(sent),
    });
  }

  #states(flags: Flags, { url, brand }: Settings): (file: string) => StateFile | null {
    if (flags['dry-run']) return () => null;
    const shared = flags.state === undefined ? undefined : new StateFile(flags.state);
    return (file) => shared ?? new StateFile(defaultStateFile(url, brand, file));
  }

  #stops(name: NodeJS.Signals): void {
    this.note(
      name === 'SIGINT'
        ? 'Stopping. Press Ctrl-C again to stop at once.'
        : 'Stopping. A second signal stops at once.',
    );
  }

  /** @param notedFrom Milliseconds from which a wait is reported. */
  #onRetry(error: SvcError, notedFrom: number, wait: number): void {
    const until = performance.now() + wait;
    if (this.#bar.isShown) this.#bar.waits((width) => waitText(error, until - performance.now(), width));
    else if (wait >= notedFrom) this.note(waitText(error, wait));
  }

  /** The notes below the summary if nothing failed. */
  #remarks(inputs: readonly string[], { follow }: Flags, totals: Totals): string[] {
    const { totalLines, unparsed, notRequests, size, bytesDone, isDryRun } = totals;
    const records = counted(notRequests, 'record');
    const isWhole = size !== null && bytesDone >= size;
    return [
      ...(totalLines + unparsed === 0 && notRequests > 0
        ? [`Warning: ${records} could be parsed, but none is an HTTP request.`]
        : []),
      ...(this.#signals.isStopped && !follow && !isWhole && !isDryRun
        ? [
            `Stopped ${totals.reach === null ? 'at the beginning' : `after ${totals.reach}`}. ${resumeAdvice(inputs)}`,
          ]
        : []),
    ];
  }

  #warn(message: string): void {
    this.note(`Warning: ${message}`);
  }

  /** The summary, and the failure as exit code; under --json both are one object. */
  async #report(
    flags: Flags,
    totals: Totals,
    remarks: readonly string[],
    failure: CommandError | null,
  ): Promise<void> {
    const { isDryRun } = totals;
    const hasResult = failure === null || failure.kind === 'incomplete' || failure.kind === 'interrupted';
    if (!hasResult) throw failure;
    if (!flags.json) {
      this.note(totals.summary());
      for (const remark of remarks) this.note(remark);
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
    await print(`${JSON.stringify({ ...error, ...totals.json() })}\n`);
    if (failure !== null) this.exit(exitCodes[failure.kind]);
  }
}

/** @throws CommandError `usage` for a file that cannot be written. */
function openForWriting(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw writeError(path, error);
  }
}

/** Writes lines that could not be parsed, with their numbers. @param isNamed Whether the name of the input precedes them. */
const lineWriter =
  (file: number, isNamed: boolean) =>
  (input: string, line: number, bytes: Buffer): void => {
    writeSync(file, `${isNamed ? `${input}:` : ''}${line}: ${bytes.toString('utf8')}\n`);
  };

function agentTable(ranking: readonly (readonly [string, number])[]): string {
  const table = plainTable({ colAligns: ['left', 'right'] });
  for (const [agent, hits] of ranking) table.push([agent, grouped(hits)]);
  return textOf(table);
}
