import type { CollectPlan } from '../../collect/plan/plan.js';
import { CommandError } from '../failure/command-error.js';

/** @throws CommandError `usage` for a limit in US dollars on calls whose cost is not known. */
export async function requirePrices(plan: CollectPlan, maxUsd: number | null): Promise<void> {
  if (maxUsd === null) return;
  const { arePriced } = await import('../../collect/budget/cost.js');
  const unpriced = [
    ...plan.targets.flatMap((target, at) => (arePriced(target, target.search) ? [] : [`target[${at}]`])),
    ...(plan.extraction && !arePriced(plan.extraction, false) ? ['extraction'] : []),
  ];
  if (unpriced.length === 0) return;
  const keys = 'input_usd_per_mtok, output_usd_per_mtok and, with search, call_usd';
  throw new CommandError(
    'usage',
    `--max-usd needs prices: ${unpriced.join(', ')} of the plan ${unpriced.length === 1 ? 'lacks' : 'lack'} some.`,
    {
      hint: `State ${keys}; 0 for what is free. Or limit the number of calls with --max-calls.`,
    },
  );
}
