/** What a collection needs from the machine: the plan file and the place of its files. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { CollectPlan } from '../../collect/plan/plan.js';
import { CommandError } from '../failure/command-error.js';
import { unreadable } from '../failure/import-failure.js';

/** @throws CommandError `usage` for a limit in US dollars on calls whose cost is not known. */
export async function requirePrices(plan: CollectPlan, maxUsd: number | null): Promise<void> {
  if (maxUsd === null) return;
  const { arePriced } = await import('../../collect/budget/budget.js');
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

/** Bytes of a plan file. A plan is about a page of text; a larger file is not a plan. */
const LONGEST_PLAN = 1024 * 1024;

/** @throws CommandError `usage`, PlanError */
export async function readPlan(file: string): Promise<CollectPlan> {
  const { parsePlan } = await import('../../collect/plan/parse-plan.js');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error.code);
  });
  if (text.length > LONGEST_PLAN) throw new CommandError('usage', `${file} is too long for a plan.`);
  return parsePlan(text, file);
}

/** Where the runs of a day are kept before they are imported, by database and brand. */
export function stateFile(location: object, brand: string, date: string): string {
  const folder = process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  const hash = createHash('sha256').update(JSON.stringify(location)).digest('hex').slice(0, 16);
  return join(folder, 'svc', `collect-${hash}`, `${brand}-${date}.ndjson`);
}
