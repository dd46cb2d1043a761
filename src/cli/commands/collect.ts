import type { Knex } from 'knex';
import type { CollectRequest, Prospect } from '../../collect/collect.js';
import type { CollectionResult } from '../../collect/collection.js';
import type { CollectPlan } from '../../collect/plan/plan.js';
import type { ScheduledRun } from '../../collect/schedule.js';
import type { Subject } from '../../collect/subject.js';
import { exitCodes } from '../../contract/failure.js';
import type { Catalog } from '../../server/dataset/apply-catalog.js';
import { AdminCommand, environmentWith, explained } from '../base/admin-command.js';
import { confirm } from '../base/prompt.js';
import {
  collectFlags,
  keysOf,
  POLLS,
  readPlan,
  requirePrices,
  stateFile,
  withKeyNotes,
} from '../collect/setup.js';
import {
  closingLines,
  collectionJson,
  costText,
  failureOf,
  limitNotes,
  previewText,
  reportText,
} from '../collect/views.js';
import { CommandError } from '../failure/command-error.js';
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
    const { utcDay } = await import('../../server/days.js');
    const { detached, prospect } = await import('../../collect/collect.js');
    const date = utcDay(new Date());
    const out = flags.out ?? (await this.#stateFile(flags, date));
    if (flags.out === undefined && !flags['dry-run']) await this.#fetchEarlier(flags, plan, date, out);
    const found = await this.#withSubject(flags, catalog, async (subject) => {
      const request: CollectRequest = {
        plan,
        subject,
        date,
        out,
        resume: flags.resume === true,
        retry: flags.retry ?? [],
      };
      return { request: await detached(request), ahead: await prospect(request) };
    });
    const { ahead } = found;
    const notes = [...ahead.preview.notes, ...limitNotes(ahead.preview, flags['max-usd'] ?? null)];
    const limited = { ...ahead.preview, notes };
    const preview = flags['dry-run'] ? withKeyNotes(limited, plan, ahead.schedule, process.env) : limited;
    if (!flags.json) await print(previewText(preview, outputWidth(), flags['dry-run'] === true));
    if (ahead.schedule.some(isLeft)) await requirePrices(plan, flags['max-usd'] ?? null);
    const planned = { ...found, ahead: { ...ahead, preview } };
    if (flags['dry-run']) return this.#print(flags, planned, null, null);
    const result = await this.#send(flags, found);
    // First what the calls gave, because they were paid even if the import fails.
    if (result && !flags.json) await print(`\n${reportText(result, outputWidth())}`);
    const isImported = flags.out === undefined && (await this.#import(flags, out, ahead, result));
    return this.#print(flags, planned, result, isImported);
  }

  /** Fetches the answers of earlier days that a provider still has, which were paid. */
  async #fetchEarlier(flags: Flags, plan: CollectPlan, today: string, out: string): Promise<void> {
    const { detached, prospect } = await import('../../collect/collect.js');
    const { unfinishedDays } = await import('../../collect/journal.js');
    for (const day of await unfinishedDays(out, flags.brand, today)) {
      const found = await this.#withSubject(flags, null, async (subject) => {
        const request: CollectRequest = { plan, subject, ...day, resume: false, retry: [], paidOnly: true };
        return { request: await detached(request), ahead: await prospect(request) };
      });
      this.note(`Fetching answers of ${day.date}, which were paid.`);
      const result = await this.#send(flags, found);
      if (result && !flags.json) await print(`${reportText(result, outputWidth())}\n`);
      await this.#import(flags, day.out, found.ahead, result);
    }
  }

  async #stateFile(flags: Flags, date: string): Promise<string> {
    const { readConfig } = await import('../../server/config.js');
    const { databaseLocation } = await import('../../server/database/database.js');
    return stateFile(databaseLocation(readConfig(environmentWith(flags))), flags.brand, date);
  }

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

  /** Says that the prompts of the file are not those that are asked. */
  async #compare(db: Knex, catalog: Catalog | null): Promise<void> {
    if (catalog === null) return;
    const { catalogChanges } = await import('../../server/dataset/apply-catalog.js');
    const { length } = await catalogChanges(db, catalog, new Date());
    if (length === 0) return;
    const changes = `${counted(length, 'change')} of the file ${length === 1 ? 'is' : 'are'} not in the database`;
    this.note(`${changes}: \`svc admin apply\` shows and writes ${length === 1 ? 'it' : 'them'}.`);
  }

  /** Sends what is missing. Null: nothing is. */
  async #send(flags: Flags, { request, ahead }: Found): Promise<CollectionResult | null> {
    if (!ahead.schedule.some(isLeft)) return null;
    const limits = { maxUsd: flags['max-usd'] ?? null, maxCalls: flags['max-calls'] ?? null };
    const keyOf = keysOf(request.plan, ahead.schedule, process.env);
    if (ahead.preview.calls > 0 && !flags.yes) {
      await confirm({
        question: `Send ${costText(ahead.preview)}?`,
        refusal: 'Nothing was sent.',
        hint: 'Add --yes to send without a question, or --dry-run to send nothing.',
      });
    }
    const { collect } = await import('../../collect/collect.js');
    this.#bar = new CollectBar(!this.#isQuiet);
    const signals = new Signals(() =>
      this.note('Waiting for the calls in flight. Press Ctrl-C again to abandon them.'),
    );
    signals.listen(false);
    await this.#bar.show();
    try {
      const result = await collect(request, {
        ...{ limits, keyOf, stop: signals.reading, abort: signals.sending },
        rawFolder: flags['keep-raw'] ?? null,
        polls: POLLS,
        allowPrivate: process.env.ROBOTS_ALLOW_PRIVATE === 'true',
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

  /** Imports the file if it has runs that the database has not. */
  async #import(
    flags: Flags,
    out: string,
    { unimported }: Prospect,
    result: CollectionResult | null,
  ): Promise<boolean> {
    const made = result?.targets.reduce((sum, tally) => sum + tally.answered + tally.not_shown, 0) ?? 0;
    if (made + unimported === 0) return false;
    const { importDataset } = await import('../../server/dataset/import.js');
    const { retried } = await import('../../server/database/connections.js');
    await this.withDatabase(
      flags,
      async (db) => {
        try {
          await retried(() => importDataset(db, bytesOf(out), { now: new Date() }));
        } catch (error) {
          throw await importFailure(out, error);
        }
      },
      { use: 'copy' },
    );
    return true;
  }

  /** Says where the runs are and what comes next. */
  async #close(
    flags: Flags,
    { request, ahead }: Found,
    result: CollectionResult | null,
    isImported: boolean,
  ): Promise<void> {
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
  async #print(
    flags: Flags,
    { request, ahead }: Found,
    result: CollectionResult | null,
    isImported: boolean | null,
  ): Promise<void> {
    const failure = result && failureOf(result, ahead.preview.held, this.#isStopped);
    const { date, out } = request;
    if (!flags.json) {
      if (!flags['dry-run']) await this.#close(flags, { request, ahead }, result, isImported === true);
      if (failure) throw failure;
      return;
    }
    const head = { brand: flags.brand, date, dry_run: flags['dry-run'] === true, out, imported: isImported };
    await print(`${collectionJson(head, ahead.preview, result, failure)}\n`);
    if (failure) this.exit(exitCodes[failure.kind]);
  }
}

const isLeft = ({ progress }: ScheduledRun): boolean => progress !== 'stored';

interface Found {
  readonly request: CollectRequest;
  readonly ahead: Prospect;
}
