/**
 * The percentile of an ascending sample by nearest rank: the value at the 1-based index ⌈percent / 100 × n⌉, which is
 * always a measured value. Null: the sample is empty. `percent` is above 0 and at most 100.
 */
export function nearestRank(ascending: readonly number[], percent: number): number | null {
  return ascending[Math.ceil((percent * ascending.length) / 100) - 1] ?? null;
}
