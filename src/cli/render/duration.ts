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
