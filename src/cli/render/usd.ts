const LEAST_USD = 0.0001;

/** US dollars with as many decimals as a call needs: `$12.40`, `$0.0123`; a smaller cost is not shown as zero. */
export function usd(amount: number): string {
  if (amount > 0 && amount < LEAST_USD) return `<$${LEAST_USD}`;
  return `$${amount.toFixed(amount >= 1 || amount === 0 ? 2 : 4)}`;
}
