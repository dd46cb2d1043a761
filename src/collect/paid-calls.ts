/** Calls within the limits of a collection: room is reserved before, and what they cost is counted. */

import { roundedUsd } from '../language-models/token-cost.js';
import { Budget, type LimitName, type Limits, type Reservation } from './budget/budget.js';
import { type CallSurroundings, call } from './calls/call.js';
import type { CallResult } from './calls/judge.js';
import type { Channel } from './channel.js';
import type { EngineInput } from './protocols/protocol.js';
import type { Report } from './report/tally.js';
import type { ScheduledRun } from './schedule.js';

/** Calls that were or may have been charged, and US dollars; null: a price is not stated. */
export interface Spent {
  readonly calls: number;
  readonly usd: number | null;
}

export class PaidCalls {
  readonly #around: CallSurroundings;
  readonly #channels: readonly Channel[];
  readonly #report: Report;
  readonly #budget: Budget;
  #limit: LimitName | null = null;

  /** @param channels All that calls are sent by. */
  constructor(around: CallSurroundings, limits: Limits, channels: readonly Channel[], report: Report) {
    this.#around = around;
    this.#channels = channels;
    this.#report = report;
    this.#budget = new Budget(limits, around.journal.history.spent);
    for (const { id, earlierUsd } of channels) for (const usd of earlierUsd) this.#budget.observe(id, usd);
  }

  /** The limit that left no room; null: none did. */
  get limit(): LimitName | null {
    return this.#limit;
  }

  /** Of all collections of the journal. */
  get spent(): Spent {
    const { calls, spentUsd } = this.#budget;
    const isKnown = calls === 0 || this.#channels.every(({ assumedUsd }) => assumedUsd !== null);
    return { calls, usd: isKnown ? roundedUsd(spentUsd) : null };
  }

  /** Whether the cost of a call of the kind is known, or does not matter. */
  knows(kind: string): boolean {
    return this.#budget.knows(kind);
  }

  /** Room for a call of each channel. Null: a limit leaves none. */
  async reserve(channels: readonly Channel[]): Promise<Reservation | null> {
    const charges = channels.map(({ id, assumedUsd }) => ({ kind: id, assumedUsd }));
    const reservation = await this.#budget.reserveWhenFree(charges);
    if (typeof reservation !== 'string') return reservation;
    this.#limit ??= reservation;
    return null;
  }

  /** Sends a call for a run in the room of the reservation. */
  async send(
    run: ScheduledRun,
    channel: Channel,
    input: EngineInput,
    reservation: Reservation,
  ): Promise<CallResult> {
    const result = await call(run.id, channel, input, reservation.reservedUsd(channel.id), this.#around);
    if (result.stopsTarget) channel.stopped = result.detail;
    if (result.outcome === 'not_charged') return result;
    reservation.spend(channel.id, result.costUsd);
    this.#report.charge(run.target, result.costUsd);
    return result;
  }
}
