/** What calls cost: of one that was sent, of one that will be, and of all under the limits of a collection. */
import { tokenCost } from '../server/base/language-model.js';
import type { History, PastCall, Step } from './journal.js';
import type { Endpoint, Prices } from './plan/plan.js';
import { capabilityOf, isProvider } from './protocols/capabilities.js';
import { protocolOf } from './protocols/index.js';
import { type EngineInput, outputLimit, type Usage } from './protocols/protocol.js';

/** Whether the prices of a call with these searches are known. */
export const arePriced = (prices: Prices, search: boolean): boolean =>
  prices.inputUsdPerMtok !== null && prices.outputUsdPerMtok !== null && (!search || prices.callUsd !== null);

/**
 * What the engine states, else tokens × price + searches × price. A stated cost of 0 is not believed where the plan states
 * prices: a gateway states it for a call that the vendor charges to a key of one's own. A protocol that does not state its
 * searches is charged one per call. Null: the usage or a price is not stated.
 */
export function costOf(usage: Usage, prices: Prices, search: boolean): number | null {
  const { costUsd } = usage;
  if (costUsd !== null && (costUsd > 0 || !arePriced(prices, search))) return costUsd;
  const tokens = tokenCost([usage], prices);
  const searches = search ? (usage.searches ?? 1) : 0;
  if (tokens === null || (searches > 0 && prices.callUsd === null)) return null;
  return tokens + searches * (prices.callUsd ?? 0);
}

// What a call will probably use: the mean of earlier calls to the same model, else an assumption.

/** One kind of call: those of a target, or those of the extraction. */
export interface CallKind {
  readonly step: Step;
  readonly endpoint: Endpoint;
  readonly search: boolean;
}

/** Names the calls whose usage is comparable. */
export const kindId = ({ step, endpoint: { protocol, model }, search }: CallKind): string =>
  `${step} ${protocol} ${model}${search ? ' search' : ''}`;

export interface Estimate {
  readonly input: number;
  readonly output: number;
  /** Null: a price is not stated. */
  readonly costUsd: number | null;
  /** Calls that it is the mean of; 0: it is an assumption. */
  readonly observed: number;
}

/** Tokens without and with a search, whose results are input. Typical of November 2026; earlier calls replace them. */
const ASSUMED = {
  answer: { input: 50, output: 800 },
  search: { input: 9000, output: 1200 },
  extraction: { input: 1600, output: 500 },
} as const;

/** @param usages Those of earlier calls of the kind. */
export function estimateOf(kind: CallKind, usages: readonly Usage[]): Estimate {
  const known = usages.filter(({ input, output }) => input !== null && output !== null);
  const mean = (pick: (usage: Usage) => number) =>
    known.reduce((sum, usage) => sum + pick(usage), 0) / known.length;
  const { step, endpoint, search } = kind;
  if (known.length === 0 && endpoint.provider !== null) {
    const usage = { input: 0, output: 0, searches: 1, costUsd: null };
    return { input: 0, output: 0, costUsd: costOf(usage, endpoint, search), observed: 0 };
  }
  if (known.length === 0) {
    const assumed = ASSUMED[step === 'extract' ? 'extraction' : search ? 'search' : 'answer'];
    const output = Math.min(assumed.output, outputLimit(endpoint) ?? assumed.output);
    const usage = { ...assumed, output, searches: search ? 1 : 0, costUsd: null };
    return { input: assumed.input, output, costUsd: costOf(usage, endpoint, search), observed: 0 };
  }
  const costs = known.map((usage) => costOf(usage, endpoint, search));
  const isPriced = costs.every((cost) => cost !== null);
  return {
    input: Math.round(mean(({ input }) => input!)),
    output: Math.round(mean(({ output }) => output!)),
    costUsd: isPriced ? costs.reduce((sum, cost) => sum + cost, 0) / known.length : null,
    observed: known.length,
  };
}

/** The hard limits of a collection. What the calls of its journal cost counts. */
export interface Limits {
  /** Null: no limit. */
  readonly maxUsd: number | null;
  readonly maxCalls: number | null;
}

export type LimitName = keyof Limits;

/** Room for the calls of one run. It is given back or used up call by call. */
export interface Reservation {
  /** What is reserved for a call of the kind. */
  reservedUsd(kind: string): number;
  /** Reserves more for a call of the kind, if it needs more than it has. False: a limit leaves no room. */
  grow(kind: string, mostUsd: number): boolean;
  /**
   * Replaces what is reserved for a call by its cost; null: the cost is unknown, so what was reserved counts.
   * @returns What the call cost more than was reserved.
   */
  spend(kind: string, costUsd: number | null): number;
  /** Gives back what was not used. */
  release(): void;
}

/** Sums of decimal prices differ from a limit by less than this. */
const TOLERANCE_USD = 1e-9;

export interface Charge {
  readonly kind: string;
  /** The most that one call costs; null: a price is not stated, so there is no limit of US dollars. */
  readonly mostUsd: number | null;
}

export class Budget {
  readonly #limits: Limits;
  /** The highest cost of a call seen, by its kind. */
  readonly #highest = new Map<string, number>();
  #spentUsd: number;
  #calls: number;
  #reservedUsd = 0;
  #reservedCalls = 0;
  #waiting: (() => void)[] = [];

  constructor(limits: Limits, spent: { readonly usd: number; readonly calls: number }) {
    this.#limits = limits;
    this.#spentUsd = spent.usd;
    this.#calls = spent.calls;
  }

  get spentUsd(): number {
    return this.#spentUsd;
  }

  get calls(): number {
    return this.#calls;
  }

  /** Raises the highest cost of a call of the kind if this one cost more. */
  observe(kind: string, costUsd: number): void {
    this.#highest.set(kind, Math.max(costUsd, this.#highest.get(kind) ?? 0));
  }

  /** As `reserve`, but waits while calls in flight may still give room back. */
  async reserveWhenFree(charges: readonly Charge[]): Promise<LimitName | Reservation> {
    for (;;) {
      const reservation = this.reserve(charges);
      if (typeof reservation !== 'string' || this.#reservedCalls === 0) return reservation;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /**
   * Corrects what a call counts as that an earlier collection sent.
   * @param costUsd Null: it was not charged.
   */
  correct(kind: string, assumed: number, costUsd: number | null): void {
    this.#spentUsd += (costUsd ?? 0) - assumed;
    if (costUsd === null) this.#calls--;
    else this.observe(kind, costUsd);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Whether a call of the kind was seen, so that several may be sent at once. */
  knows(kind: string): boolean {
    return this.#limits.maxUsd === null || this.#highest.has(kind);
  }

  /**
   * Reserves room for some calls together: for each the most that it may cost, or what the most expensive one of its kind
   * did cost if that is more.
   * @returns The limit that leaves no room, or the reservation.
   */
  reserve(charges: readonly Charge[]): LimitName | Reservation {
    const { maxCalls } = this.#limits;
    if (maxCalls !== null && this.#calls + this.#reservedCalls + charges.length > maxCalls) return 'maxCalls';
    const open = new Map(
      charges.map(({ kind, mostUsd }) => [kind, Math.max(mostUsd ?? 0, this.#highest.get(kind) ?? 0)]),
    );
    if (!this.#hasRoom([...open.values()].reduce((sum, usd) => sum + usd, 0))) return 'maxUsd';
    return this.#reservation(open);
  }

  #hasRoom(usd: number): boolean {
    const { maxUsd } = this.#limits;
    return maxUsd === null || usd <= maxUsd - this.#spentUsd - this.#reservedUsd + TOLERANCE_USD;
  }

  #reservation(open: Map<string, number>): Reservation {
    const take = (kind: string): number => {
      const reserved = open.get(kind) ?? 0;
      if (open.delete(kind)) {
        this.#reservedUsd -= reserved;
        this.#reservedCalls--;
        for (const wake of this.#waiting.splice(0)) wake();
      }
      return reserved;
    };
    for (const usd of open.values()) this.#reservedUsd += usd;
    this.#reservedCalls += open.size;
    return {
      reservedUsd: (kind) => open.get(kind) ?? 0,
      grow: (kind, mostUsd) => {
        const more = mostUsd - (open.get(kind) ?? 0);
        if (more <= 0) return true;
        if (!this.#hasRoom(more)) return false;
        this.#reservedUsd += more;
        open.set(kind, mostUsd);
        return true;
      },
      spend: (kind, costUsd) => {
        const reserved = take(kind);
        const cost = costUsd ?? reserved;
        this.#calls++;
        this.#spentUsd += cost;
        this.observe(kind, cost);
        return cost - reserved > TOLERANCE_USD ? cost - reserved : 0;
      },
      release: () => {
        for (const kind of [...open.keys()]) take(kind);
      },
    };
  }
}

// The most that a call may cost, by what its request allows. `--max-usd` reserves it before the call is sent.

/** What no vendor limits: the pages that a search puts before the model. Four times what one search takes on average. */
const FIRST_SEARCH_TOKENS = 36_000;
const FURTHER_SEARCH_TOKENS = 18_000;
/** What vendors add to a request: the form of a conversation, the description of a tool. */
const ADDED_TOKENS = 1000;
/** The tokens of a text whose length is not known yet are estimated by its bytes. */
const BYTES_PER_TOKEN = 4;
const DEFAULT_OUTPUT = 8192;

export interface MostUsed {
  readonly input: number;
  readonly output: number;
  readonly searches: number;
  /** US dollars; null: a price is not stated. */
  readonly usd: number | null;
}

/**
 * @param input The content of the call: a token is at least one byte of it.
 * @param answerTokens Tokens that come to the input: those of an answer that does not exist yet.
 */
export function mostOf(kind: CallKind, input: EngineInput, answerTokens = 0): MostUsed {
  const { endpoint, search } = kind;
  if (isProvider(endpoint.protocol)) {
    const searches = capabilityOf(endpoint.protocol, endpoint.model)?.mostCalls ?? 1;
    const used = { input: 0, output: 0, searches };
    return { ...used, usd: costOf({ ...used, costUsd: null }, endpoint, search) };
  }
  const protocol = protocolOf(endpoint.protocol);
  const request = JSON.stringify(protocol.request(endpoint, input, null).body);
  const searches = search ? (input.maxSearches ?? protocol.maxSearches(endpoint.model)) : 0;
  const found = search ? FIRST_SEARCH_TOKENS + (searches - 1) * FURTHER_SEARCH_TOKENS : 0;
  const used = {
    input: Buffer.byteLength(request) + ADDED_TOKENS + found + answerTokens * BYTES_PER_TOKEN,
    output: mostOutput(kind),
    searches,
  };
  return { ...used, usd: costOf({ ...used, costUsd: null }, endpoint, search) };
}

/** The most tokens of an answer. A provider states none: its answers are as long as those of a model with the usual limit. */
export const mostOutput = ({ endpoint }: CallKind): number => outputLimit(endpoint) ?? DEFAULT_OUTPUT;

// What the calls of a journal cost.

export interface JournalCost {
  /** Calls that were or may have been charged. */
  readonly calls: number;
  readonly usd: number;
  /** The part of `usd` that was reserved for calls whose cost is not known. */
  readonly assumedUsd: number;
  /** Whether `usd` has all of them: a call without a stated price counts as 0 in it. */
  readonly isPriced: boolean;
}

/** @param kinds Those of the plan, for calls of a time when the prices were not stated. */
export function spentIn({ charged }: History, kinds: readonly CallKind[]): JournalCost {
  const costs = charged.map((past) => {
    const kind = kinds.find((each) => kindId(each) === past.attempt.kind);
    const known = knownCost(past, kind);
    if (known !== null) return { usd: known, isKnown: true, isPriced: true };
    // A price of 0 is a price: an engine of one's own may be free.
    const isPriced =
      past.attempt.reserved_usd !== null || (kind && arePriced(kind.endpoint, kind.search)) === true;
    return { usd: assumedUsd(past, kind), isKnown: false, isPriced };
  });
  const sum = (of: typeof costs) => of.reduce((total, { usd }) => total + usd, 0);
  const arePlanned = kinds.every(({ endpoint, search }) => arePriced(endpoint, search));
  return {
    calls: costs.length,
    usd: sum(costs),
    assumedUsd: sum(costs.filter(({ isKnown }) => !isKnown)),
    isPriced: costs.length === 0 || (arePlanned && costs.every(({ isPriced }) => isPriced)),
  };
}

/** What a call counts as whose cost is not known. */
export const assumedUsd = ({ attempt }: PastCall, kind: CallKind | undefined): number =>
  attempt.reserved_usd || mostOfAny(kind);

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
