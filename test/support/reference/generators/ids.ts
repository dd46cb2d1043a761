import type { Draw } from './draw.js';

/** Separators and letter cases whose order differs between code points and a dictionary. */
const LEADS = ['a', 'B', 'b-', 'B_', 'a.', 'A:', '0', 'Z', '_', '-'] as const;

/** `count` distinct ids, in no order. */
export function randomIds(draw: Draw, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${draw.pick(LEADS)}x${index}`);
}
