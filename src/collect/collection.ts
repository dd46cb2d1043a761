/** Runs a collection: asks the engines, finds the names, writes the runs. */
import pLimit, { type LimitFunction } from 'p-limit';
import { Budget, type LimitName, type Limits, type Reservation } from './budget/budget.js';
import { roundedUsd } from './budget/cost.js';
import { estimateOf, kindId } from './budget/estimate.js';
import { buildRun } from './build-run.js';
import { type CallResult, type CallSurroundings, call, type Line } from './engine/call.js';
import { Pacing } from './engine/pacing.js';
import { mentionsOf } from './extraction/mentions.js';
import { type ClaimedName, claimedNames } from './extraction/reply.js';
import { extractionQuestion } from './extraction/request.js';
import type { Outcome, Step } from './journal/events.js';
import type { LineFile } from './journal/line-file.js';
import { type CollectPlan, type Endpoint, GLOBAL, type Target } from './plan/plan.js';
import type { Answer } from './protocols/protocol.js';
import { withoutRedirects } from './redirects.js';
import { askKind, extractKind } from './report/preview.js';
import { type Dropped, emptyTally, nothingDropped, type Problem, type TargetTally } from './report/tally.js';
import type { ScheduledRun } from './schedule.js';
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

export interface CollectionProgress {
  readonly done: number;
  readonly total: number;
  readonly calls: number;
  readonly costUsd: number;
}

export interface CollectionResult {
  readonly targets: readonly TargetTally[];
  readonly problems: readonly Problem[];
  readonly dropped: Dropped;
  /** The limit that ended the collection; null: none did. */
  readonly limit: LimitName | null;
  /** Calls and US dollars of all collections of the journal. */
  readonly spent: { readonly calls: number; readonly usd: number };
}

/** An endpoint with its limit of calls at the same time. */
interface Channel extends Line {
  readonly limit: LimitFunction;
  readonly assumedUsd: number | null;
  /** Why no further call is sent. */
  stopped: string | null;
  /** Settles when the first call of an unknown cost has ended. */
  first: Promise<unknown> | undefined;
}

export class Collection {
  readonly #options: CollectionOptions;
  readonly #budget: Budget;
  readonly #channels = new Map<Target, Channel>();
  readonly #extraction: Channel | null;
  readonly #tallies = new Map<Target, TargetTally>();
  readonly #problems: Problem[] = [];
  readonly #dropped = nothingDropped();
  #limit: LimitName | null = null;
  #failure: unknown;
  #done = 0;

  constructor(options: CollectionOptions) {
    this.#options = options;
    const { plan, limits, journal } = options;
    this.#budget = new Budget(limits, journal.history.spent);
    for (const { kind, usd } of journal.history.costs()) this.#budget.observe(kind, usd);
    for (const target of plan.targets) {
      this.#channels.set(target, this.#channel(askKind(target)));
      this.#tallies.set(target, emptyTally(target));
    }
    this.#extraction = plan.extraction && this.#channel(extractKind(plan.extraction));
  }

  #channel(kind: Line['kind']): Channel {
    const { endpoint } = kind;
    const { costUsd } = estimateOf(kind, this.#options.journal.history.usages(kindId(kind)));
    return {
      ...{ kind, key: this.#options.keyOf(endpoint), pacing: new Pacing(), assumedUsd: costUsd },
      ...{ limit: pLimit(endpoint.concurrency), stopped: null, first: undefined },
    };
  }

  /**
   * Does what is left of the schedule. Ends when everything is done, a limit is reached or `stop` is aborted.
   * @throws CollectFileError if a file cannot be written; calls in flight are finished before.
   */
  async run(): Promise<CollectionResult> {
    const { schedule, plan } = this.#options;
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
      if (progress === 'stored' || progress === 'held') this.#tally(target)[progress]++;
    }
    return {
      targets: plan.targets.map((target) => rounded(this.#tally(target))),
      problems: this.#problems,
      dropped: this.#dropped,
      limit: this.#limit,
      spent: { calls: this.#budget.calls, usd: roundedUsd(this.#budget.spentUsd) },
    };
  }

  #tally(target: Target): TargetTally {
    return this.#tallies.get(target)!;
  }

  /** After the first failure of a file no further call is sent. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await work();
    } catch (error) {
      this.#failure ??= error;
    }
    this.#done++;
    this.#progress();
  }

  #progress(): void {
    const { schedule, onProgress } = this.#options;
    const total = schedule.filter(({ progress }) => progress !== 'stored' && progress !== 'held').length;
    const { calls, spentUsd: costUsd } = this.#budget;
    onProgress({ done: this.#done, total, calls, costUsd });
  }

  async #ask(run: ScheduledRun, channel: Channel): Promise<void> {
    const tally = this.#tally(run.target);
    while (channel.first !== undefined && !this.#budget.knows(kindId(channel.kind))) await channel.first;
    if (this.#isOver(channel)) return this.#wait(tally);
    const reserving = this.#reserve(channel);
    const asking = reserving.then(async (reservation) => {
      if (typeof reservation === 'string') return null;
      // While it waited for room, another call may have ended the collection.
      if (this.#isOver(channel)) return reservation.release();
      return { reservation, result: await this.#call(run, channel, questionOf(run), reservation) };
    });
    if (!this.#budget.knows(kindId(channel.kind))) this.#first(channel, asking);
    const asked = await asking;
    if (!asked) return this.#wait(tally);
    const { reservation, result } = asked;
    try {
      if (result.answer === null) this.#note(tally, run.id, 'ask', result);
      else await this.#finish(run, result.answer, result.at, reservation);
    } finally {
      reservation.release();
    }
  }

  #first(channel: Channel, asking: Promise<unknown>): void {
    const first = asking.then(
      () => undefined,
      () => undefined,
    );
    channel.first = first;
    void first.then(() => {
      if (channel.first === first) channel.first = undefined;
    });
  }

  #isOver(channel: Channel): boolean {
    const { stop } = this.#options;
    return stop.aborted || this.#limit !== null || channel.stopped !== null || this.#failure !== undefined;
  }

  #wait(tally: TargetTally): void {
    tally.waiting++;
  }

  /** Room for the call, and for the extraction of its answer: an answer without room for its names is not asked for. */
  async #reserve(...channels: readonly Channel[]): Promise<LimitName | Reservation> {
    const extraction = channels.some(({ kind }) => kind.step === 'ask') ? this.#extraction : null;
    const charges = [...channels, ...(extraction ? [extraction] : [])].map(({ kind, assumedUsd }) => ({
      kind: kindId(kind),
      assumedUsd,
    }));
    const reservation = await this.#budget.reserveWhenFree(charges);
    if (typeof reservation === 'string') this.#limit ??= reservation;
    return reservation;
  }

  async #call(
    run: ScheduledRun,
    channel: Channel,
    question: Parameters<typeof call>[2],
    reservation: Reservation,
  ): Promise<CallResult> {
    const kind = kindId(channel.kind);
    const result = await call(run.id, channel, question, reservation.reservedUsd(kind), this.#options);
    if (result.stopsTarget) channel.stopped = result.detail;
    if (result.outcome === 'not_charged') return result;
    const tally = this.#tally(run.target);
    reservation.spend(kind, result.costUsd);
    tally.calls++;
    tally.cost_usd =
      tally.cost_usd === null || result.costUsd === null ? null : tally.cost_usd + result.costUsd;
    return result;
  }

  /** Goes on with an answer of an earlier collection. */
  async #goOn(run: ScheduledRun): Promise<void> {
    const { history } = this.#options.journal;
    const { answer, at } = history.newest(run.id, 'ask')!.outcome!;
    if (run.progress === 'write') {
      const reply = history.newest(run.id, 'extract')?.outcome?.reply;
      return this.#write(run, answer!, at, reply == null ? null : claimedNames(reply));
    }
    const reservation = await this.#reserve(this.#extraction!);
    if (typeof reservation === 'string') return this.#wait(this.#tally(run.target));
    try {
      await this.#finish(run, answer!, at, reservation);
    } finally {
      reservation.release();
    }
  }

  /** Finds the names of an answer, and writes the run. */
  async #finish(run: ScheduledRun, answer: Answer, at: string, reservation: Reservation): Promise<void> {
    const extraction = this.#extraction;
    if (!extraction) return this.#write(run, answer, at, null);
    const tally = this.#tally(run.target);
    const result = await extraction.limit(async () =>
      extraction.stopped === null
        ? this.#call(run, extraction, extractionQuestion(answer.text), reservation)
        : null,
    );
    // Without a charge the next collection asks for the names of the answer in the journal.
    if (result === null) return this.#wait(tally);
    if (result.outcome === 'not_charged') return this.#note(tally, run.id, 'extract', result);
    const claimed = result.answer && claimedNames(result.answer.text);
    if (claimed === null) {
      const detail = result.detail ?? 'the reply has another shape';
      const outcome = result.answer ? 'malformed' : result.outcome;
      this.#problem({
        run: run.id,
        step: 'extract',
        outcome,
        detail: `${detail}; only tracked names were found`,
      });
    }
    await this.#write(run, answer, at, claimed);
  }

  async #write(
    run: ScheduledRun,
    answer: Answer,
    at: string,
    claimed: readonly ClaimedName[] | null,
  ): Promise<void> {
    const { subject, out, allowPrivate, abort } = this.#options;
    const tally = this.#tally(run.target);
    const pages =
      run.target.protocol === 'gemini'
        ? await withoutRedirects(answer.citations, { allowPrivate, signal: abort })
        : { citations: answer.citations, unresolved: 0 };
    const found = mentionsOf(answer.text, claimed, subject.tracked);
    const parts = {
      brand: subject.brand.id,
      at,
      answer,
      citations: pages.citations,
      mentions: found.mentions,
    };
    const record = buildRun(run, parts);
    if (record === null) {
      tally.malformed++;
      this.#problem({
        run: run.id,
        step: 'ask',
        outcome: 'malformed',
        detail: 'the dataset format does not accept it',
      });
      return;
    }
    await out.append(record);
    tally.answered++;
    tally.names += found.mentions.length;
    tally.citations += pages.citations.length;
    this.#dropped.invented_names += found.inventedNames;
    this.#dropped.invented_spans += found.inventedSpans;
    this.#dropped.added_names += claimed === null ? 0 : found.addedNames;
    this.#dropped.unresolved_pages += pages.unresolved;
  }

  /** Counts a call without an answer. */
  #note(tally: TargetTally, run: string, step: Step, { outcome, detail }: CallResult): void {
    tally[columnOf(outcome)]++;
    const { stop } = this.#options;
    if (outcome === 'not_charged' && stop.aborted) return;
    this.#problem({ run, step, outcome, detail: detail ?? '' });
  }

  #problem(problem: Problem): void {
    this.#problems.push(problem);
  }
}

const rounded = (tally: TargetTally): TargetTally => ({
  ...tally,
  cost_usd: tally.cost_usd === null ? null : roundedUsd(tally.cost_usd),
});

function columnOf(
  outcome: Outcome,
): 'refused' | 'filtered' | 'truncated' | 'malformed' | 'failed' | 'waiting' {
  if (outcome === 'not_charged') return 'waiting';
  return outcome === 'answered' || outcome === 'lost' ? 'failed' : outcome;
}

/** The prompt alone, as a person would type it. */
const questionOf = ({ prompt, target }: ScheduledRun) => ({
  prompt: prompt.text,
  search: target.search,
  country: target.region.toLowerCase() === GLOBAL ? null : target.region.toUpperCase(),
});
