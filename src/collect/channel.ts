/** The calls to one endpoint: its limit of calls at the same time, its pauses, and why it takes no more. */
import pLimit, { type LimitFunction } from 'p-limit';
import { type CallKind, estimateOf, kindId } from './budget/estimate.js';
import type { Line } from './engine/call.js';
import { Pacing } from './engine/pacing.js';
import type { History } from './journal/history.js';

export class Channel implements Line {
  readonly kind: CallKind;
  /** `kindId` of the kind. */
  readonly id: string;
  readonly key: string | null;
  readonly pacing = new Pacing();
  readonly limit: LimitFunction;
  /** The probable cost of a call in US dollars; null: a price is not stated. */
  readonly assumedUsd: number | null;
  /** Why no further call is sent. */
  stopped: string | null = null;

  constructor(kind: CallKind, key: string | null, history: History) {
    this.kind = kind;
    this.id = kindId(kind);
    this.key = key;
    this.limit = pLimit(kind.endpoint.concurrency);
    this.assumedUsd = estimateOf(kind, history.usages(this.id)).costUsd;
  }
}
