/** The calls to one endpoint: its limit of calls at the same time, its pauses, and why it takes no more. */
import pLimit, { type LimitFunction } from 'p-limit';
import { arePriced, type CallKind, costOf, kindId } from './budget/budget.js';
import { mostOf } from './budget/most.js';
import { type EndpointCalls, Pacing } from './calls/call.js';
import type { History } from './journal/journal.js';
import type { EngineInput } from './protocols/protocol.js';

export class Channel implements EndpointCalls {
  readonly kind: CallKind;
  /** Names the calls that cost alike: those of a kind at the same prices. */
  readonly id: string;
  readonly key: string | null;
  readonly pacing = new Pacing();
  readonly limit: LimitFunction;
  /** Why no further call is sent. */
  stopped: string | null = null;
  /** What the earlier calls of the journals cost at the prices of the plan; those whose cost is not known are left out. */
  readonly earlierUsd: readonly number[];
  /** Whether an earlier call cost more than its request allows, so that the next one may too. */
  readonly isUnbounded: boolean;

  constructor(kind: CallKind, key: string | null, history: History) {
    const { endpoint } = kind;
    this.kind = kind;
    this.id = `${kindId(kind)} ${endpoint.inputUsdPerMtok} ${endpoint.outputUsdPerMtok} ${endpoint.callUsd}`;
    this.key = key;
    this.limit = pLimit(endpoint.concurrency);
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
