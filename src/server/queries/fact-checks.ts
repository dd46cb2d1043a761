import type { FactCheck } from '../../contract/reads/fact-check.js';
import { statement } from './statement.js';

export type StoredFactCheck = Pick<
  NonNullable<FactCheck['fact_check']>,
  'checked_at' | 'answers_checked' | 'cost_usd' | 'discrepancies'
>;

/** The stored result of a brand; no row: never checked. */
export const factCheckOf = statement<StoredFactCheck, { brandKey: number }>(
  'fact_check_of',
  'select checked_at, answers_checked, cost_usd, discrepancies from fact_checks where brand_key = :brandKey',
);

/** Stores a result of the brand and replaces the previous one. */
export const storeFactCheck = statement<
  never,
  Omit<StoredFactCheck, 'discrepancies'> & { brandKey: number; discrepancies: string }
>(
  'store_fact_check',
  `insert into fact_checks (brand_key, checked_at, answers_checked, cost_usd, discrepancies)
   values (:brandKey, :checked_at, :answers_checked, :cost_usd, cast(:discrepancies as jsonb))
   on conflict (brand_key) do update set checked_at = excluded.checked_at,
     answers_checked = excluded.answers_checked, cost_usd = excluded.cost_usd, discrepancies = excluded.discrepancies`,
);
