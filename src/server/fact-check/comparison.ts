/** Sends the request to the model, and repeats it once if the reply is malformed. */
import { errors, type Refusal } from '../../contract/errors.js';
import type { CheckRequest } from './check-request.js';
import { costOf } from './cost.js';
import { askModel, type ModelAnswer } from './model.js';
import type { ModelConfig } from './model-config.js';
import { type Discrepancies, discrepanciesOf, type Usage, usageOf } from './reply.js';

/** A request is repeated after a malformed reply, but not after any other failure. */
export const MOST_REQUESTS = 2;

/** The outcome of a run. A run has spent money as soon as any request got a reply, valid or not. */
export type Comparison =
  | { readonly discrepancies: Discrepancies; readonly costUsd: number | null; readonly spent: true }
  | { readonly failure: Refusal; readonly spent: boolean };

/** Runs the comparison. Never rejects. */
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
