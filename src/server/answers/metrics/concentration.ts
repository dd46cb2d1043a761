/** How much of a change few of the answers make up: by this, one cut of a change is told before another. */
import type { Contribution } from './contributions.js';

/** Cells of a change, each with its part of the answers, or of what is counted in them. */
export type WeighedCell = Pick<Contribution, 'total' | 'verdict'> & { readonly weight: number };

/** What a further cell costs, so that of two cuts which explain as much that of fewer cells is told. */
const PER_CELL = 0.04;

/**
 * The part of the difference that cells explain whose answers changed by more than chance, less their part of all answers: 0 if
 * each cell changed alike, near 1 if a small one explains all.
 * @param asked The part of the change that is because of what was asked. It is a fact, and needs no test.
 */
export function concentrationOf(cells: readonly WeighedCell[], asked: number, difference: number): number {
  const reasons = cells
    .filter(({ verdict }) => verdict === 'up' || verdict === 'down')
    .map(({ total, weight }) => ({ explained: total / difference, weight }))
    .filter(({ explained }) => explained > 0)
    .sort((a, b) => b.explained - a.explained);
  let best = Math.max(0, Math.min(1, asked / difference));
  let [explained, weight] = [0, 0];
  for (const [at, cell] of reasons.entries()) {
    explained += cell.explained;
    weight += cell.weight;
    best = Math.max(best, Math.min(1, explained) - weight - PER_CELL * at);
  }
  return best;
}
