/** Asks the model until a reply has the form that was asked for, once more at most. */
import { errors, type Refusal } from '../../contract/errors.js';
import type { CheckRequest } from './check-request.js';
import { costOf } from './cost.js';
import { askModel, type ModelAnswer } from './model.js';
import type { ModelConfig } from './model-config.js';
import { type Discrepancies, discrepanciesOf, type Usage, usageOf } from './reply.js';

/** A reply that is not what was asked for is asked for once more; what failed otherwise is not. */
export const MOST_REQUESTS = 2;

/** What came of a run. It has spent as soon as any request was answered, with whatever. */
export type Comparison =
  | { readonly discrepancies: Discrepancies; readonly costUsd: number | null; readonly spent: true }
  | { readonly failure: Refusal; readonly spent: boolean };

export async function compare(
  model: ModelConfig,
  request: CheckRequest,
  stop: AbortSignal,
): Promise<Comparison> {
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

/** A failure that has spent says what. */
const priced = (failure: Refusal, usages: readonly (Usage | null)[], model: ModelConfig): Refusal =>
  usages.length === 0 ? failure : { ...failure, extra: { cost_usd: costOf(usages, model) } };

/** In words of ours: an endpoint may say anything, its key included. */
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
