import { chunksOfWidth, widthOf } from './width.js';

/**
 * A text as lines of at most `width` columns, broken between words; a longer word gets its own line.
 * @param width Undefined or 0: one line.
 */
export function wrapped(text: string, width: number | undefined): string[] {
  if (!width) return [text];
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

/** The same, but also breaks longer words, so that no line is wider. */
export const fitted = (text: string, width: number | undefined): string[] =>
  width ? wrapped(text, width).flatMap((line) => chunksOfWidth(line, width)) : [text];
