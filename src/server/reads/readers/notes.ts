/** Caveats in words. */

/** The sentences that hold, as one text; null when there is nothing to say. */
export function notes(sentences: readonly (string | false | null | undefined)[]): string | null {
  return sentences.filter(Boolean).join(' ') || null;
}
