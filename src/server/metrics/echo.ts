/** Decides whether a search that an engine ran for an answer only repeats the prompt. */

/**
 * Normalises a text for comparison: removes case, white space and punctuation, and unifies full-width, ligature and
 * composed forms. Symbols are kept, because C++ and C differ. The text is converted to upper case and back, because
 * only that makes ẞ, ß and SS equal.
 */
export const foldedText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{P}]+/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');

/** Whether the search equals one of the prompts that it was run for, both normalised by `foldedText`. */
export function isEcho(query: string, prompts: readonly string[]): boolean {
  const folded = foldedText(query);
  return prompts.some((prompt) => foldedText(prompt) === folded);
}
