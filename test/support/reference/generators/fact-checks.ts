import { addDays } from '../days.js';
import type { FactCheckRecord } from '../records.js';
import type { Draw } from './draw.js';
import { spellInstant } from './times.js';

const UNPARSABLE = ['last Tuesday', 'n/a', '2026-99-99T99:99:99Z'] as const;

/**
 * None, a fresh one, one just short of 7 days at noon of today, one of 7 days then, an old one, or one whose stamp
 * is not a time.
 */
export function randomFactChecks(
  draw: Draw,
  brand: string,
  today: string,
  runs: readonly { readonly id: string }[],
): FactCheckRecord[] {
  if (draw.chance(0.3)) return [];
  const noon = Date.parse(`${today}T12:00:00Z`);
  const at = (days: number, minutes = 0) =>
    spellInstant(draw, Date.parse(`${addDays(today, -days)}T12:00:00Z`) + minutes * 60_000);
  const checkedAt = draw.pick([
    spellInstant(draw, noon - 60_000),
    at(3),
    at(7, 30),
    at(7),
    at(40),
    draw.pick(UNPARSABLE),
  ]);
  const discrepancy = { engine: 'aio', claim: 'costs 5 €', truth: 'costs 9 €' };
  const severities = draw.some(['high', 'medium', 'low'] as const, 0.5);
  return [
    {
      type: 'fact_check',
      brand,
      checked_at: checkedAt,
      answers_checked: draw.int(1, 8),
      ...draw.pick([{}, { cost_usd: null }, { cost_usd: 0 }, { cost_usd: 0.0125 }]),
      discrepancies: severities.map((severity) => ({
        ...discrepancy,
        severity,
        ...draw.pick([
          {},
          { run_id: null },
          { run_id: 'deleted' },
          ...runs.slice(0, 1).map(({ id }) => ({ run_id: id })),
        ]),
      })),
    },
  ];
}
