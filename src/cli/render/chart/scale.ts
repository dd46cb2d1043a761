/** An axis with round numbers as ticks. */
export interface Scale {
  /** The ticks in ascending order, equally far apart. All values are between the first and the last. */
  readonly ticks: readonly number[];
  /** The number of decimals that the ticks need. */
  readonly digits: number;
}

/** The possible values of an axis, and its minimum span, so that noise does not look like a trend. */
export interface Bounds {
  readonly floor: number;
  readonly ceiling: number;
  readonly leastSpan: number;
}

const MOST_STEPS = 5;

/**
 * The axis with the smallest step of 1, 2 or 5 times a power of ten that needs at most five steps.
 * @param values Finite, within the bounds.
 */
export function roundScale(values: readonly number[], bounds: Bounds): Scale {
  const [low, high] = rangeOf(values, bounds);
  let exponent = Math.floor(Math.log10((high - low) / MOST_STEPS));
  for (;;) {
    for (const factor of [1, 2, 5]) {
      const digits = Math.max(0, -exponent);
      const step = factor * 10 ** exponent;
      // The quotient may differ from a whole number by a rounding error.
      const first = Math.floor(low / step + 1e-9);
      const last = Math.ceil(high / step - 1e-9);
      if (last - first > MOST_STEPS) continue;
      const ticks = Array.from({ length: last - first + 1 }, (_, at) => rounded((first + at) * step, digits));
      return { ticks, digits };
    }
    exponent += 1;
  }
}

/** The range of the values, widened on both sides to the minimum span and shifted into the bounds. */
export function rangeOf(values: readonly number[], { floor, ceiling, leastSpan }: Bounds): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const missing = Math.max(0, leastSpan - (high - low));
  const from = Math.min(Math.max(floor, low - missing / 2), Math.max(floor, ceiling - leastSpan), low);
  return [from, Math.max(high, Math.min(ceiling, from + leastSpan))];
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
