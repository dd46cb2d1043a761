import { distance } from 'fastest-levenshtein';

/** Returns ` Did you mean limit?`, or an empty string if no known word is similar. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** The known word with the smallest edit distance, at most a third of its length plus one. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, changes: distance(word, candidate) }))
    .sort((a, b) => a.changes - b.changes);
  const [best] = ranked;
  return best && best.changes <= Math.max(1, Math.floor(best.candidate.length / 3) + 1)
    ? best.candidate
    : undefined;
}
