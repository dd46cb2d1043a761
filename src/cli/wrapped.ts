/**
 * A text as lines of at most `width` columns, broken between words; a longer word has a line of its own.
 * @param width Undefined or 0: one line.
 */
export function wrapped(text: string, width: number | undefined): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && (!width || last.length + 1 + word.length <= width))
      lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}
