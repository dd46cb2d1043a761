/** Counts what a collection did, by target. */
import { roundedUsd } from '../server/base/language-model.js';
import type { CallResult } from './call.js';
import type { Cause } from './failure.js';
import type { Step } from './journal.js';
import type { Target } from './plan/plan.js';
import type { ScheduledRun } from './schedule.js';

/** A call without the result that it was sent for. */
export interface Problem {
  readonly run: string;
  readonly engine: string;
  readonly region: string;
  readonly step: Step;
  readonly outcome: CallResult['outcome'];
  readonly cause: Cause | null;
  readonly detail: string;
  /** Whether no further call of the endpoint is sent because of it. */
  readonly stops_target: boolean;
}

/** The counts of one target. Each run of the plan is in exactly one of `stored` to `waiting`. */
export interface TargetTally {
  readonly engine: string;
  readonly region: string;
  readonly model: string;
  /** Runs that existed before. */
  stored: number;
  /** Runs that this collection made. */
  answered: number;
  /** Runs that this collection made of searches without an answer. */
  not_shown: number;
  refused: number;
  filtered: number;
  truncated: number;
  /** The response had another shape. */
  malformed: number;
  /** The call failed or its response was lost: it may have been charged. */
  failed: number;
  /** Asked in an earlier collection, which got no answer. */
  held: number;
  /** Not asked, or not charged, or without its names: the next collection goes on with them. */
  waiting: number;
  /** Calls that were or may have been charged, those of the extraction included. */
  calls: number;
  names: number;
  citations: number;
  /** US dollars. Null: the cost of a call is not known. */
  cost_usd: number | null;
}

/** The runs of the plan that do not exist. */
export const missingOf = (tally: TargetTally): number =>
  tally.refused +
  tally.filtered +
  tally.truncated +
  tally.malformed +
  tally.failed +
  tally.held +
  tally.waiting;

/** What was not taken over from engines and from the extraction model. */
export interface Dropped {
  /** Names that a model listed and the answer does not have. */
  invented_names: number;
  /** Spans that the answer does not have; their tones were dropped too. */
  invented_spans: number;
  /** Cited pages of which only the domain is known. */
  unresolved_pages: number;
  /** Tracked names that the model missed. */
  added_names: number;
}

type Failed = Pick<CallResult, 'outcome' | 'cause' | 'detail' | 'stopsTarget'>;

const emptyTally = ({ engine, region, model }: Target): TargetTally => ({
  engine,
  region,
  model,
  stored: 0,
  answered: 0,
  not_shown: 0,
  refused: 0,
  filtered: 0,
  truncated: 0,
  malformed: 0,
  failed: 0,
  held: 0,
  waiting: 0,
  calls: 0,
  names: 0,
  citations: 0,
  cost_usd: 0,
});

/** Everything that a collection reports. */
export class Report {
  readonly problems: Problem[] = [];
  readonly dropped: Dropped = { invented_names: 0, invented_spans: 0, unresolved_pages: 0, added_names: 0 };
  readonly #stop: AbortSignal;
  readonly #tallies: ReadonlyMap<Target, TargetTally>;

  /** @param stop Aborted: calls are not sent because of a signal. */
  constructor(targets: readonly Target[], stop: AbortSignal) {
    this.#stop = stop;
    this.#tallies = new Map(targets.map((target) => [target, emptyTally(target)]));
  }

  of(target: Target): TargetTally {
    return this.#tallies.get(target)!;
  }

  /** The tallies in the order of the plan, with rounded costs. */
  get targets(): TargetTally[] {
    return [...this.#tallies.values()].map((tally) => ({
      ...tally,
      cost_usd: tally.cost_usd === null ? null : roundedUsd(tally.cost_usd),
    }));
  }

  /** Runs of this collection that have a result, good or bad. */
  get done(): number {
    return [...this.#tallies.values()].reduce((sum, tally) => sum + settled(tally), 0);
  }

  /** Counts a call that was or may have been charged. */
  charge(target: Target, costUsd: number | null): void {
    const tally = this.of(target);
    tally.calls++;
    tally.cost_usd = tally.cost_usd === null || costUsd === null ? null : tally.cost_usd + costUsd;
  }

  /** Counts a run that is left to the next collection. */
  wait(target: Target): void {
    this.of(target).waiting++;
  }

  /** Counts a run without an answer or without its names. */
  unanswered(run: ScheduledRun, step: Step, failed: Failed): void {
    this.of(run.target)[columnOf(failed.outcome)]++;
    // A call that was not sent because of a signal is not reported.
    if (columnOf(failed.outcome) === 'waiting' && this.#stop.aborted) return;
    this.note(run, step, failed);
  }

  /** Reports a call. What stops an endpoint is reported once, not for each call that was in flight. */
  note({ id, target }: ScheduledRun, step: Step, { outcome, cause, detail, stopsTarget }: Failed): void {
    const { engine, region } = target;
    const isKnown = (other: Problem) =>
      other.stops_target &&
      other.step === step &&
      other.detail === detail &&
      (step === 'extract' || (other.engine === engine && other.region === region));
    if (stopsTarget && this.problems.some(isKnown)) return;
    this.problems.push({
      run: id,
      engine,
      region,
      step,
      outcome,
      cause,
      detail: detail ?? '',
      stops_target: stopsTarget,
    });
  }
}

const settled = (tally: TargetTally): number => {
  const { answered, not_shown, refused, filtered, truncated, malformed, failed } = tally;
  return answered + not_shown + refused + filtered + truncated + malformed + failed;
};

function columnOf(
  outcome: CallResult['outcome'],
): 'refused' | 'filtered' | 'truncated' | 'malformed' | 'failed' | 'waiting' {
  if (outcome === 'not_charged' || outcome === 'pending') return 'waiting';
  return outcome === 'answered' || outcome === 'not_shown' || outcome === 'lost' ? 'failed' : outcome;
}
