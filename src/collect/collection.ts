/** Runs a collection: asks the engines, has names found, writes the runs. */
import { Budget, type LimitName, type Limits, type Reservation } from './budget/budget.js';
import { roundedUsd } from './budget/cost.js';
import { Channel } from './channel.js';
import { type CallResult, type CallSurroundings, call } from './engine/call.js';
import { claimedNames } from './extraction/reply.js';
import { extractionQuestion } from './extraction/request.js';
import type { LineFile } from './journal/line-file.js';
import { type CollectPlan, type Endpoint, GLOBAL, type Target } from './plan/plan.js';
import type { Answer, Question } from './protocols/protocol.js';
import { askKind, extractKind } from './report/preview.js';
import { type Dropped, type Problem, Report, type TargetTally } from './report/tally.js';
import { RunWriter } from './run-writer.js';
import { isOpen, type ScheduledRun } from './schedule.js';
import type { Subject } from './subject.js';

export interface CollectionOptions extends CallSurroundings {
  readonly plan: CollectPlan;
  readonly subject: Subject;
  readonly schedule: readonly ScheduledRun[];
  readonly limits: Limits;
  /** The key of an endpoint; null: it needs none. */
  readonly keyOf: (endpoint: Endpoint) => string | null;
  /** Where the runs are written. */
  readonly out: LineFile;
  /** Whether redirects may lead to private addresses. */
  readonly allowPrivate: boolean;
  readonly onProgress: (progress: CollectionProgress) => void;
}

/** Calls that were or may have been charged, and US dollars; null: a price is not stated. */
export interface Spent {
  readonly calls: number;
  readonly usd: number | null;
}

export interface CollectionProgress {
  /** Runs with a result, and runs to do. */
  readonly done: number;
  readonly total: number;
  readonly spent: Spent;
}

export interface CollectionResult {
  readonly targets: readonly TargetTally[];
  readonly problems: readonly Problem[];
  readonly dropped: Dropped;
  /** The limit that ended the collection; null: none did. */
  readonly limit: LimitName | null;
  /** Of all collections of the journal. */
  readonly spent: Spent;
}

interface Answered {
  readonly answer: Answer;
  /** When it arrived. */
  readonly at: string;
}

export class Collection {
  readonly #options: CollectionOptions;
  readonly #budget: Budget;
  readonly #report: Report;
  readonly #writer: RunWriter;
  readonly #channels: ReadonlyMap<Target, Channel>;
  readonly #extraction: Channel | null;
  #limit: LimitName | null = null;
  #failure: unknown;

  constructor(options: CollectionOptions) {
    this.#options = options;
    const { plan, limits, journal, keyOf, subject, out, allowPrivate, abort } = options;
    const { history } = journal;
    this.#budget = new Budget(limits, history.spent);
    for (const { kind, usd } of history.costs()) this.#budget.observe(kind, usd);
    this.#report = new Report(plan.targets);
    this.#writer = new RunWriter(subject, out, { allowPrivate, signal: abort }, this.#report);
    this.#channels = new Map(
      plan.targets.map((target) => [target, new Channel(askKind(target), keyOf(target), history)]),
    );
    const { extraction } = plan;
    this.#extraction = extraction && new Channel(extractKind(extraction), keyOf(extraction), history);
  }

  /**
   * Does what is left of the schedule. Ends when everything is done, a limit is reached or `stop` is aborted.
   * @throws CollectFileError if a file cannot be written; calls in flight are finished before.
   */
  async run(): Promise<CollectionResult> {
    const { schedule } = this.#options;
    this.#progress();
    // Answers that are paid first.
    const paid = schedule.filter(({ progress }) => progress === 'write' || progress === 'extract');
    await Promise.all(paid.map((run) => this.#guarded(() => this.#goOn(run))));
    const asking = schedule.filter(({ progress }) => progress === 'ask');
    await Promise.all(
      asking.map((run) => {
        const channel = this.#channels.get(run.target)!;
        return channel.limit(() => this.#guarded(() => this.#ask(run, channel)));
      }),
    );
    if (this.#failure !== undefined) throw this.#failure;
    for (const { progress, target } of schedule) {
      if (progress === 'stored' || progress === 'held') this.#report.of(target)[progress]++;
    }
    const { targets, problems, dropped } = this.#report;
    return { targets, problems, dropped, limit: this.#limit, spent: this.#spent };
  }

  get #spent(): Spent {
    const { calls, spentUsd } = this.#budget;
    const channels = [...this.#channels.values(), ...(this.#extraction ? [this.#extraction] : [])];
    const isPriced = channels.every(({ assumedUsd }) => assumedUsd !== null);
    return { calls, usd: isPriced ? roundedUsd(spentUsd) : null };
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
    const { schedule, onProgress } = this.#options;
    onProgress({ done: this.#report.done, total: schedule.filter(isOpen).length, spent: this.#spent });
  }

  async #ask(run: ScheduledRun, channel: Channel): Promise<void> {
    const ids = [channel, ...(this.#extraction ? [this.#extraction] : [])].map(({ id }) => id);
    const isKnown = () => ids.every((id) => this.#budget.knows(id));
    // Checked again after each wait, and without a pause before the call begins: one call alone can be the first.
    while (channel.first !== undefined && !isKnown()) await channel.first;
    if (this.#isOver(channel)) return this.#wait(run);
    const asking = this.#askAndFinish(run, channel);
    if (!isKnown()) channel.beginFirst(asking);
    await asking;
  }

  async #askAndFinish(run: ScheduledRun, channel: Channel): Promise<void> {
    const asked = await this.#reservedAsk(run, channel);
    if (asked === null) return this.#wait(run);
    const { reservation, result } = asked;
    try {
      if (result.answer === null) this.#missing(run, 'ask', result);
      else await this.#finish(run, { answer: result.answer, at: result.at }, reservation);
    } finally {
      reservation.release();
    }
  }

  /** Asks when there is room. Null: the collection ended before. */
  async #reservedAsk(
    run: ScheduledRun,
    channel: Channel,
  ): Promise<{ reservation: Reservation; result: CallResult } | null> {
    // An answer without room for its names is not asked for.
    const reservation = await this.#reserve([channel, ...(this.#extraction ? [this.#extraction] : [])]);
    if (reservation === null) return null;
    try {
      // While it waited for room, another call may have ended the collection.
      if (!this.#isOver(channel)) {
        return { reservation, result: await this.#call(run, channel, questionOf(run), reservation) };
      }
    } catch (error) {
      reservation.release();
      throw error;
    }
    reservation.release();
    return null;
  }

  #isOver(channel: Channel): boolean {
    // Answers whose names nobody finds are not asked for.
    const isStopped = channel.stopped !== null || (this.#extraction?.stopped ?? null) !== null;
    return isStopped || this.#options.stop.aborted || this.#limit !== null || this.#failure !== undefined;
  }

  #wait(run: ScheduledRun): void {
    this.#report.of(run.target).waiting++;
  }

  /** Room for a call of each channel. Null: a limit leaves none. */
  async #reserve(channels: readonly Channel[]): Promise<Reservation | null> {
    const charges = channels.map(({ id, assumedUsd }) => ({ kind: id, assumedUsd }));
    const reservation = await this.#budget.reserveWhenFree(charges);
    if (typeof reservation !== 'string') return reservation;
    this.#limit ??= reservation;
    return null;
  }

  async #call(
    run: ScheduledRun,
    channel: Channel,
    question: Question,
    reservation: Reservation,
  ): Promise<CallResult> {
    const result = await call(run.id, channel, question, reservation.reservedUsd(channel.id), this.#options);
    if (result.stopsTarget) channel.stopped = result.detail;
    if (result.outcome === 'not_charged') return result;
    reservation.spend(channel.id, result.costUsd);
    this.#report.charge(run.target, result.costUsd);
    return result;
  }

  /** Goes on with an answer of an earlier collection. */
  async #goOn(run: ScheduledRun): Promise<void> {
    const { history } = this.#options.journal;
    const { answer, at } = history.newest(run.id, 'ask')!.outcome!;
    const answered = { answer: answer!, at };
    if (run.progress === 'write') {
      const reply = history.newest(run.id, 'extract')?.outcome?.reply;
      return this.#writer.write(run, answered, reply == null ? null : claimedNames(reply));
    }
    if (this.#isOver(this.#extraction!)) return this.#wait(run);
    const reservation = await this.#reserve([this.#extraction!]);
    if (reservation === null) return this.#wait(run);
    try {
      await this.#finish(run, answered, reservation);
    } finally {
      reservation.release();
    }
  }

  /** Has the names of an answer found, and writes the run. */
  async #finish(run: ScheduledRun, answered: Answered, reservation: Reservation): Promise<void> {
    const extraction = this.#extraction;
    if (!extraction) return this.#writer.write(run, answered, null);
    const question = extractionQuestion(answered.answer.text);
    const result = await extraction.limit(async () =>
      extraction.stopped === null ? this.#call(run, extraction, question, reservation) : null,
    );
    // Without a charge the next collection asks for the names of the answer in the journal.
    if (result === null) return this.#wait(run);
    if (result.outcome === 'not_charged') return this.#missing(run, 'extract', result);
    const claimed = result.answer && claimedNames(result.answer.text);
    if (claimed === null) {
      const detail = `${result.detail ?? 'the reply has another shape'}; only tracked names were found`;
      const outcome = result.answer ? 'malformed' : result.outcome;
      this.#report.problems.push({ run: run.id, step: 'extract', outcome, detail });
    }
    await this.#writer.write(run, answered, claimed);
  }

  #missing(run: ScheduledRun, step: Problem['step'], { outcome, detail }: CallResult): void {
    // That it was not sent because of a signal is no problem of the call.
    if (outcome === 'not_charged' && this.#options.stop.aborted) this.#wait(run);
    else this.#report.missing(run.target, { run: run.id, step, outcome, detail: detail ?? '' });
  }
}

/** The prompt alone, as a person would type it. */
const questionOf = ({ prompt, target }: ScheduledRun): Question => ({
  prompt: prompt.text,
  search: target.search,
  country: target.region.toLowerCase() === GLOBAL ? null : target.region.toUpperCase(),
});
