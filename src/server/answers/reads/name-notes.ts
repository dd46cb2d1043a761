/** What reads say of entities that are not measured on all days. */
import { fact } from '../../../contract/notes.js';
import type { Fact } from '../../../contract/read.js';
import type { CrossedGap, NameGap } from '../sums/name-gaps.js';
import type { BrandSource } from './reader.js';

/** Why a verdict is unknown; null: for no gap. */
export function unsearchedReason(crossed: CrossedGap | undefined, brandName: string): Fact | null {
  if (!crossed) return null;
  const values = { names: [crossed.gap.name ?? brandName], since: crossed.since };
  return fact(crossed.isOfSpelling ? 'spelled_since' : 'not_searched_before', values);
}

/** Since when entities are measured, and what shares of voice before are of; empty: all of them are measured on all days. */
export function gapFacts({ brand }: Pick<BrandSource, 'brand'>, gaps: readonly NameGap[]): Fact[] {
  if (gaps.length === 0) return [];
  const since = (name: 'names_measured_since' | 'spelled_since', of: (gap: NameGap) => string | null) => {
    const days = new Set(gaps.flatMap((gap) => of(gap) ?? []));
    return [...days].sort().map((day) => {
      const names = gaps.filter((gap) => of(gap) === day).map((gap) => gap.name ?? brand.name);
      return fact(name, { since: day, names });
    });
  };
  return [
    ...since('names_measured_since', ({ measuredSince }) => measuredSince),
    ...since('spelled_since', ({ spelledSince }) => spelledSince),
    ...(brand.isSearched ? [fact('answers_searched')] : []),
  ];
}
