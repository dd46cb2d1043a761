import { round } from '../metrics/rounding.js';
import type { ModelConfig } from './model-config.js';
import type { Usage } from './reply.js';

type Prices = Pick<ModelConfig, 'inputUsdPerMtok' | 'outputUsdPerMtok'>;

const TOKENS_OF_A_PRICE = 1_000_000;
/** 1e-8 is smaller than the cost of a token and larger than floating-point errors. */
const DECIMALS = 8;

/** US dollars for all requests of a run: tokens × price. Null: a price, or the tokens of any request, are not stated. */
export function costOf(usages: readonly (Usage | null)[], prices: Prices): number | null {
  const { inputUsdPerMtok, outputUsdPerMtok } = prices;
  if (inputUsdPerMtok === null || outputUsdPerMtok === null) return null;
  let sum = 0;
  for (const usage of usages) {
    if (usage === null) return null;
    sum += usage.input * inputUsdPerMtok + usage.output * outputUsdPerMtok;
  }
  return round(sum / TOKENS_OF_A_PRICE, DECIMALS);
}
