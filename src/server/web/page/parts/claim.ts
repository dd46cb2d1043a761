/** Where a claim of a fact check stands in the text of an answer. */

/** A part of a text, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface FoundClaim extends Range {
  /** The sentence around it. */
  readonly sentence: Range;
}

/** What stands between words: white space, and the marks of emphasis that engines write and language models leave out. */
const BETWEEN = '[\\s*_`]+';
const QUOTED = /^[\s"'“”‘’„«».…]+|[\s"'“”‘’„«».…]+$/gu;
const SYNTAX = /[\\^$.+?()[\]{}|/]/gu;
/** No part of a longer word or number. */
const BEGIN = '(?<![\\p{L}\\p{N}]|\\p{N}[.,])';
const END = '(?![\\p{L}\\p{N}]|[.,]\\p{N})';

/** The first place of a claim in a text, word for word; null: it is not there. */
export function claimIn(text: string, claim: string): FoundClaim | null {
  const words = claim.replace(QUOTED, '').split(new RegExp(BETWEEN, 'u')).filter(Boolean);
  if (words.length === 0) return null;
  const pattern = words.map((word) => word.replace(SYNTAX, '\\$&')).join(BETWEEN);
  const found = new RegExp(BEGIN + pattern + END, 'iu').exec(text);
  if (found === null) return null;
  const range = { start: found.index, end: found.index + found[0].length };
  return { ...range, sentence: sentenceAround(text, range) };
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Characters before and after a claim in which its sentence is looked for. */
const REACH = 1000;

function sentenceAround(text: string, { start, end }: Range): Range {
  const lineStart = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - REACH);
  const line = text.indexOf('\n', end);
  const lineEnd = Math.min(line === -1 ? text.length : line, end + REACH);
  const around = [...sentences.segment(text.slice(lineStart, lineEnd))]
    .map(({ index, segment }) => ({
      start: lineStart + index,
      end: lineStart + index + segment.trimEnd().length,
    }))
    .filter((each) => each.start < end && each.end > start);
  return { start: around[0]?.start ?? start, end: Math.max(end, around.at(-1)?.end ?? end) };
}
