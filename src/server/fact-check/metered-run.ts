/** A run that sends requests to the model. It holds the brand's slot, and does not count if it spends no money. */

import type { Knex } from 'knex';
import { errors, type Refusal } from '../../contract/errors.js';
import { roundedUsd, tokenCost } from '../../language-models/token-cost.js';
import type { Brand } from '../accounts/access.js';
import type { Clock } from '../clock.js';
import { refuse } from '../errors.js';
import type { Logger } from '../log.js';
import { type StoredFactCheck, storeFactCheck } from '../reads/fact-check.js';
import type { CheckRequest } from './check-request.js';
import { askModel, type ModelAnswer } from './model.js';
import type { ModelConfig } from './model-config.js';
import { type Discrepancies, discrepanciesOf, type Usage, usageOf } from './reply.js';
import { claimSlot, endFactCheckRun } from './slot.js';

type Prices = Pick<ModelConfig, 'inputUsdPerMtok' | 'outputUsdPerMtok'>;

/** US dollars for all requests of a run. Null: a price, or the tokens of any request, are not stated. */
function costOf(usages: readonly (Usage | null)[], prices: Prices): number | null {
  const cost = tokenCost(
    usages.map((usage) => usage ?? { input: null, output: null }),
    prices,
  );
  return cost === null ? null : roundedUsd(cost);
}

// Sends the request to the model, and repeats it once if the reply is malformed.

/** A request is repeated after a malformed reply, but not after any other failure. */
const MOST_REQUESTS = 2;

/** The outcome of a run. A run has spent money as soon as any request got a reply, valid or not. */
type Comparison =
  | { readonly discrepancies: Discrepancies; readonly costUsd: number | null; readonly spent: true }
  | { readonly failure: Refusal; readonly spent: boolean };

/** Runs the comparison. Never rejects. */
async function compare(model: ModelConfig, request: CheckRequest, stop: AbortSignal): Promise<Comparison> {
  const usages: (Usage | null)[] = [];
  while (usages.length < MOST_REQUESTS) {
    const answer = await askModel(model, request, stop);
    const spent = usages.length > 0;
    if (answer.kind !== 'replied')
      return { failure: priced(failureOf(answer, model, spent), usages, model), spent };
    usages.push(usageOf(answer.body));
    const discrepancies = discrepanciesOf(answer.body, request.engines);
    if (discrepancies) return { discrepancies, costUsd: costOf(usages, model), spent: true };
  }
  return { failure: priced(errors.modelMalformed(MOST_REQUESTS), usages, model), spent: true };
}

/** Adds the cost to a failure of a run that has spent money. */
const priced = (failure: Refusal, usages: readonly (Usage | null)[], model: ModelConfig): Refusal =>
  usages.length === 0 ? failure : { ...failure, extra: { cost_usd: costOf(usages, model) } };

/** The refusal for a failure. It never contains text of the endpoint, which might contain the key. */
function failureOf(
  answer: Exclude<ModelAnswer, { kind: 'replied' }>,
  { timeoutMs }: ModelConfig,
  spent: boolean,
): Refusal {
  switch (answer.kind) {
    case 'timeout':
      return errors.modelTimeout(timeoutMs / 1000, spent);
    case 'refused':
      return errors.modelRefused(answer.status, spent);
    case 'unreachable':
      return errors.modelUnreachable(spent);
    case 'stopped':
      return errors.serverStopping(spent);
  }
}

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
