/** Finds the names that an answer mentions in its text. */
import { EXCERPT_LENGTH } from '../../../contract/reads/answers.js';

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

/** White space, or a character with its marks; a Hangul syllable is one, also where its letters are written apart. */
const UNIT = /\s+|\P{M}[\u1160-\u11ff]*\p{M}*|\p{M}+/uy;
const IS_WORD = /[\p{L}\p{N}\p{M}_]/u;
/** Scripts that put no space between words, or attach particles to them. */
const WITHOUT_BREAKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const IS_SPACE = /^\s/u;

/** One form for all ways to write a unit: lower case (of sigma too, which has two), decomposed, white space as one space. */
function foldedUnit(unit: string): string {
  if (IS_SPACE.test(unit)) return ' ';
  const lower = unit.toLowerCase().replace('ς', 'σ');
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

function unitOf(unit: string): Unit {
  return {
    part: foldedUnit(unit),
    length: [...unit].length,
    isWord: IS_WORD.test(unit),
    hasNoBreaks: WITHOUT_BREAKS.test(unit),
  };
}

/** A folded text with the place of each of its units in the original. */
interface FoldedText {
  readonly codes: Uint16Array;
  /** The number of its codes. */
  readonly length: number;
  /** By offset in the codes where a unit begins or ends: code points before it in the original. */
  readonly codePoints: Int32Array;
  /** By offset: whether a whole word may begin or end there. */
  readonly isBoundary: Uint8Array;
}

/** Marks an offset inside a unit: no name begins or ends there. */
const INSIDE = -1;

const LAST_ASCII = 0x7f;
const FIRST_MARK = 0x300;
const ASCII = Array.from({ length: LAST_ASCII + 1 }, (_, code) => unitOf(String.fromCharCode(code)));
const SPACE = ' '.charCodeAt(0);
const ASCII_CODES = Uint16Array.from(ASCII, ({ part }) => part.charCodeAt(0));
const ASCII_IS_WORD = Uint8Array.from(ASCII, ({ isWord }) => Number(isWord));

/** Units of other characters that were seen: an expression for each takes many times as long. */
const seenUnits = new Map<string, Unit>();
const MAX_SEEN = 10_000;
const MAX_SEEN_LENGTH = 4;

/** The unit at a place of a text; `UNIT.lastIndex` is then where it ends. */
function unitAt(text: string, at: number): Unit {
  UNIT.lastIndex = at;
  const [found] = UNIT.exec(text)!;
  const seen = seenUnits.get(found);
  if (seen) return seen;
  const unit = unitOf(found);
  if (seenUnits.size < MAX_SEEN && found.length <= MAX_SEEN_LENGTH) seenUnits.set(found, unit);
  return unit;
}

/** The most characters that one becomes in lower case and decomposed. */
const MAX_PARTS = 4;

function foldText(text: string): FoldedText {
  const size = (isPlain(text) ? 1 : MAX_PARTS) * text.length;
  const codes = new Uint16Array(size);
  const codePoints = new Int32Array(size + 1).fill(INSIDE);
  const isBoundary = new Uint8Array(size + 1);
  let offset = 0;
  let points = 0;
  let isWord = false;
  let joins = false;
  /** Begins a unit: it is a word with the one before, or not. */
  const begin = (isNextWord: boolean, hasNoBreaks: boolean): void => {
    codePoints[offset] = points;
    isBoundary[offset] = isWord && isNextWord && joins && !hasNoBreaks ? 0 : 1;
    isWord = isNextWord;
    joins = !hasNoBreaks;
  };
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const plain = code <= LAST_ASCII ? ASCII_CODES[code]! : SPACE;
    if (plain !== SPACE && !(text.charCodeAt(at + 1) >= FIRST_MARK)) {
      begin(ASCII_IS_WORD[code] === 1, false);
      codes[offset++] = plain;
      points++;
      at++;
    } else if (
      code === SPACE &&
      !(text.charCodeAt(at + 1) <= SPACE || text.charCodeAt(at + 1) > LAST_ASCII)
    ) {
      begin(false, false);
      codes[offset++] = SPACE;
      points++;
      at++;
    } else {
      const unit = unitAt(text, at);
      begin(unit.isWord, unit.hasNoBreaks);
      for (let index = 0; index < unit.part.length; index++) codes[offset++] = unit.part.charCodeAt(index);
      points += unit.length;
      at = UNIT.lastIndex;
    }
  }
  codePoints[offset] = points;
  isBoundary[offset] = 1;
  return { codes, length: offset, codePoints, isBoundary };
}

/** Whether no character can become several. */
const isPlain = (text: string): boolean => /^[\0-\x7f\u2000-\u206f]*$/.test(text);

/** A name in the form that is searched for. */
function folded(name: string): Uint16Array {
  const { codes, length } = foldText(name.trim());
  return codes.subarray(0, length);
}

type Branch = Map<number, Branch> & { ends?: number };

function trieOf(names: readonly string[]): Branch {
  const root: Branch = new Map();
  for (const [at, name] of names.entries()) {
    const key = folded(name);
    if (key.length === 0 || key.length > MAX_NAME) continue;
    let branch = root;
    for (const code of key) {
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
  const { codes, length: end, codePoints, isBoundary } = foldText(original);
  const root = trieOf(names);
  /** The longest name from `start` that ends at `limit` or before. */
  const longestFrom = (start: number, limit: number): Found | null => {
    let longest: Found | null = null;
    let branch = root.get(codes[start]!);
    for (let at = start + 1; branch && at <= limit; at++) {
      if (branch.ends !== undefined && isBoundary[at] === 1 && codePoints[at] !== INSIDE)
        longest = { start, end: at, name: branch.ends };
      branch = at < end ? branch.get(codes[at]!) : undefined;
    }
    return longest;
  };
  /** Each place where a name begins is in it once, with the longest name there. */
  const found: Found[] = [];
  for (let start = 0; start < end; start++) {
    if (isBoundary[start] !== 1 || codePoints[start] === INSIDE) continue;
    const longest = longestFrom(start, end);
    if (longest) found.push(longest);
  }
  return withoutOverlap(found, end, longestFrom)
    .sort((a, b) => a.start - b.start)
    .map(({ start, end: last, name }) => ({ start: codePoints[start]!, end: codePoints[last]!, name }));
}

/** A name in the folded text. */
interface Found {
  readonly start: number;
  readonly end: number;
  readonly name: number;
}

/**
 * The longest names, and of equal ones the first.
 * @param found By their start.
 * @param size The length of the folded text.
 * @param longestFrom The longest name from a place that ends at a limit or before.
 */
function withoutOverlap(
  found: readonly Found[],
  size: number,
  longestFrom: (start: number, limit: number) => Found | null,
): Found[] {
  if (found.every(({ start }, at) => at === 0 || start >= found[at - 1]!.end)) return [...found];
  const startsOf: number[][] = Array.from({ length: MAX_NAME + 1 }, () => []);
  const put = ({ start, end }: Found): void => void startsOf[end - start]!.push(start);
  found.forEach(put);
  const isTaken = new Uint8Array(size);
  const kept: Found[] = [];
  for (let length = MAX_NAME; length > 0; length--) {
    for (const start of startsOf[length]!.sort((a, b) => a - b)) {
      const free = isTaken.subarray(start, start + length).indexOf(1);
      // A longer name has a part of this place: a shorter one may fit before it.
      const shorter = free > 0 ? longestFrom(start, start + free) : null;
      if (shorter) put(shorter);
      if (free !== -1) continue;
      isTaken.fill(1, start, start + length);
      kept.push(longestFrom(start, start + length)!);
    }
  }
  return kept;
}

const SURROGATE = /[\ud800-\udfff]/;

/**
 * A part of a text around the first mention of the brand, else around the first name, else from the beginning.
 * @param isBrand By the number of a name, whether it is one of the brand.
 * @param isWhole Whether the text goes on behind its end.
 * @returns Null if that depends on what follows.
 */
export function excerptOf(
  text: string,
  names: readonly string[],
  isBrand: readonly boolean[],
  isWhole = true,
): string | null {
  const isLong = SURROGATE.test(text) ? [...text].length > EXCERPT_LENGTH : text.length > EXCERPT_LENGTH;
  if (isWhole && !isLong) return text.trim();
  const first = names.length === 0 ? undefined : firstMention(text, names, isBrand, isWhole);
  const isEnough = isWhole || isLong;
  if (first === null || !isEnough) return null;
  const points = SURROGATE.test(text) ? [...text] : text;
  const middle = first ? (first.start + first.end) / 2 : 0;
  const start = Math.max(
    0,
    Math.min(Math.round(middle - EXCERPT_LENGTH / 2), points.length - EXCERPT_LENGTH),
  );
  return wholeWords(points, start, start + EXCERPT_LENGTH, first);
}

/** @returns Undefined: none; null: that depends on what follows the text. */
function firstMention(
  text: string,
  names: readonly string[],
  isBrand: readonly boolean[],
  isWhole: boolean,
): Span | null | undefined {
  const brandNames = names.filter((_, at) => isBrand[at]);
  const reach = 2 * Math.max(...names.map(({ length }) => length));
  const near = (wanted: readonly string[]) => mentionNear(text, wanted, names, reach);
  let first = brandNames.length > 0 ? near(brandNames) : undefined;
  if (first === undefined && (isWhole || brandNames.length === 0)) first = near(names);
  if (first === null) {
    const all = spansOf(text, names);
    first = all.find(({ name }) => isBrand[name]) ?? all[0];
    if (first && brandNames.length > 0 && !isBrand[first.name] && !isWhole) return null;
  }
  if (isWhole) return first;
  // The excerpt ends so far behind its mention, and a longer name may begin in it and end behind it.
  const margin = EXCERPT_LENGTH / 2 + CUT_WORD + reach;
  const points = SURROGATE.test(text) ? text.length / 2 : text.length;
  return first && first.end + margin <= points ? first : null;
}

/** Characters whose lower case has another length, or is a letter of ASCII. */
const ODD_CASE = /[\u0130\u212a]|[\ud800-\udfff]/;
const ASCII_WORD = /^[!-~]+(?=\s|$)/;
/** Places that are looked at before all of the text is searched. */
const TRIES = 8;
/** With more words, each place costs more than a search of all of the text. */
const MAX_WORDS = 50;

/**
 * The first of the wanted names in a text, found by its first word: to fold the whole text takes many times as long.
 * @returns Undefined: it has none; null: it cannot be told in this way.
 */
function mentionNear(
  text: string,
  wanted: readonly string[],
  names: readonly string[],
  reach: number,
): Span | null | undefined {
  if (ODD_CASE.test(text)) return null;
  const words = [...new Set(wanted.map((name) => ASCII_WORD.exec(name.trim())?.[0].toLowerCase()))];
  if (words.includes(undefined) || words.length > MAX_WORDS) return null;
  const lower = text.toLowerCase();
  const found = new Set(wanted);
  for (let at = 0, tries = 0; tries < TRIES; tries++) {
    const places = words.map((word) => lower.indexOf(word!, at)).filter((place) => place !== -1);
    if (places.length === 0) return undefined;
    const place = Math.min(...places);
    const start = place <= reach ? 0 : text.lastIndexOf(' ', place - reach) + 1;
    const stop = text.indexOf(' ', place + reach);
    const spans = spansOf(text.slice(start, stop === -1 ? undefined : stop), names);
    // A name that begins behind this place may be part of a longer one that goes on behind the slice.
    const span = spans.find((each) => start + each.start === place && found.has(names[each.name]!));
    if (span) return { start: start + span.start, end: start + span.end, name: span.name };
    at = place + 1;
  }
  return null;
}

/** The most code points of a word that is left out at an end, because it is not there as a whole. */
const CUT_WORD = 24;

/** The part without the words that it cuts, and without white space around it; `kept` stays. */
function wholeWords(
  points: string | readonly string[],
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
  const part = points.slice(from, to);
  return (typeof part === 'string' ? part : part.join('')).trim();
}
