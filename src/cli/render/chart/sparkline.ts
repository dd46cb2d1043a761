import { type Bounds, rangeOf } from './scale.js';

const TICKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
/** The character for a day that was not measured: a space is lost at the ends of the text. */
const GAP = '·';

/** A value a character, from the lowest to the highest of them; nothing when there is no value at all. */
export function sparkline(values: readonly (number | null)[], bounds: Bounds): string {
  const measured = values.filter((value) => value !== null);
  if (measured.length === 0) return '';
  const [low, high] = rangeOf(measured, bounds);
  const tick = (value: number) =>
    TICKS[Math.min(TICKS.length - 1, Math.floor(((value - low) / (high - low)) * TICKS.length))]!;
  return values.map((value) => (value === null ? GAP : tick(value))).join('');
}
