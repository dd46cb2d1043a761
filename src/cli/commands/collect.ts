import type { Knex } from 'knex';
import type { Prospect } from '../../collect/collect.js';
import type { DayResult, Found, Sending } from '../../collect/collect-day.js';
import type { CollectionResult } from '../../collect/collection.js';
import type { CollectPlan } from '../../collect/plan/plan.js';
import type { Preview } from '../../collect/preview.js';
import type { Subject } from '../../collect/subject.js';
import { exitCodes } from '../../contract/failure.js';
import type { Catalog } from '../../server/intake/dataset/apply-catalog.js';
import { AdminCommand, environmentWith, explained } from '../base/admin-command.js';
import { confirm } from '../base/prompt.js';
import { currentTime } from '../clock.js';
import { collectFlags, readPlan, withKeyNotes } from '../collect/setup.js';
import {
  closingLines,
  collectionJson,
  costText,
  failureOf,
  limitNotes,
  previewText,
  reportText,
} from '../collect/views.js';
import { CommandError } from '../command-error.js';
import { bytesOf, importFailure } from '../failure/import-failure.js';
import { Signals } from '../ingest/signals.js';
import { CollectBar } from '../progress/bars.js';
import { NOTED_FROM_MS } from '../progress/progress.js';
import { outputWidth, print, styled, wrapped } from '../render/terminal.js';
import { counted, duration } from '../render/view.js';

type Flags = Awaited<ReturnType<Collect['parseAll']>> & { readonly brand: string };

export default class Collect extends AdminCommand {
  static override inHelp = { group: 'SERVER', place: 3 };
  static override summary = 'Ask engines the prompts of a brand, and import what they answer';
  static override description = [
    'Prints calls and cost before anything is sent. The same command on the same day asks only for what is missing.',
    'docs/collecting.md describes the plan, what it costs and what an API measures.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> collect --dry-run',
    '<%= config.bin %> collect --max-usd 5',
    '<%= config.bin %> collect --plan collect.toml --brand shoes --dataset brands.ndjson --out runs.ndjson --yes',
  ];
  static override flags = collectFlags;

  #bar = new CollectBar(false);
  #isQuiet = false;

  protected async parseAll() {
    return (await this.parse(Collect)).flags;
  }

  override async run(): Promise<void> {
    const flags = await this.parseAll();
    this.#isQuiet = flags.quiet === true || flags.json === true;
    if (flags.dataset !== undefined && flags.out === undefined)
      throw new CommandError('usage', '--dataset needs --out FILE: nothing is imported without a database.');
    await explained(async () => {
      const { plan: stated, catalog } = await readPlan(flags.plan, true);
      const plan = { ...stated, samples: flags.samples ?? stated.samples };
      const { sampleFault } = await import('../../collect/plan/provider-faults.js');
      const fault = sampleFault(plan);
      if (fault !== null) throw new CommandError('usage', fault);
      const brand = flags.brand ?? catalog?.brand.id;
      if (brand === undefined)
        throw new CommandError('usage', 'Missing flag: --brand ID: the plan has no [brand].');
      await this.#collect({ ...flags, brand }, plan, catalog?.brand.id === brand ? catalog : null);
    });
  }

  async #collect(flags: Flags, plan: CollectPlan, catalog: Catalog | null): Promise<void> {
    const { utcDay } = await import('../../server/base/days.js');
    const { collectDay } = await import('../../collect/collect-day.js');
    const { timeBy } = await import('../../collect/time.js');
    const { tellMovesOfRuns } = await import('../../server/alerts/moves/tell.js');
    const date = utcDay(currentTime());
    const maxUsd = flags['max-usd'] ?? null;
    let shown: Preview | undefined;
    const done = await collectDay(
      {
        plan,
        brand: flags.brand,
        date,
        out: flags.out ?? (await stateFileOf(flags, date)),
        resume: flags.resume === true,
        retry: flags.retry ?? [],
        isDryRun: flags['dry-run'] === true,
        limits: { maxUsd, maxCalls: flags['max-calls'] ?? null },
        limitName: '--max-usd',
        rawFolder: flags['keep-raw'] ?? null,
        env: process.env,
        time: timeBy(currentTime),
        afterDays: tellMovesOfRuns,
        withSubject: (work) => this.#withSubject(flags, catalog, work),
        withDatabase:
          flags.out === undefined ? (work, use = 'session') => this.withDatabase(flags, work, { use }) : null,
      },
      {
        planned: async (found) => {
          shown = await this.#planned(flags, found, plan);
        },
        approve: (ahead) => approve(flags, ahead),
        fetching: (day) => this.note(`Fetching answers of ${day}, which were paid.`),
        sending: (work) => this.#sending(work),
        reported: async (result, isEarlier) => {
          if (flags.json) return;
          const text = reportText(result, outputWidth());
          await print(isEarlier ? `${text}\n` : `\n${text}`);
        },
        importFailure,
      },
    );
    return this.#print(flags, done, shown!);
  }

  /** Prints what is ahead. */
  async #planned(flags: Flags, { ahead }: Found, plan: CollectPlan): Promise<Preview> {
    const notes = [...ahead.preview.notes, ...limitNotes(ahead.preview, flags['max-usd'] ?? null)];
    const limited = { ...ahead.preview, notes };
    const isLast = flags['dry-run'] === true;
    const preview = isLast ? await withKeyNotes(limited, plan, ahead.schedule, process.env) : limited;
    if (!flags.json) await print(previewText(preview, outputWidth(), isLast));
    return preview;
  }

  #isCompared = false;

  /** The database is open only while it is read, so that an embedded one can be served in the meantime. */
  async #withSubject<T>(
    flags: Flags,
    catalog: Catalog | null,
    work: (subject: Subject) => Promise<T>,
  ): Promise<T> {
    const { subjectOfDatabase, subjectOfDataset } = await import('../../collect/subject.js');
    if (flags.dataset === undefined) {
      return this.withDatabase(flags, async (db) => {
        await this.#compare(db, catalog);
        return work(await subjectOfDatabase(db, flags.brand));
      });
    }
    const source = bytesOf(flags.dataset);
    const file = flags.dataset;
    const subject = await subjectOfDataset(source, flags.brand, file).catch(async (error: unknown) => {
      throw await importFailure(file, error, 'nothing was sent');
    });
    return work(subject);
  }

  /** Says, once, that the prompts of the file are not those that are asked. */
  async #compare(db: Knex, catalog: Catalog | null): Promise<void> {
    if (catalog === null || this.#isCompared) return;
    this.#isCompared = true;
    const { catalogChanges } = await import('../../server/intake/dataset/apply-catalog.js');
    const { length } = (await catalogChanges(db, catalog, currentTime())).changes;
    if (length === 0) return;
    const changes = `${counted(length, 'change')} of the file ${length === 1 ? 'is' : 'are'} not in the database`;
    this.note(`${changes}: \`svc admin apply\` shows and writes ${length === 1 ? 'it' : 'them'}.`);
  }

  /** Sends what is missing, with a bar, until a signal. */
  async #sending(work: (sending: Sending) => Promise<CollectionResult>): Promise<CollectionResult> {
    this.#bar = new CollectBar(!this.#isQuiet);
    const signals = new Signals(() =>
      this.note('Waiting for the calls in flight. Press Ctrl-C again to abandon them.'),
    );
    signals.listen(false);
    await this.#bar.show();
    try {
      const result = await work({
        stop: signals.reading,
        abort: signals.sending,
        onWait: (milliseconds, reason) => this.#onWait(milliseconds, reason),
        onProgress: (progress) => this.#bar.update(progress),
      });
      this.#isStopped = signals.isStopped;
      return result;
    } finally {
      signals.release();
      this.#bar.stop();
    }
  }

  #isStopped = false;

  #onWait(milliseconds: number, reason: string): void {
    if (this.#bar.isShown) this.#bar.waits(milliseconds);
    else if (milliseconds >= NOTED_FROM_MS) this.note(`${reason}; next try in ${duration(milliseconds)}`);
  }

  protected override note(text: string): void {
    if (this.#isQuiet) return;
    const lines = wrapped(text, process.stderr.columns).map((line) => styled(['dim'], line, process.stderr));
    this.#bar.write(`${lines.join('\n')}\n`);
  }

  /** Says where the runs are and what comes next. */
  async #close(flags: Flags, { request, ahead, result, isImported }: DayResult): Promise<void> {
    const { firstVerdictDay } = await import('../../collect/preview.js');
    const { date, out } = request;
    const answered = result?.targets.reduce((sum, tally) => sum + tally.answered, 0) ?? 0;
    const days = new Set([...ahead.days, ...(answered > 0 ? [date] : [])]);
    const ended = { brand: flags.brand, out, isImported, isAsked: result !== null, answered };
    const files = flags.out === undefined ? [] : [...(flags.dataset ? [flags.dataset] : []), out];
    const lines = closingLines({ ...ended, files, verdictDay: firstVerdictDay(days, date) });
    for (const line of lines) this.note(line);
  }

  /** The report, and the failure as exit code; under --json both are one object. */
  async #print(flags: Flags, done: DayResult, preview: Preview): Promise<void> {
    const { request, ahead, result } = done;
    const failure = result && failureOf(result, ahead.preview.held, this.#isStopped);
    const { date, out } = request;
    const isDryRun = flags['dry-run'] === true;
    if (!flags.json) {
      if (!isDryRun) await this.#close(flags, done);
      if (failure) throw failure;
      return;
    }
    const imported = isDryRun ? null : done.isImported;
    const head = { brand: flags.brand, date, dry_run: isDryRun, out, imported };
    await print(`${collectionJson(head, preview, result, failure)}\n`);
    if (failure) this.exit(exitCodes[failure.kind]);
  }
}

/** Where the runs of a day are kept before they are imported. */
async function stateFileOf(flags: Flags, date: string): Promise<string> {
  const { readConfig } = await import('../../server/run/config.js');
  const { databaseLocation } = await import('../../server/database/database.js');
  const { stateFile } = await import('../../collect/setup.js');
  const env = environmentWith(flags);
  return stateFile(databaseLocation(readConfig(env)), flags.brand, date, env);
}

/** Asks whether the calls are to be sent. */
async function approve(flags: Flags, { preview }: Prospect): Promise<void> {
  if (flags.yes) return;
  await confirm({
    question: `Send ${costText(preview)}?`,
    refusal: 'Nothing was sent.',
    hint: 'Add --yes to send without a question, or --dry-run to send nothing.',
  });
}
