import { type Bounds, rangeOf } from './scale.js';

const TICKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
/** The character for a day that was not measured. Not a space, because spaces at the ends of a text are removed. */
const GAP = '·';

/** A text with one character per value, scaled from the lowest to the highest value; empty if there are no values. */
export function sparkline(values: readonly (number | null)[], bounds: Bounds): string {
  const measured = values.filter((value) => value !== null);
  if (measured.length === 0) return '';
  const [low, high] = rangeOf(measured, bounds);
  const tick = (value: number) =>
    TICKS[Math.min(TICKS.length - 1, Math.floor(((value - low) / (high - low)) * TICKS.length))]!;
  return values.map((value) => (value === null ? GAP : tick(value))).join('');
}
