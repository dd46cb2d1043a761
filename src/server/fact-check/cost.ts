import { roundedUsd, tokenCost } from '../../language-models/token-cost.js';
import type { ModelConfig } from './model-config.js';
import type { Usage } from './reply.js';

type Prices = Pick<ModelConfig, 'inputUsdPerMtok' | 'outputUsdPerMtok'>;

/** US dollars for all requests of a run. Null: a price, or the tokens of any request, are not stated. */
export function costOf(usages: readonly (Usage | null)[], prices: Prices): number | null {
  const cost = tokenCost(
    usages.map((usage) => usage ?? { input: null, output: null }),
    prices,
  );
  return cost === null ? null : roundedUsd(cost);
}
