/**
 * The JSON in the text of a model's reply; undefined if the text is not JSON. Some models put a code fence around it, although
 * the request asks for JSON only.
 */
export function replyJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\s*```(?:json)?\n([\s\S]*?)\n```\s*$/, '$1'));
  } catch {
    return undefined;
  }
}

/** US dollars per million tokens; null: not stated. */
interface TokenPrices {
  readonly inputUsdPerMtok: number | null;
  readonly outputUsdPerMtok: number | null;
}

const TOKENS_OF_A_PRICE = 1_000_000;

/** The tokens of a request; null: the endpoint does not state them. */
interface Tokens {
  readonly input: number | null;
  readonly output: number | null;
}

/** US dollars for the tokens of some requests: tokens × price, not rounded. Null: a number or a price is not stated. */
export function tokenCost(requests: readonly Tokens[], prices: TokenPrices): number | null {
  const { inputUsdPerMtok, outputUsdPerMtok } = prices;
  if (inputUsdPerMtok === null || outputUsdPerMtok === null) return null;
  let sum = 0;
  for (const { input, output } of requests) {
    if (input === null || output === null) return null;
    sum += input * inputUsdPerMtok + output * outputUsdPerMtok;
  }
  return sum / TOKENS_OF_A_PRICE;
}

/** Rounded to 1e-8, which is smaller than the cost of a token and larger than floating-point errors. */
export const roundedUsd = (amount: number): number => Math.round(amount * 1e8) / 1e8;
