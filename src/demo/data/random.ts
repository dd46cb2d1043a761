/** Seeded random choices: the same words always give the same choices, independent of all other choices. */

export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number from `minimum` to `maximum`, including both. */
  integer(minimum: number, maximum: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** One item, with a probability proportional to its weight. */
  weighted<T>(items: readonly T[], weightOf: (item: T) => number): T;
  /** Up to `count` distinct items, drawn by weight without replacement. */
  sample<T>(items: readonly T[], count: number, weightOf: (item: T) => number): T[];
}

/** FNV-1a with the finaliser of MurmurHash3, so that seeds that differ in one letter have very different hashes. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** mulberry32 (Tommy Ettinger, public domain). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

function indexByWeight(next: () => number, weights: readonly number[]): number {
  let rest = next() * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => {
    rest -= weight;
    return rest < 0;
  });
  return index === -1 ? weights.length - 1 : index;
}

/** A source of choices that depends only on these words. */
export function randomOf(...words: readonly (string | number)[]): Random {
  const next = generator(hash(words.join('|')));
  const integer = (minimum: number, maximum: number) =>
    minimum + Math.floor(next() * (maximum - minimum + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (items) => items[integer(0, items.length - 1)]!,
    weighted: (items, weightOf) => items[indexByWeight(next, items.map(weightOf))]!,
    sample: (items, count, weightOf) => {
      const left = [...items];
      const weights = left.map(weightOf);
      const drawn: (typeof left)[number][] = [];
      while (drawn.length < count && left.length > 0) {
        const index = indexByWeight(next, weights);
        drawn.push(left[index]!);
        left.splice(index, 1);
        weights.splice(index, 1);
      }
      return drawn;
    },
  };
}
