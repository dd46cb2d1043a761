/** What the calls of a journal cost. */
import type { History, PastCall } from '../journal/journal.js';
import { type CallKind, costOf, kindId } from './budget.js';
import { mostOf } from './most.js';

export interface JournalCost {
  /** Calls that were or may have been charged. */
  readonly calls: number;
  readonly usd: number;
  /** The part of `usd` that was reserved for calls whose cost is not known. */
  readonly assumedUsd: number;
}

/** @param kinds Those of the plan, for calls of a time when the prices were not stated. */
export function spentIn({ charged }: History, kinds: readonly CallKind[]): JournalCost {
  const costs = charged.map((past) => {
    const kind = kinds.find((each) => kindId(each) === past.attempt.kind);
    const known = knownCost(past, kind);
    return known === null
      ? { usd: past.attempt.reserved_usd || mostOfAny(kind), isKnown: false }
      : { usd: known, isKnown: true };
  });
  const sum = (of: typeof costs) => of.reduce((total, { usd }) => total + usd, 0);
  return { calls: costs.length, usd: sum(costs), assumedUsd: sum(costs.filter(({ isKnown }) => !isKnown)) };
}

function knownCost({ outcome }: PastCall, kind: CallKind | undefined): number | null {
  if (outcome?.cost_usd != null) return outcome.cost_usd;
  return kind && outcome?.usage ? costOf(outcome.usage, kind.endpoint, kind.search) : null;
}

/** The most that a call costs about whose content nothing is known. */
function mostOfAny(kind: CallKind | undefined): number {
  if (!kind) return 0;
  const input = { prompt: '', search: kind.search, maxSearches: null, country: null };
  return mostOf(kind, input).usd ?? 0;
}
