/** Whether a search behind an answer only repeats the prompt. */

/**
 * A text without what does not count when two are compared: case, white space and punctuation. Symbols stay, because
 * C++ and C are not the same. Of full-width, ligature and composed forms there is one. Both cases are gone through,
 * because ẞ, ß and SS are one letter only then.
 */
export const foldedText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{P}]+/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');

/** Whether the search equals one of the prompts that it was run for, but for what `foldedText` drops. */
export function isEcho(query: string, prompts: readonly string[]): boolean {
  const folded = foldedText(query);
  return prompts.some((prompt) => foldedText(prompt) === folded);
}
