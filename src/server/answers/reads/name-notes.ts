/** What reads say of entities that are not measured on all days. */
import { notes, sentence } from '../../../contract/notes.js';
import type { CrossedGap, NameGap } from '../sums/name-gaps.js';
import type { BrandSource } from './reader.js';

/** Why a verdict is unknown; null: for no gap. */
export function unsearchedReason(crossed: CrossedGap | undefined, brandName: string): string | null {
  if (!crossed) return null;
  const values = { names: crossed.gap.name ?? brandName, since: crossed.since };
  return sentence(crossed.isOfSpelling ? 'spelledSince' : 'notSearchedBefore', values);
}

/** Since when entities are measured, and what shares of voice before are of; null: all of them are measured on all days. */
export function gapsNote({ brand }: Pick<BrandSource, 'brand'>, gaps: readonly NameGap[]): string | null {
  if (gaps.length === 0) return null;
  const since = (name: 'namesMeasuredSince' | 'spelledSince', of: (gap: NameGap) => string | null) => {
    const days = new Set(gaps.flatMap((gap) => of(gap) ?? []));
    return [...days].sort().map((day) => {
      const names = gaps.filter((gap) => of(gap) === day).map((gap) => gap.name ?? brand.name);
      return sentence(name, { since: day, names: names.join(', ') });
    });
  };
  return notes([
    ...since('namesMeasuredSince', ({ measuredSince }) => measuredSince),
    ...since('spelledSince', ({ spelledSince }) => spelledSince),
    brand.isSearched && sentence('answersSearched'),
  ]);
}
