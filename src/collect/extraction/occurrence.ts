/** Finds names and spans in the text of an answer. */

/** The text with white space folded, and the original text behind each part of it. */
export const folded = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim();

const WORD = /[\p{L}\p{N}\p{M}_]/u;
/** Scripts that put no space between words, or attach particles to them. */
const WITHOUT_BREAKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** After a word these are part of its name: C++ is not C. */
const BELONGS_TO_WORD = /[+#]/;

/** Whether a word ends between two neighbouring characters. */
const isBoundary = (inner: string, outer: string | undefined): boolean =>
  outer === undefined ||
  !WORD.test(outer) ||
  !WORD.test(inner) ||
  (WITHOUT_BREAKS.test(inner) && !/\p{M}/u.test(outer)) ||
  WITHOUT_BREAKS.test(outer);

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** An answer, prepared for looking up many names. */
export class AnswerText {
  readonly #text: string;
  readonly #lower: string;
  /** The lower-case text has other lengths for a few characters; then places are those of the lower-case text. */
  readonly #isCaseless: boolean;

  constructor(answer: string) {
    this.#text = folded(answer);
    this.#lower = this.#text.toLowerCase();
    this.#isCaseless = this.#text === this.#lower;
  }

  /** Whether the span occurs, white space folded. */
  has(span: string): boolean {
    const wanted = folded(span);
    return wanted !== '' && this.#text.includes(wanted);
  }

  /** The first occurrence of a name as whole words, in any case; null: none. */
  find(name: string): Place | null {
    return this.#first(name, () => true);
  }

  /**
   * As `find`, for a name that the extraction model did not list: a name with capitals is not found in words without
   * capitals, because many names are ordinary words. A text without any capitals is searched in any case.
   */
  findTracked(name: string): Place | null {
    const wanted = folded(name);
    const needsCapital = !this.#isCaseless && wanted !== wanted.toLowerCase();
    const written = ({ start, end }: Place) => this.#text.slice(start, end);
    const isSameLength = this.#text.length === this.#lower.length;
    return this.#first(name, (place) => {
      if (!needsCapital || !isSameLength) return true;
      const found = written(place);
      return found !== found.toLowerCase();
    });
  }

  #first(name: string, accepts: (place: Place) => boolean): Place | null {
    const wanted = folded(name).toLowerCase();
    if (wanted === '') return null;
    for (
      let start = this.#lower.indexOf(wanted);
      start >= 0;
      start = this.#lower.indexOf(wanted, start + 1)
    ) {
      const place = { start, end: start + wanted.length };
      if (this.#isWhole(place) && accepts(place)) return place;
    }
    return null;
  }

  #isWhole({ start, end }: Place): boolean {
    const text = this.#lower;
    return (
      isBoundary(characterAt(text, start)!, characterBefore(text, start)) &&
      !BELONGS_TO_WORD.test(characterAt(text, end) ?? '') &&
      isBoundary(characterBefore(text, end)!, characterAt(text, end))
    );
  }
}

const characterAt = (text: string, at: number): string | undefined =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : undefined;

function characterBefore(text: string, at: number): string | undefined {
  if (at <= 0) return undefined;
  const isPair = /[\udc00-\udfff]/.test(text[at - 1]!) && at > 1;
  return isPair ? text.slice(at - 2, at) : text[at - 1];
}
