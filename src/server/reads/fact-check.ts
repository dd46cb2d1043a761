import { FACT_CHECK_STALE_DAYS } from '../../contract/limits.js';
import { wholeDaysSince } from '../metrics/age.js';
import { factCheckOf } from '../queries/fact-checks.js';
import { brandRefOf, type Reader } from './scope.js';

const NEVER_CHECKED =
  'No fact check ever ran for this brand: read it as never checked, not as no discrepancies.';
const UNREADABLE_STAMP =
  'The stored time of this check cannot be read: its age is unknown and it counts as stale.';

/** Age and staleness are those at the time of the request, which is why this read is never cached. */
export const readFactCheck: Reader<'fact-check'> = async ({ db, brand, now }) => {
  const [stored] = await factCheckOf(db, { brandKey: brand.key });
  const envelope = { brand: brandRefOf(brand) };
  if (!stored) return { ...envelope, fact_check: null, note: NEVER_CHECKED };
  const age = wholeDaysSince(stored.checked_at, now);
  const fact_check = {
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
  return { ...envelope, fact_check, note: age === null ? UNREADABLE_STAMP : null };
};
