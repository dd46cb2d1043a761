/** The cost of a call in US dollars. */
import { tokenCost } from '../../language-models/token-cost.js';
import type { Prices } from '../plan/plan.js';
import type { Usage } from '../protocols/protocol.js';

/** Whether the prices of a call with these searches are known. */
export const arePriced = (prices: Prices, search: boolean): boolean =>
  prices.inputUsdPerMtok !== null && prices.outputUsdPerMtok !== null && (!search || prices.callUsd !== null);

/**
 * What the engine states, else tokens × price + searches × price. A stated cost of 0 is not believed where the plan states
 * prices: a gateway states it for a call that the vendor charges to a key of one's own. A protocol that does not state its
 * searches is charged one per call. Null: the usage or a price is not stated.
 */
export function costOf(usage: Usage, prices: Prices, search: boolean): number | null {
  const { costUsd } = usage;
  if (costUsd !== null && (costUsd > 0 || !arePriced(prices, search))) return costUsd;
  const tokens = tokenCost([usage], prices);
  const searches = search ? (usage.searches ?? 1) : 0;
  if (tokens === null || (searches > 0 && prices.callUsd === null)) return null;
  return tokens + searches * (prices.callUsd ?? 0);
}
