import { distance } from 'fastest-levenshtein';

/** Returns ` Did you mean limit?`, or an empty string if no known word is similar. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** The known word with the smallest edit distance, of those that are similar. */
export const nearest = (word: string, known: readonly string[]): string | undefined =>
  closest(known.map((candidate) => ({ name: candidate, changes: changes(word, candidate) })));

/**
 * The name of several words whose words, or last words, are nearest to the first of the typed ones; the others may be arguments.
 * Nothing is returned for last words that several names have.
 */
export function nearestName(typed: readonly string[], names: readonly string[]): string | undefined {
  for (let length = typed.length; length > 0; length--) {
    const ranked = names.flatMap((name) => {
      const tail = name.split(' ').slice(-length);
      if (tail.length < length) return [];
      const each = tail.map((word, at) => changes(typed[at]!, word));
      return [{ name, tail: tail.join(' '), changes: each.reduce((sum, one) => sum + one, 0) }];
    });
    const least = Math.min(...ranked.map((each) => each.changes));
    const found = closest(
      ranked.filter(
        ({ name, tail, changes }) =>
          changes === least && (name === tail || ranked.filter((other) => other.tail === tail).length === 1),
      ),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The edit distance of two words; infinite if they are not similar: half of a word is another, unless its letters are the same. */
function changes(word: string, candidate: string): number {
  const count = distance(word, candidate);
  const isNear = count <= Math.floor(candidate.length / 3) + 1;
  const isSame = 2 * count < Math.max(word.length, candidate.length) || sorted(word) === sorted(candidate);
  return isNear && isSame ? count : Number.POSITIVE_INFINITY;
}

const sorted = (word: string): string => [...word].sort().join('');

function closest(ranked: readonly { readonly name: string; readonly changes: number }[]): string | undefined {
  const [best] = ranked.toSorted((a, b) => a.changes - b.changes);
  return best !== undefined && Number.isFinite(best.changes) ? best.name : undefined;
}
