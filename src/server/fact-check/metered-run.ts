/** A run that sends requests to the model. It holds the brand's slot, and does not count if it spends no money. */
import type { Knex } from 'knex';
import type { Brand } from '../accounts/find-brand.js';
import type { Clock } from '../clock.js';
import { refuse } from '../errors.js';
import type { Logger } from '../log.js';
import { type StoredFactCheck, storeFactCheck } from '../reads/fact-check.js';
import type { CheckRequest } from './check-request.js';
import { type Comparison, compare, MOST_REQUESTS } from './comparison.js';
import type { ModelConfig } from './model-config.js';
import { claimSlot, endFactCheckRun } from './slot.js';

export interface RunSurroundings {
  readonly db: Knex;
  readonly clock: Clock;
  readonly log: Logger;
  readonly model: ModelConfig;
  /** Aborts the run, which then fails. */
  readonly stop: AbortSignal;
}

/** The longest time between the last reply of the model and the end of the run. */
const MARGIN_MS = 30_000;

/**
 * Runs the check and stores its result.
 * @throws RefusedError: another run was faster, or the model failed. Then the stored result is unchanged.
 */
export async function meteredRun(
  around: RunSurroundings,
  brand: Brand,
  request: CheckRequest,
): Promise<StoredFactCheck> {
  const { db, clock, log, model, stop } = around;
  const brandKey = brand.key;
  const holder = await claimSlot(db, brandKey, clock(), MOST_REQUESTS * model.timeoutMs + MARGIN_MS);
  let spent = false;
  try {
    const outcome = await compare(model, request, stop);
    spent = outcome.spent;
    if ('failure' in outcome) {
      log.warn({ brand: brand.id, spent, reason: outcome.failure.message }, 'fact check failed');
      throw refuse(outcome.failure);
    }
    const result = resultOf(outcome, request, clock());
    await storeFactCheck(db, { brandKey, ...result, discrepancies: JSON.stringify(result.discrepancies) });
    return result;
  } finally {
    await endFactCheckRun(db, { brandKey, holder, now: clock(), spent });
  }
}

const resultOf = (
  { discrepancies, costUsd }: Extract<Comparison, { costUsd: unknown }>,
  { engines }: CheckRequest,
  now: Date,
): StoredFactCheck => ({
  checked_at: now.toISOString(),
  answers_checked: engines.length,
  cost_usd: costUsd,
  discrepancies,
});
