const LEAST_USD = 0.0001;

/** US dollars with as many decimals as a call needs: `$12.40`, `$0.0123`; a smaller cost is not shown as zero. */
export function usd(amount: number): string {
  if (amount > 0 && amount < LEAST_USD) return `<$${LEAST_USD}`;
  return `$${amount.toFixed(amount >= 1 || amount === 0 ? 2 : 4)}`;
}

/** Bytes in MiB, with one digit. */
export const mib = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

/** Formats milliseconds: `0.6 s`, `28 s`, `1 min 48 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 59_950) return `${+(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.round(seconds / 60);
  if (minutes >= 60) return parts([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min']);
  return parts([Math.floor(seconds / 60), 'min'], [seconds % 60, 's']);
}

const parts = (...units: readonly (readonly [number, string])[]): string =>
  units
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
