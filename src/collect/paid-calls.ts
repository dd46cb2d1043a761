/** Calls within the limits of a collection: the most that they cost is reserved before, and what they cost is counted. */

import pLimit, { type LimitFunction } from 'p-limit';
import { roundedUsd } from '../server/base/language-model.js';
import { Breaker } from './breaker.js';
import {
  arePriced,
  assumedUsd,
  Budget,
  type CallKind,
  costOf,
  kindId,
  type LimitName,
  type Limits,
  mostOf,
  type Reservation,
  spentIn,
} from './budget.js';
import { type CallDeps, call, type EndpointCalls, Pacing, type TimedResult } from './call.js';
import type { History, Journal, PastCall } from './journal.js';
import type { EngineInput } from './protocols/protocol.js';
import { queuedCall } from './queued-call.js';
import type { ScheduledRun } from './schedule.js';
import type { Report } from './tally.js';
import type { Time } from './time.js';

/** Calls that were or may have been charged, and US dollars; null: a price is not stated. */
export interface Spent {
  readonly calls: number;
  readonly usd: number | null;
  /** The part of `usd` that was reserved for calls whose cost is not known. */
  readonly assumed_usd: number;
}

/** A call that cost more than was reserved for it. */
export interface Overrun {
  readonly run: string;
  readonly model: string;
  readonly cost_usd: number;
  readonly reserved_usd: number;
}

/** A call of a channel, and the most that it costs. */
export interface Planned {
  readonly channel: Channel;
  readonly mostUsd: number | null;
}

export interface PaidCallDeps extends CallDeps {
  readonly journal: Journal;
}

export class PaidCalls {
  readonly #deps: PaidCallDeps;
  readonly #limits: Limits;
  readonly #channels: readonly Channel[];
  readonly #report: Report;
  readonly #budget: Budget;
  #assumedUsd: number;
  #limit: LimitName | null = null;
  /** Whether the cost of the calls before is known. */
  readonly #wasPriced: boolean;
  readonly #full = new Set<Channel>();
  #overrun: Overrun | null = null;

  /** @param channels All that calls are sent by. */
  constructor(deps: PaidCallDeps, limits: Limits, channels: readonly Channel[], report: Report) {
    this.#deps = deps;
    this.#limits = limits;
    this.#channels = channels;
    this.#report = report;
    const spent = spentIn(
      deps.journal.history,
      channels.map(({ kind }) => kind),
    );
    this.#assumedUsd = spent.assumedUsd;
    this.#wasPriced = spent.isPriced;
    this.#budget = new Budget(limits, spent);
    for (const { id, earlierUsd } of channels) for (const cost of earlierUsd) this.#budget.observe(id, cost);
  }

  /** Whether the limits have no room for calls by this channel any more, because of a limit or of a call that cost too much. */
  isFull(channel: Channel): boolean {
    return this.#overrun !== null || this.#full.has(channel);
  }

  /** The limit that left no room for some calls; null: none did. */
  get limit(): LimitName | null {
    return this.#limit;
  }

  /** The call that ended the collection, because it cost more than was reserved under `--max-usd`. */
  get overrun(): Overrun | null {
    return this.#overrun;
  }

  /** What all collections of the journal have spent. */
  get spent(): Spent {
    const { calls, spentUsd } = this.#budget;
    const isKnown = calls === 0 || (this.#wasPriced && this.#channels.every(({ isPriced }) => isPriced));
    return { calls, usd: isKnown ? roundedUsd(spentUsd) : null, assumed_usd: roundedUsd(this.#assumedUsd) };
  }

  /**
   * Whether several calls of the kind may be sent at once: the most that one costs is known or does not matter, and the last
   * one did not fail. Else one is sent at a time.
   */
  knows(kind: string): boolean {
    const isCautious = (channel: Channel) => channel.stopped === null && channel.breaker.isCautious;
    if (this.#channels.some((channel) => channel.id === kind && isCautious(channel))) return false;
    if (this.#limits.maxUsd === null) return true;
    const isUnbounded = this.#channels.some((channel) => channel.id === kind && channel.isUnbounded);
    return !isUnbounded && this.#budget.knows(kind);
  }

  /** Room for these calls together. Null: a limit leaves none. */
  async reserve(planned: readonly Planned[]): Promise<Reservation | null> {
    const charges = planned.map(({ channel, mostUsd }) => ({ kind: channel.id, mostUsd }));
    const reservation = await this.#budget.reserveWhenFree(charges);
    if (typeof reservation !== 'string') return reservation;
    this.#limit ??= reservation;
    // No call is in flight that could give room back. Calls of other engines, or about a shorter answer, may still fit.
    const { channel } = planned[0]!;
    if (channel.kind.step === 'ask') this.#full.add(channel);
    return null;
  }

  /**
   * Sends a call for a run in the room of the reservation.
   * @returns Null: it was not sent, because it may cost more than there is room for, another call did, or another call finds
   * out whether the endpoint answers again.
   */
  async send(
    run: ScheduledRun,
    channel: Channel,
    input: EngineInput,
    reservation: Reservation,
  ): Promise<TimedResult | null> {
    const mostUsd = channel.mostUsd(input);
    if (this.#overrun !== null || !channel.breaker.takesCall) return null;
    if (!reservation.grow(channel.id, mostUsd ?? 0)) {
      this.#limit ??= 'maxUsd';
      return null;
    }
    const reserved = mostUsd === null ? null : reservation.reservedUsd(channel.id);
    const sent = await channel.breaker.during(() =>
      channel.kind.endpoint.provider === null
        ? call(run.id, channel, input, reserved, this.#deps)
        : queuedCall(run.id, channel, input, reserved, this.#deps, null),
    );
    const result = { ...sent.result, stopsTarget: sent.result.stopsTarget || sent.stops };
    if (result.stopsTarget) channel.stopped = result.detail;
    if (sent.restMs > 0) {
      channel.pacing.pause(sent.restMs);
      this.#deps.onWait(sent.restMs, result.detail ?? '');
    }
    if (result.outcome === 'not_charged') return result;
    this.#spend(run, channel, reservation, result.costUsd);
    return result;
  }

  /** Goes on with a question that an earlier collection sent; what it counted as is corrected. */
  async fetch(run: ScheduledRun, channel: Channel, input: EngineInput, open: PastCall): Promise<TimedResult> {
    const result = await queuedCall(run.id, channel, input, null, this.#deps, open);
    if (result.stopsTarget) channel.stopped = result.detail;
    const { outcome, costUsd } = result;
    if (outcome !== 'not_charged' && costUsd === null) return result;
    const assumed = assumedUsd(open, channel.kind);
    this.#assumedUsd -= assumed;
    this.#budget.correct(channel.id, assumed, outcome === 'not_charged' ? null : costUsd);
    if (outcome !== 'not_charged') this.#report.charge(run.target, costUsd);
    return result;
  }

  #spend(run: ScheduledRun, channel: Channel, reservation: Reservation, costUsd: number | null): void {
    const reserved = reservation.reservedUsd(channel.id);
    const over = reservation.spend(channel.id, costUsd);
    if (costUsd === null) this.#assumedUsd += reserved;
    this.#report.charge(run.target, costUsd);
    if (over === 0 || this.#limits.maxUsd === null) return;
    const { model } = channel.kind.endpoint;
    this.#limit ??= 'maxUsd';
    this.#overrun ??= {
      run: run.id,
      model,
      cost_usd: roundedUsd(costUsd!),
      reserved_usd: roundedUsd(reserved),
    };
  }
}

// The calls to one endpoint: its limit of calls at the same time, its pauses, and why it accepts no further ones.

export class Channel implements EndpointCalls {
  readonly kind: CallKind;
  /** Names the calls that cost alike: those of a kind at the same prices. */
  readonly id: string;
  readonly key: string | null;
  readonly pacing: Pacing;
  readonly limit: LimitFunction;
  readonly breaker: Breaker;
  /** Why no further call is sent. */
  stopped: string | null = null;
  /** What the earlier calls of the journals cost at the prices of the plan; those whose cost is not known are left out. */
  readonly earlierUsd: readonly number[];
  /** Whether an earlier call cost more than its request allows, so that the next one may too. */
  readonly isUnbounded: boolean;

  /** @param runs The ids of those whose calls it sends. */
  constructor(kind: CallKind, key: string | null, history: History, runs: ReadonlySet<string>, time: Time) {
    const { endpoint } = kind;
    this.kind = kind;
    this.id = `${kindId(kind)} ${endpoint.inputUsdPerMtok} ${endpoint.outputUsdPerMtok} ${endpoint.callUsd}`;
    this.key = key;
    this.pacing = new Pacing(time);
    this.limit = pLimit(endpoint.concurrency);
    this.breaker = new Breaker(history.faultsInARow(kind.step, runs));
    const costs = history.allUsages(kindId(kind)).map((usage) => costOf(usage, endpoint, kind.search));
    this.earlierUsd = costs.filter((cost) => cost !== null);
    this.isUnbounded = history.hasOverrun(kindId(kind));
  }

  get isPriced(): boolean {
    return arePriced(this.kind.endpoint, this.kind.search);
  }

  /** The most that a call costs, in US dollars; null: a price is not stated. */
  mostUsd(input: EngineInput, answerTokens = 0): number | null {
    return mostOf(this.kind, input, answerTokens).usd;
  }
}

/** Lets only one call be the first of its kind, so that its cost is known before others are sent. */
export class FirstCalls {
  readonly #isKnown: (kind: string) => boolean;
  /** Settles when the first call of the kind has ended. */
  readonly #running = new Map<string, Promise<void>>();

  /** @param isKnown Whether the cost of a call of the kind is known. */
  constructor(isKnown: (kind: string) => boolean) {
    this.#isKnown = isKnown;
  }

  /** Does work that makes calls of these kinds, when no other work makes the first call of one of them. */
  async during(kinds: readonly string[], work: () => Promise<void>): Promise<void> {
    const unknown = () => kinds.filter((kind) => !this.#isKnown(kind));
    // Checked again after each wait, and without a pause before the work begins.
    for (let first = this.#firstOf(unknown()); first; first = this.#firstOf(unknown())) await first;
    const own = unknown();
    const working = work();
    const settled = working.then(
      () => this.#end(own),
      () => this.#end(own),
    );
    for (const kind of own) this.#running.set(kind, settled);
    return working;
  }

  #firstOf(kinds: readonly string[]): Promise<void> | undefined {
    return kinds.map((kind) => this.#running.get(kind)).find((running) => running !== undefined);
  }

  #end(kinds: readonly string[]): void {
    for (const kind of kinds) this.#running.delete(kind);
  }
}
