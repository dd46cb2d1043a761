/** Finds names and spans in the text of an answer. */
import { type Place, Trie } from './trie.js';

/** More marks on one letter than any script has. To order them takes time that grows with the square of their number. */
const MANY_MARKS = /\p{M}{31}/u;

/** The text in one form of Unicode, with white space folded. */
export const folded = (text: string): string =>
  (MANY_MARKS.test(text) ? text : text.normalize('NFC')).replace(/\s+/gu, ' ').trim();

const WORD = /[\p{L}\p{N}\p{M}_]/u;
const MARK = /\p{M}/u;
/** Scripts that put no space between words, or attach particles to them. */
const WITHOUT_BREAKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** After a word these are part of its name: C++ is not C. */
const BELONGS_TO_WORD = /[+#]/;

/** Whether a word ends between two neighbouring characters. */
const isBoundary = (inner: string, outer: string | undefined): boolean =>
  outer === undefined ||
  !is(WORD, outer) ||
  !is(WORD, inner) ||
  (is(WITHOUT_BREAKS, inner) && !is(MARK, outer)) ||
  is(WITHOUT_BREAKS, outer);

const KNOWN = new Map<RegExp, Map<string, boolean>>(
  [WORD, MARK, WITHOUT_BREAKS].map((kind) => [kind, new Map()]),
);

/** Whether the character is of the kind. Remembered, because a text has few different characters. */
function is(kind: RegExp, character: string): boolean {
  const known = KNOWN.get(kind)!;
  const result = known.get(character) ?? kind.test(character);
  known.set(character, result);
  return result;
}

/** A longer claimed name is not found: no product has one. */
const LONGEST_CLAIM = 200;

/** An answer, prepared for looking up many names. */
export class AnswerText {
  readonly #text: string;
  readonly #lower: string;
  /** The lower-case text has other lengths for a few characters; then places are those of the lower-case text. */
  readonly #isCaseless: boolean;
  /** Characters looked at so far. */
  steps = 0;

  constructor(answer: string) {
    this.#text = folded(answer);
    this.#lower = this.#text.toLowerCase();
    this.#isCaseless = this.#text === this.#lower;
  }

  /** For each span whether it occurs, white space folded. */
  has(spans: readonly string[]): boolean[] {
    const trie = new Trie(spans.map(folded));
    const found = trie.occurring(this.#text);
    this.steps += trie.steps;
    return spans.map((_, at) => found.has(at));
  }

  /** The first occurrence of each name as whole words, in any case; null: none. */
  find(names: readonly string[]): (Place | null)[] {
    const wanted = names.map(folded).map((name) => (name.length > LONGEST_CLAIM ? '' : name));
    return this.#first(wanted, () => true);
  }

  /**
   * As `find`, for names that the extraction model did not list: a name with capitals is not found in words without
   * capitals, because many names are ordinary words. A text without any capitals is searched in any case.
   */
  findTracked(names: readonly string[]): (Place | null)[] {
    const wanted = names.map(folded);
    const isSameLength = this.#text.length === this.#lower.length;
    const needsCapital = wanted.map(
      (name) => !this.#isCaseless && isSameLength && name !== name.toLowerCase(),
    );
    return this.#first(wanted, (index, { start, end }) => {
      if (!needsCapital[index]) return true;
      const written = this.#text.slice(start, end);
      return written !== written.toLowerCase();
    });
  }

  #first(names: readonly string[], accepts: (index: number, place: Place) => boolean): (Place | null)[] {
    const trie = new Trie(names.map((name) => name.toLowerCase()));
    const text = this.#lower;
    const places = trie.firstPlaces(text, {
      isStart: (at) => isBoundary(characterAt(text, at)!, characterBefore(text, at)),
      isEnd: (at) =>
        !BELONGS_TO_WORD.test(characterAt(text, at) ?? '') &&
        isBoundary(characterBefore(text, at)!, characterAt(text, at)),
      accepts,
    });
    this.steps += trie.steps;
    return names.map((_, at) => places.get(at) ?? null);
  }
}

const characterAt = (text: string, at: number): string | undefined =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : undefined;

function characterBefore(text: string, at: number): string | undefined {
  if (at <= 0) return undefined;
  const isPair = /[\udc00-\udfff]/.test(text[at - 1]!) && at > 1;
  return isPair ? text.slice(at - 2, at) : text[at - 1];
}
