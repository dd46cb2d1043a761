/** The calls to one endpoint: its limit of calls at the same time, its pauses, and why it takes no more. */
import pLimit, { type LimitFunction } from 'p-limit';
import { costOf } from './budget/cost.js';
import { type CallKind, estimateOf, kindId } from './budget/estimate.js';
import type { EndpointCalls } from './calls/call.js';
import { Pacing } from './calls/pacing.js';
import type { History } from './journal/history.js';

export class Channel implements EndpointCalls {
  readonly kind: CallKind;
  /** Names the calls that cost alike: those of a kind at the same prices. */
  readonly id: string;
  readonly key: string | null;
  readonly pacing = new Pacing();
  readonly limit: LimitFunction;
  /** The probable cost of a call in US dollars; null: a price is not stated. */
  readonly assumedUsd: number | null;
  /** Why no further call is sent. */
  stopped: string | null = null;

  /** What the earlier calls of the journal cost at the prices of the plan; those whose cost is not known are left out. */
  readonly earlierUsd: readonly number[];

  constructor(kind: CallKind, key: string | null, history: History) {
    const { endpoint, search } = kind;
    this.kind = kind;
    this.id = `${kindId(kind)} ${endpoint.inputUsdPerMtok} ${endpoint.outputUsdPerMtok} ${endpoint.callUsd}`;
    this.key = key;
    this.limit = pLimit(kind.endpoint.concurrency);
    this.assumedUsd = estimateOf(kind, history.usages(kindId(kind))).costUsd;
    const costs = history.ownUsages(kindId(kind)).map((usage) => costOf(usage, endpoint, search));
    this.earlierUsd = costs.filter((cost) => cost !== null);
  }
}
