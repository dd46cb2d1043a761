/** US dollars with as many decimals as a call needs: `$12.40`, `$0.0123`. */
export const usd = (amount: number): string => `$${amount.toFixed(amount >= 1 || amount === 0 ? 2 : 4)}`;
