import { FACT_CHECK_STALE_DAYS } from '../../contract/limits.js';
import type { RunFactCheck } from '../../contract/reads/run-fact-check.js';

/** Whether a check ran, why not, and what it cost. */
export function outcomeOf({ ran, reason, cost_usd }: RunFactCheck): string {
  if (ran)
    return `A check ran now${cost_usd === null ? '; its cost is unknown.' : ` and cost ${cost_usd} USD.`}`;
  const why = reason === null ? '' : `: ${reasons[reason] ?? reason}`;
  return `No check ran and nothing was spent${why}.`;
}

const reasons: { readonly [reason in NonNullable<RunFactCheck['reason']>]: string } = {
  fresh_result: `the last result is younger than ${FACT_CHECK_STALE_DAYS} days. --force runs one anyway`,
};
