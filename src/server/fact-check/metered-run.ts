/** A run that asks the model: in the brand’s slot, which is given back where nothing was spent. */
import type { Knex } from 'knex';
import type { Brand } from '../accounts/find-brand.js';
import type { Clock } from '../clock.js';
import { refuse } from '../errors.js';
import type { Logger } from '../log.js';
import { endFactCheckRun } from '../queries/fact-check-slots.js';
import { type StoredFactCheck, storeFactCheck } from '../queries/fact-checks.js';
import type { CheckRequest } from './check-request.js';
import { type Comparison, compare, MOST_REQUESTS } from './comparison.js';
import type { ModelConfig } from './model-config.js';
import { claimSlot } from './slot.js';

export interface RunSurroundings {
  readonly db: Knex;
  readonly clock: Clock;
  readonly log: Logger;
  readonly model: ModelConfig;
  /** Ends the run, which then counts as failed. */
  readonly stop: AbortSignal;
}

/** Between the last answer of the model and the end of the run, at most. */
const MARGIN_MS = 30_000;

/**
 * Runs the check and puts its result into the slot.
 * @throws RefusedError: somebody was quicker, or the model failed; the slot’s result is then what it was.
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
