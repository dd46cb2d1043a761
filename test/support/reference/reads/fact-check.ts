import type { Open } from '../open.js';
import { OPEN, WORDS } from '../open.js';
import type { DatasetRecord, Discrepancy, FactCheckRecord } from '../records.js';
import { recordsOf } from '../records.js';
import type { BrandReference, Scope } from '../scope.js';
import { findBrand, referenceTo } from '../scope.js';

const DAY_MS = 86_400_000;
const STALE_AFTER_DAYS = 7;

export interface ExpectedFactCheck {
  brand: BrandReference;
  fact_check: {
    checked_at: string;
    answers_checked: number;
    stale: boolean;
    age_days: number | null;
    stale_after_days: number;
    cost_usd: number | null;
    discrepancies: (Discrepancy & { run_id: string | null })[];
  } | null;
  note: string | Open | null;
}

/**
 * The body of fact-check; null = 404. Whether the note also speaks of a stale result is nowhere said.
 * @param params.now the instant of the request, from which the age is counted
 */
export function expectedFactCheck(
  records: DatasetRecord[],
  scope: Scope,
  params: { now: Date },
): ExpectedFactCheck | null {
  const brand = findBrand(records, scope);
  if (brand === null) return null;
  const stored = recordsOf(records, 'fact_check').find((record) => record.brand === brand.id);
  if (stored === undefined) return { brand: referenceTo(brand), fact_check: null, note: WORDS };
  const runs = new Set(recordsOf(records, 'run').flatMap((run) => (run.brand === brand.id ? [run.id] : [])));
  const result = resultOf(stored, params.now, runs);
  return { brand: referenceTo(brand), fact_check: result, note: result.stale ? OPEN : null };
}

function resultOf(stored: FactCheckRecord, now: Date, runs: ReadonlySet<string>) {
  const age = (now.getTime() - Date.parse(stored.checked_at)) / DAY_MS;
  const ageDays = Number.isNaN(age) ? null : Math.floor(age);
  return {
    checked_at: stored.checked_at,
    answers_checked: stored.answers_checked,
    stale: ageDays === null || ageDays >= STALE_AFTER_DAYS,
    age_days: ageDays,
    stale_after_days: STALE_AFTER_DAYS,
    cost_usd: stored.cost_usd ?? null,
    discrepancies: stored.discrepancies.map((one) => ({
      ...one,
      run_id: one.run_id && runs.has(one.run_id) ? one.run_id : null,
    })),
  };
}
