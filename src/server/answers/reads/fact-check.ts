import { FACT_CHECK_STALE_DAYS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import type { FactCheck } from '../../../contract/reads/fact-check.js';
import { DAY_MS, isDay } from '../../base/days.js';
import { statement } from '../../base/statement.js';
import { brandRefOf, type Reader, withCaching } from './reader.js';

export type StoredFactCheck = Pick<
  NonNullable<FactCheck['fact_check']>,
  'checked_at' | 'answers_checked' | 'cost_usd' | 'discrepancies'
>;

/** The stored result of a brand, without the ids of answers that are not kept; no row: never checked. */
export const factCheckOf = statement<StoredFactCheck, { brandKey: number }>(
  'fact_check_of',
  `select checked_at, answers_checked, cost_usd,
     (select coalesce(jsonb_agg(one || jsonb_build_object('run_id', r.id) order by place), '[]')
      from jsonb_array_elements(f.discrepancies) with ordinality as d(one, place)
      left join runs r on r.brand_key = :brandKey and r.id = one ->> 'run_id') as discrepancies
   from fact_checks f where brand_key = :brandKey`,
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

const compute: Reader<'fact-check'> = async ({ db, brand, now }) => {
  const [stored] = await factCheckOf(db, { brandKey: brand.key });
  const envelope = { brand: brandRefOf(brand) };
  if (!stored) return { ...envelope, fact_check: null, ...noted([fact('never_checked')]) };
  const fact_check = factCheckAt(stored, now);
  return { ...envelope, fact_check, ...noted([fact_check.age_days === null && fact('unknown_age')]) };
};

/** Age and staleness are those at the time of the request. */
export const reader = withCaching(compute, { isCached: false });

/** The stored result in the contract's names, with its age at `now`; an unreadable stamp counts as stale. */
export function factCheckAt(stored: StoredFactCheck, now: Date): NonNullable<FactCheck['fact_check']> {
  const age = wholeDaysSince(stored.checked_at, now);
  return {
    checked_at: stored.checked_at,
    answers_checked: stored.answers_checked,
    stale: age === null || age >= FACT_CHECK_STALE_DAYS,
    age_days: age,
    stale_after_days: FACT_CHECK_STALE_DAYS,
    cost_usd: stored.cost_usd,
    discrepancies: stored.discrepancies.map(({ engine, claim, truth, severity, run_id }) => ({
      engine,
      claim,
      truth,
      severity,
      run_id,
    })),
  };
}

/** ISO 8601 as services write it: a date, or a date and a time. A time without an offset is UTC. */
const STAMP = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** The instant of a stored stamp; null when it cannot be read. */
export function instantOf(stamp: string): number | null {
  const [, day, time = '00:00', offset = 'Z'] = STAMP.exec(stamp.trim()) ?? [];
  if (day === undefined || !isDay(day)) return null;
  const zone = offset.length > 1 ? `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}` : 'Z';
  const instant = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(instant) ? null : instant;
}

/** Whole days from the stamp to now, 0 for a stamp in the future; null when it cannot be read. */
export function wholeDaysSince(stamp: string, now: Date): number | null {
  const instant = instantOf(stamp);
  return instant === null ? null : Math.max(0, Math.floor((now.getTime() - instant) / DAY_MS));
}
