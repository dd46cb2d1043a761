/** Where the names of an answer stand in its text, and the excerpt around the first of them. */
import { type Entity, fold } from './entities.js';
import type { RunRecord } from './records.js';

/** A letter with its marks, a Hangul syllable, or white space; places count code points. */
interface Letter {
  start: number;
  end: number;
  folded: string;
  isWord: boolean;
  /** Of a script whose words have nothing between them. */
  isJoined: boolean;
}

function lettersOf(text: string): Letter[] {
  const letters: Letter[] = [];
  let start = 0;
  for (const written of text.match(/\s+|\P{M}[\u1160-\u11ff]*\p{M}*|\p{M}+/gu) ?? []) {
    const end = start + [...written].length;
    letters.push({
      start,
      end,
      folded: /^\s/u.test(written) ? ' ' : written.toLowerCase().replace('ς', 'σ').normalize('NFD'),
      isWord: /[\p{L}\p{N}\p{M}_]/u.test(written),
      isJoined:
        /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
          written,
        ),
    });
    start = end;
  }
  return letters;
}

const foldedText = (letters: readonly Letter[]): string => letters.map(({ folded }) => folded).join('');

/** Every place of every mention's name, the longest first; `at` is the place of the mention in the run. */
export function spansIn({ answer, mentions }: RunRecord): { start: number; end: number; at: number }[] {
  const letters = lettersOf(answer ?? '');
  const isWithin = (at: number): boolean => {
    const [before, after] = [letters[at - 1], letters[at]];
    return (
      before !== undefined &&
      after !== undefined &&
      before.isWord &&
      after.isWord &&
      !before.isJoined &&
      !after.isJoined
    );
  };
  const found: { first: number; last: number; size: number; at: number }[] = [];
  for (const [at, { name }] of mentions.entries()) {
    const wanted = foldedText(lettersOf(name.trim()));
    if (wanted === '') continue;
    for (let first = 0; first < letters.length; first += 1) {
      let text = '';
      for (let last = first; last < letters.length && text.length < wanted.length; last += 1) {
        text += letters[last]!.folded;
        if (text === wanted && !isWithin(first) && !isWithin(last + 1))
          found.push({ first, last, size: wanted.length, at });
      }
    }
  }
  found.sort((a, b) => b.size - a.size || a.first - b.first || a.at - b.at);
  const kept: typeof found = [];
  for (const each of found)
    if (kept.every(({ first, last }) => each.last < first || each.first > last)) kept.push(each);
  return kept
    .sort((a, b) => a.first - b.first)
    .map(({ first, last, at }) => ({ start: letters[first]!.start, end: letters[last]!.end, at }));
}

const EXCERPT = 240;
/** A word that is longer is cut. */
const LONG_WORD = 24;

/** Up to 240 code points around the first mention of the brand, else the first name, else from the beginning. */
export function excerptIn(run: RunRecord, own: Entity): string | null {
  if (run.answer === null || run.answer === undefined) return null;
  const spans = spansIn(run);
  const first = spans.find(({ at }) => own.names.includes(fold(run.mentions[at]!.name))) ?? spans[0];
  return excerptAround(run.answer, first);
}

export function excerptAround(text: string, first?: { start: number; end: number }): string {
  const points = [...text];
  if (points.length <= EXCERPT) return text.trim();
  const middle = first ? (first.start + first.end) / 2 : 0;
  let start = Math.max(0, Math.min(Math.round(middle - EXCERPT / 2), points.length - EXCERPT));
  let end = start + EXCERPT;
  const isSpace = (at: number) => /\s/u.test(points[at]!);
  if (start > 0 && !isSpace(start - 1)) {
    const next = points.findIndex((_, at) => at >= start && isSpace(at));
    if (next !== -1 && next < Math.min(start + LONG_WORD, first?.start ?? end)) start = next;
  }
  if (end < points.length && !isSpace(end)) {
    const before = points.findLastIndex((_, at) => at < end && isSpace(at));
    if (before + 1 > Math.max(end - LONG_WORD, first?.end ?? start)) end = before + 1;
  }
  return points.slice(start, end).join('').trim();
}
