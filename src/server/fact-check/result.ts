/** How a stored fact check is told. */

import { FACT_CHECK_STALE_DAYS } from '../../contract/limits.js';
import type { FactCheck } from '../../contract/reads/fact-check.js';
import { wholeDaysSince } from '../metrics/age.js';
import type { StoredFactCheck } from '../queries/fact-checks.js';

/** The result in the contract's names, as old as it is at `now`; a stamp that cannot be read counts as stale. */
export function factCheckAt(stored: StoredFactCheck, now: Date): NonNullable<FactCheck['fact_check']> {
  const age = wholeDaysSince(stored.checked_at, now);
  return {
    checked_at: stored.checked_at,
    answers_checked: stored.answers_checked,
    stale: age === null || age >= FACT_CHECK_STALE_DAYS,
    age_days: age,
    stale_after_days: FACT_CHECK_STALE_DAYS,
    cost_usd: stored.cost_usd,
    discrepancies: stored.discrepancies.map(({ engine, claim, truth, severity }) => ({
      engine,
      claim,
      truth,
      severity,
    })),
  };
}
