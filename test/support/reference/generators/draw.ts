/** Chance that repeats: the same seed draws the same values. */
export interface Draw {
  /** A whole number, both ends inside. */
  int(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Each element on its own with the probability, in the list's order. */
  some<T>(list: readonly T[], probability: number): T[];
  shuffled<T>(list: readonly T[]): T[];
}

export function drawFrom(seed: number): Draw {
  const next = mulberry32(seed);
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (list) => list[int(0, list.length - 1)]!,
    some: (list, probability) => list.filter(() => next() < probability),
    shuffled: (list) => {
      const copy = [...list];
      for (let last = copy.length - 1; last > 0; last -= 1) {
        const other = int(0, last);
        [copy[last], copy[other]] = [copy[other]!, copy[last]!];
      }
      return copy;
    },
  };
}

/** Tommy Ettinger's generator: 32 bits of state, numbers from 0 up to and without 1. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
