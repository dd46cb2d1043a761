/** Finds the names that an answer mentions in its text. */
import { EXCERPT_LENGTH } from '../../contract/reads/answers.js';

/** Where a name stands in a text, in Unicode code points; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** The number of the name. */
  readonly name: number;
}

/** A longer name is not marked, in characters: no product has one, and each word of a text costs as many steps as a name is long. */
const MAX_NAME = 200;
/** More marks on one letter than any script has. To order them takes time that grows with the square of their number. */
const MAX_MARKS = 30;

/** White space, or a character with its marks. */
const UNIT = /\s+|\P{M}\p{M}*|\p{M}+/uy;
const IS_WORD = /[\p{L}\p{N}\p{M}_]/u;
/** Scripts that put no space between words, or attach particles to them. */
const WITHOUT_BREAKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const IS_SPACE = /^\s/u;

/** One form for all ways to write a unit: lower case, decomposed, white space as one space. */
function foldedUnit(unit: string): string {
  if (IS_SPACE.test(unit)) return ' ';
  const lower = unit.toLowerCase();
  return unit.length > MAX_MARKS ? lower : lower.normalize('NFD');
}

interface Unit {
  /** Its folded form. */
  readonly part: string;
  /** Its code points. */
  readonly length: number;
  readonly isWord: boolean;
  /** A word may begin or end next to it. */
  readonly hasNoBreaks: boolean;
}

const unitOf = (unit: string): Unit => ({
  part: foldedUnit(unit),
  length: [...unit].length,
  isWord: IS_WORD.test(unit),
  hasNoBreaks: WITHOUT_BREAKS.test(unit),
});

const folded = (text: string): string =>
  unitsOf(text.trim())
    .map(({ part }) => part)
    .join('');

/** A folded text with the place of each of its units in the original. */
interface FoldedText {
  readonly text: string;
  /** By offset in the folded text where a unit begins or ends: code points before it in the original. */
  readonly codePoints: Int32Array;
  /** By offset: whether a whole word may begin or end there. */
  readonly isBoundary: Uint8Array;
}

/** Marks an offset inside a unit: no name begins or ends there. */
const INSIDE = -1;

function foldText(original: string): FoldedText {
  const units = unitsOf(original);
  const text = units.map(({ part }) => part).join('');
  const codePoints = new Int32Array(text.length + 1).fill(INSIDE);
  const isBoundary = new Uint8Array(text.length + 1);
  let offset = 0;
  let before = 0;
  let last: Unit | undefined;
  for (const unit of units) {
    codePoints[offset] = before;
    isBoundary[offset] = last?.isWord && unit.isWord && !last.hasNoBreaks && !unit.hasNoBreaks ? 0 : 1;
    offset += unit.part.length;
    before += unit.length;
    last = unit;
  }
  codePoints[offset] = before;
  isBoundary[offset] = 1;
  return { text, codePoints, isBoundary };
}

const LAST_ASCII = 0x7f;
const FIRST_MARK = 0x300;
const ASCII = Array.from({ length: LAST_ASCII + 1 }, (_, code) => unitOf(String.fromCharCode(code)));

/** The units of a text. Those of ASCII are looked up, because an expression for each takes three times as long. */
function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  for (let at = 0; at < text.length; ) {
    const plain = ASCII[text.charCodeAt(at)];
    if (plain && plain.part !== ' ' && !(text.charCodeAt(at + 1) >= FIRST_MARK)) {
      units.push(plain);
      at++;
    } else {
      UNIT.lastIndex = at;
      const [unit] = UNIT.exec(text)!;
      units.push(unitOf(unit));
      at += unit.length;
    }
  }
  return units;
}

type Branch = Map<number, Branch> & { ends?: number };

function trieOf(names: readonly string[]): Branch {
  const root: Branch = new Map();
  for (const [at, name] of names.entries()) {
    const key = folded(name);
    if (key === '' || key.length > MAX_NAME) continue;
    let branch = root;
    for (let index = 0; index < key.length; index++) {
      const code = key.charCodeAt(index);
      const next: Branch = branch.get(code) ?? new Map();
      branch.set(code, next);
      branch = next;
    }
    branch.ends ??= at;
  }
  return root;
}

/**
 * Every place of every name as whole words (letters, digits, marks and `_` belong to words; scripts that put no space between
 * words have none), without case and in any form of Unicode, with white space folded. Where places overlap, the longest name counts, then the first place. Names that are
 * equal in this form count as the first of them.
 */
export function spansOf(original: string, names: readonly string[]): Span[] {
  const { text, codePoints, isBoundary } = foldText(original);
  const root = trieOf(names);
  /** The longest name from `start` that ends at `limit` or before. */
  const longestFrom = (start: number, limit: number): { end: number; name: number } | null => {
    let longest: { end: number; name: number } | null = null;
    let branch = root.get(text.charCodeAt(start));
    for (let end = start + 1; branch && end <= limit; end++) {
      if (branch.ends !== undefined && isBoundary[end] === 1 && codePoints[end] !== INSIDE)
        longest = { end, name: branch.ends };
      branch = end < text.length ? branch.get(text.charCodeAt(end)) : undefined;
    }
    return longest;
  };
  /** Where names begin, by the length of the longest one there; each place is in one list. */
  const startsOf: number[][] = Array.from({ length: MAX_NAME + 1 }, () => []);
  const put = (start: number, limit: number): void => {
    const longest = longestFrom(start, limit);
    if (longest) startsOf[longest.end - start]!.push(start);
  };
  for (let start = 0; start < text.length; start++)
    if (codePoints[start] !== INSIDE && isBoundary[start] === 1) put(start, text.length);
  const isTaken = new Uint8Array(text.length);
  const spans: Span[] = [];
  for (let length = MAX_NAME; length > 0; length--) {
    for (const start of startsOf[length]!.sort((a, b) => a - b)) {
      const free = isTaken.subarray(start, start + length).indexOf(1);
      // A longer name has a part of this place: a shorter one may fit before it.
      if (free > 0) put(start, start + free);
      else if (free === -1) {
        isTaken.fill(1, start, start + length);
        const { end, name } = longestFrom(start, start + length)!;
        spans.push({ start: codePoints[start]!, end: codePoints[end]!, name });
      }
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** Where the first mention usually is, in characters. */
const BEGINNING = 2000;

/**
 * A part of a text around the first mention of the brand, else around the first name, else from the beginning.
 * @param isBrand By the number of a name, whether it is one of the brand.
 */
export function excerptOf(text: string, names: readonly string[], isBrand: readonly boolean[]): string {
  const wanted = isBrand.includes(true) ? isBrand : names.map(() => true);
  const beginning = text.slice(0, text.indexOf(' ', BEGINNING) + 1);
  const spans = beginning === '' ? [] : spansOf(beginning, names);
  const isEnough = spans.some(({ name }) => wanted[name]);
  const all = isEnough ? spans : spansOf(text, names);
  const first = all.find(({ name }) => isBrand[name]) ?? all[0];
  const points = [...text];
  if (points.length <= EXCERPT_LENGTH) return text.trim();
  const middle = first ? (first.start + first.end) / 2 : 0;
  const start = Math.max(
    0,
    Math.min(Math.round(middle - EXCERPT_LENGTH / 2), points.length - EXCERPT_LENGTH),
  );
  return wholeWords(points, start, start + EXCERPT_LENGTH, first);
}

/** The most code points of a word that is left out at an end, because it is not there as a whole. */
const CUT_WORD = 24;

/** The part without the words that it cuts, and without white space around it; `kept` stays. */
function wholeWords(
  points: readonly string[],
  start: number,
  end: number,
  kept?: Pick<Span, 'start' | 'end'>,
) {
  const isSpace = (at: number) => IS_SPACE.test(points[at]!);
  let from = start;
  if (start > 0 && !isSpace(start - 1)) {
    const limit = Math.min(start + CUT_WORD, kept?.start ?? end);
    while (from < limit && !isSpace(from)) from++;
    if (from === limit) from = start;
  }
  let to = end;
  if (end < points.length && !isSpace(end)) {
    const limit = Math.max(end - CUT_WORD, kept?.end ?? from);
    while (to > limit && !isSpace(to - 1)) to--;
    if (to === limit) to = end;
  }
  return points.slice(from, to).join('').trim();
}
