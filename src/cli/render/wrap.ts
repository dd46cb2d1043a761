import { filled } from './fill.js';
import { chunksOfWidth, widthOf } from './width.js';

/**
 * A text as lines of at most `width` columns, broken between words; a longer word gets its own line.
 * @param width Undefined or 0: one line.
 */
export const wrapped = (text: string, width: number | undefined): string[] =>
  width ? filled(text, width, widthOf) : [text];

/** The same, but also breaks longer words, so that no line is wider. */
export const fitted = (text: string, width: number | undefined): string[] =>
  width ? wrapped(text, width).flatMap((line) => chunksOfWidth(line, width)) : [text];
