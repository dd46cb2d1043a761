import type { Entity } from './entities.js';
import type { Tally } from './tally.js';

/**
 * The formulas, unrounded; each null means not measured. Written as one division of whole numbers wherever the
 * formula allows, so that an exact quotient comes out exact.
 */

export function presenceRate(sums: Tally): number | null {
  return sums.runs === 0 ? null : sums.present / sums.runs;
}

/** 0 to 100. */
export function visibility(sums: Tally): number | null {
  return sums.runs === 0 ? null : (100 * sums.weightSum) / (1e9 * sums.runs);
}

export function averagePosition(sums: Tally): number | null {
  return sums.present === 0 ? null : sums.positionSum / sums.present;
}

/** `all` are the tallies of every tracked entity over the same runs; 0 where none of them is mentioned. */
export function shareOfVoice(sums: Tally, all: Tally[]): number {
  const mentioned = all.reduce((total, each) => total + each.present, 0);
  return mentioned === 0 ? 0 : sums.present / mentioned;
}

/** The same ratio as a percentage, from the counts and not from a rounded fraction. */
export function shareOfVoicePercent(sums: Tally, all: Tally[]): number {
  const mentioned = all.reduce((total, each) => total + each.present, 0);
  return mentioned === 0 ? 0 : (100 * sums.present) / mentioned;
}

export function citationShare(sums: Tally, entity: Entity): number | null {
  if (entity.domain === '' || sums.citations === 0) return null;
  return sums.ownCitations / sums.citations;
}

/** 0 to 100, 50 = neutral. */
export function sentimentIndex(sums: Tally): number | null {
  const scored = sums.positive + sums.neutral + sums.negative;
  return scored === 0 ? null : 50 + (50 * (sums.positive - sums.negative)) / scored;
}
