/**
 * A text as lines of at most `width` columns, broken between words; a longer word gets its own line.
 * @param widthOf The columns of a word; absent: every character takes one, as in our own English texts.
 */
export function filled(
  text: string,
  width: number,
  widthOf: (word: string) => number = (word) => word.length,
): string[] {
  const lines: string[] = [];
  let left = 0;
  for (const word of text.split(' ')) {
    const taken = widthOf(word);
    if (lines.length > 0 && taken < left) {
      lines[lines.length - 1] += ` ${word}`;
      left -= taken + 1;
    } else {
      lines.push(word);
      left = width - taken;
    }
  }
  return lines;
}
