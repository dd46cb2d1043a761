import CliTable from 'cli-table3';

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

/**
 * A text as lines of at most `width` columns, broken between words; a longer word gets its own line.
 * @param width Undefined or 0: one line.
 */
export const wrapped = (text: string, width: number | undefined): string[] =>
  width ? filled(text, width, widthOf) : [text];

/** The same, but also breaks longer words, so that no line is wider. */
export const fitted = (text: string, width: number | undefined): string[] =>
  width ? wrapped(text, width).flatMap((line) => chunksOfWidth(line, width)) : [text];

/** Letters and punctuation of Latin scripts and the blocks of sparklines, all one column wide. */
const latin = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2581-\u2588]*$/;

/** Terminal columns of a text without line feeds. cli-table3 measures other scripts: it supports them, but is slow. */
export function widthOf(text: string): number {
  if (latin.test(text)) return text.length;
  const table = new CliTable({ style: { 'padding-left': 0, 'padding-right': 0 } });
  table.push([text]);
  table.toString();
  return table.options.colWidths[0] ?? 0;
}

/** Made when the first text needs it, because that takes longer than drawing a table. */
let segmenter: Intl.Segmenter | undefined;
const widthsOfLetters = new Map<string, number>();

/** The width of one letter, cached. */
function widthOfLetter(letter: string): number {
  const width = widthsOfLetters.get(letter) ?? widthOf(letter);
  widthsOfLetters.set(letter, width);
  return width;
}

/** The graphemes of a text. */
function lettersOf(text: string): string[] {
  if (latin.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The text in chunks of at most `width` columns; a wider letter gets its own chunk. */
function chunksOfWidth(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const cut: string[] = [];
  let chunk = '';
  let left = width;
  for (const letter of lettersOf(text)) {
    const taken = widthOfLetter(letter);
    if (chunk !== '' && taken > left) {
      cut.push(chunk);
      chunk = '';
      left = width;
    }
    chunk += letter;
    left -= taken;
  }
  return [...cut, chunk];
}

/** The text in at most `width` columns; a shortened text ends with `…`. */
export function shortened(text: string, width: number): string {
  if (text.length <= width / 2 || widthOf(text) <= width) return text;
  return latin.test(text)
    ? `${text.slice(0, width - 1)}…`
    : `${chunksOfWidth(text.slice(0, 4 * width), width - 1)[0]}…`;
}
