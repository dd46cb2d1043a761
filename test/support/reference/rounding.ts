/**
 * Rounds a value of 0 or more to `digits` decimals: scale by 10^digits, round half up, scale back. The scaled
 * value is the double nearest to the product, so a decimal tie counts as a tie only where that double is one.
 */
export function roundTo(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
