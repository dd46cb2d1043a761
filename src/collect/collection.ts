/** Runs a collection: asks the engines, has names found, writes the runs. */
import { type CallKind, type LimitName, type Limits, mostOutput, type Reservation } from './budget.js';
import { type Drift, driftOf } from './drift.js';
import { extractionInput } from './extraction/reply.js';
import type { LineFile } from './line-file.js';
import {
  Channel,
  FirstCalls,
  type Overrun,
  type PaidCallDeps,
  PaidCalls,
  type Planned,
  type Spent,
} from './paid-calls.js';
import type { CollectPlan, Endpoint, Target } from './plan/plan.js';
import { askKind, extractKind } from './preview.js';
import { type Answered, RunFinisher, RunWriter } from './run-writer.js';
import { inputOf, isOpen, type ScheduledRun } from './schedule.js';
import type { Subject } from './subject.js';
import { type Dropped, missingOf, type Problem, Report, type TargetTally } from './tally.js';

export interface CollectionOptions extends PaidCallDeps {
  readonly plan: CollectPlan;
  readonly subject: Subject;
  readonly schedule: readonly ScheduledRun[];
  /** The UTC day of the runs. */
  readonly date: string;
  readonly limits: Limits;
  /** The key of an endpoint; null: it needs none. */
  readonly keyOf: (endpoint: Endpoint) => string | null;
  /** Where the runs are written. */
  readonly out: LineFile;
  /** Whether redirects may lead to private addresses. */
  readonly allowPrivate: boolean;
  readonly onProgress: (progress: CollectionProgress) => void;
}

export interface CollectionProgress {
  /** Runs with a result, and runs to do. */
  readonly done: number;
  readonly total: number;
  readonly spent: Spent;
}

export interface CollectionResult {
  readonly targets: readonly TargetTally[];
  /** Runs of the plan that do not exist. */
  readonly missing: number;
  readonly problems: readonly Problem[];
  readonly dropped: Dropped;
  /** What answers had on an earlier day, and none has today. */
  readonly drift: readonly Drift[];
  /** The limit that ended the collection; null: none did. */
  readonly limit: LimitName | null;
  /** The call that ended the collection, because it cost more than a call may under `--max-usd`; null: none did. */
  readonly overrun: Overrun | null;
  /** What all collections of the journal have spent. */
  readonly spent: Spent;
}

export class Collection {
  readonly #options: CollectionOptions;
  /** Runs to do. */
  readonly #total: number;
  readonly #report: Report;
  readonly #calls: PaidCalls;
  readonly #firstCalls: FirstCalls;
  readonly #finisher: RunFinisher;
  readonly #channels: ReadonlyMap<Target, Channel>;
  readonly #extraction: readonly Channel[];
  #failure: unknown;

  constructor(options: CollectionOptions) {
    this.#options = options;
    const { plan, schedule, limits, journal, keyOf, subject, out, allowPrivate, stop, abort, time } = options;
    const channelOf = (kind: CallKind, endpoint: Endpoint) => {
      const own = schedule.filter(({ target }) => kind.step === 'extract' || target === endpoint);
      const runs = new Set(own.map(({ id }) => id));
      return new Channel(kind, keyOf(endpoint), journal.history, runs, time);
    };
    this.#total = schedule.filter(isOpen).length;
    this.#report = new Report(plan.targets, stop);
    this.#channels = new Map(plan.targets.map((target) => [target, channelOf(askKind(target), target)]));
    const { extraction } = plan;
    const names = extraction && channelOf(extractKind(extraction), extraction);
    this.#extraction = names ? [names] : [];
    const all = [...this.#channels.values(), ...this.#extraction];
    this.#calls = new PaidCalls(options, limits, all, this.#report);
    this.#firstCalls = new FirstCalls((kind) => this.#calls.knows(kind));
    const writer = new RunWriter(subject, out, journal, { allowPrivate, signal: abort }, this.#report);
    this.#finisher = new RunFinisher(names, this.#calls, writer, this.#report);
  }

  /**
   * Does what is left of the schedule. Ends when everything is done, a limit is reached or `stop` is aborted.
   * @throws CollectFileError if a file cannot be written; calls in flight are finished before.
   */
  async run(): Promise<CollectionResult> {
    this.#progress();
    // Answers that are paid first.
    await this.#each(['write', 'extract'], (run) => this.#goOn(run));
    await this.#each(['fetch'], (run, channel) => this.#fetch(run, channel));
    await this.#each(['ask'], (run, channel) => this.#ask(run, channel));
    if (this.#failure !== undefined) throw this.#failure;
    for (const { progress, target } of this.#options.schedule) {
      if (progress === 'stored' || progress === 'held') this.#report.of(target)[progress]++;
    }
    const { targets, problems, dropped } = this.#report;
    const { limit, overrun, spent } = this.#calls;
    const { plan, journal, date } = this.#options;
    const drift = driftOf(plan.targets, journal.history, date);
    const missing = targets.reduce((sum, tally) => sum + missingOf(tally), 0);
    return { targets, missing, problems, dropped, drift, limit, overrun, spent };
  }

  /** Runs `work` for each scheduled run with this progress, as many at once as the target allows. */
  async #each(
    progress: readonly ScheduledRun['progress'][],
    work: (run: ScheduledRun, channel: Channel) => Promise<void>,
  ): Promise<void> {
    const runs = this.#options.schedule.filter((run) => progress.includes(run.progress));
    await Promise.all(
      runs.map((run) => {
        const channel = this.#channels.get(run.target)!;
        return channel.limit(() => this.#guarded(() => work(run, channel)));
      }),
    );
  }

  /** After the first failure of a file no further call is sent. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await work();
    } catch (error) {
      this.#failure ??= error;
    }
    this.#progress();
  }

  #progress(): void {
    this.#options.onProgress({ done: this.#report.done, total: this.#total, spent: this.#calls.spent });
  }

  /** An answer without room for its names is not asked for. */
  #ask(run: ScheduledRun, channel: Channel): Promise<void> {
    const input = inputOf(run);
    const answerTokens = mostOutput(channel.kind);
    const names = this.#extraction.map((each) => ({
      channel: each,
      mostUsd: each.mostUsd(extractionInput(''), answerTokens),
    }));
    const planned = [{ channel, mostUsd: channel.mostUsd(input) }, ...names];
    return this.#withRoom(run, planned, async (reservation) => {
      const result = await this.#calls.send(run, channel, input, reservation);
      if (result === null) return this.#report.wait(run.target);
      const { answer, at } = result;
      if (answer === null) this.#report.unanswered(run, 'ask', result);
      else await this.#finisher.finish(run, { answer, at }, reservation);
    });
  }

  /** Goes on with a question that an earlier collection sent. Its cost is counted already. */
  async #fetch(run: ScheduledRun, channel: Channel): Promise<void> {
    const open = this.#options.journal.history.newest(run.id, 'ask')!;
    if (channel.stopped !== null || this.#options.stop.aborted) return this.#report.wait(run.target);
    const result = await this.#calls.fetch(run, channel, inputOf(run), open);
    const { answer, at } = result;
    if (answer === null) return this.#report.unanswered(run, 'ask', result);
    return this.#named(run, { answer, at });
  }

  /** Has the names of an answer found that is paid. */
  #named(run: ScheduledRun, answered: Answered): Promise<void> {
    const input = extractionInput(answered.answer.text);
    const planned = this.#extraction.map((channel) => ({ channel, mostUsd: channel.mostUsd(input) }));
    return this.#withRoom(run, planned, (reservation) => this.#finisher.finish(run, answered, reservation));
  }

  /** Goes on with an answer of an earlier collection. */
  #goOn(run: ScheduledRun): Promise<void> {
    const { history } = this.#options.journal;
    const { answer, at } = history.newest(run.id, 'ask')!.outcome!;
    const answered = { answer: answer!, at };
    return run.progress === 'write'
      ? this.#finisher.write(run, answered, history)
      : this.#named(run, answered);
  }

  /** Runs `work`, which sends calls by these channels, unless the collection has ended or a limit leaves no room for them. */
  async #withRoom(
    run: ScheduledRun,
    planned: readonly Planned[],
    work: (reservation: Reservation) => Promise<void>,
  ): Promise<void> {
    const channels = planned.map(({ channel }) => channel);
    const ids = channels.map(({ id }) => id);
    return this.#firstCalls.during(ids, async () => {
      const reservation = this.#isOver(channels) ? null : await this.#calls.reserve(planned);
      try {
        // While it waited for room, another call may have ended the collection.
        if (reservation === null || this.#isOver(channels)) this.#report.wait(run.target);
        else await work(reservation);
      } finally {
        reservation?.release();
      }
    });
  }

  /** Also true if no names can be extracted any more, because then no answers are asked for. */
  #isOver(channels: readonly Channel[]): boolean {
    const takesNone = (channel: Channel) => channel.stopped !== null || this.#calls.isFull(channel);
    return channels.some(takesNone) || this.#options.stop.aborted || this.#failure !== undefined;
  }
}
