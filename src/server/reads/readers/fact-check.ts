import { factCheckAt } from '../../fact-check/result.js';
import { factCheckOf } from '../../queries/fact-checks.js';
import { brandRefOf, type Reader } from '../reader.js';

const NEVER_CHECKED =
  'No fact check ever ran for this brand: read it as never checked, not as no discrepancies.';
const UNREADABLE_STAMP =
  'The stored time of this check cannot be read: its age is unknown and it counts as stale.';

/** Age and staleness are those at the time of the request, which is why this read is never cached. */
export const readFactCheck: Reader<'fact-check'> = async ({ db, brand, now }) => {
  const [stored] = await factCheckOf(db, { brandKey: brand.key });
  const envelope = { brand: brandRefOf(brand) };
  if (!stored) return { ...envelope, fact_check: null, note: NEVER_CHECKED };
  const fact_check = factCheckAt(stored, now);
  return { ...envelope, fact_check, note: fact_check.age_days === null ? UNREADABLE_STAMP : null };
};
