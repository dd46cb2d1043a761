/** What a call will probably use: the mean of earlier calls to the same model, else an assumption. */

import type { Step } from '../journal/events.js';
import { type Endpoint, outputLimit } from '../plan/plan.js';
import type { Usage } from '../protocols/protocol.js';
import { costOf } from './cost.js';

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
