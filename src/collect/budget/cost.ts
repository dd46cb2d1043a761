/** The cost of a call in US dollars. */
import type { Prices } from '../plan/plan.js';
import type { Usage } from '../protocols/protocol.js';

const TOKENS_OF_A_PRICE = 1_000_000;

/** 1e-8 is smaller than the cost of a token and larger than floating-point errors. */
export const roundedUsd = (amount: number): number => Math.round(amount * 1e8) / 1e8;

/** Whether the prices of a call with these searches are known. */
export const arePriced = (prices: Prices, search: boolean): boolean =>
  prices.inputUsdPerMtok !== null && prices.outputUsdPerMtok !== null && (!search || prices.callUsd !== null);

/**
 * What the engine states, else tokens × price + searches × price. A protocol that does not state its searches is charged
 * one per call. Null: the usage or a price is not stated.
 */
export function costOf(usage: Usage, prices: Prices, search: boolean): number | null {
  if (usage.costUsd !== null) return usage.costUsd;
  const { input, output } = usage;
  const { inputUsdPerMtok, outputUsdPerMtok, callUsd } = prices;
  if (input === null || output === null || inputUsdPerMtok === null || outputUsdPerMtok === null) return null;
  const searches = search ? (usage.searches ?? 1) : 0;
  if (searches > 0 && callUsd === null) return null;
  return (
    (input * inputUsdPerMtok + output * outputUsdPerMtok) / TOKENS_OF_A_PRICE + searches * (callUsd ?? 0)
  );
}
