import type { FactCheck } from '../../contract/fact-check.js';
import { statement } from './statement.js';

type Stored = NonNullable<FactCheck['fact_check']>;

/** The result in a brand's slot; no row: never checked. */
export const factCheckOf = statement<
  Pick<Stored, 'checked_at' | 'answers_checked' | 'cost_usd' | 'discrepancies'>,
  { brandKey: number }
>(
  'fact_check_of',
  'select checked_at, answers_checked, cost_usd, discrepancies from fact_checks where brand_key = :brandKey',
);
