/** The text of an answer: names marked, citations in place, as much of it as a page can hold. */
import type { FullAnswer, NameSpan } from '../../../../contract/reads/answer.js';
import { canonicalUrl } from '../../../answers/citations/canonical-url.js';
import { html, type Markup } from '../html.js';
import { claimIn, type Range } from './claim.js';
import { whole } from './numbers.js';
import { externalLink, userText, visibleLines } from './text.js';

/** How much of a text is shown, in code points, and in bytes of its markup. */
const MAX_LENGTH = 16_000;
/** Markup of a marked name or of a link, next to its text. */
const MARK_BYTES = 60;

/** Whose name it is: the class of its mark. */
type Whose = 'own' | 'rival' | 'other';

export const whoseName = ({ is_brand, entity }: Pick<NameSpan, 'is_brand' | 'entity'>): Whose =>
  is_brand ? 'own' : entity === null ? 'other' : 'rival';

/** A part of a text that is more than text. */
interface Part extends Range {
  readonly markup: (text: string) => Markup;
}

/** Where the items of the list of citations are. */
export const citationAnchor = (position: number): string => `citation-${position}`;

/** How much of a text a page shows, and what is around it. */
interface Room {
  /** The most bytes of its markup. */
  readonly bytes: number;
  /** The citations that the page lists; a number in brackets leads to them. 0: none. */
  readonly listed: number;
  /** The file that has all of the text. */
  readonly file: string | undefined;
  /** What a fact check says that is wrong in it. */
  readonly claims?: readonly string[];
}

/** Where the first sentence is that a fact check found wrong. */
export const WRONG_ANCHOR = 'wrong';

/**
 * The text with its marks. Engines write texts: they stay text, lead only to pages that the answer cites, and are cut with a
 * note that says so.
 */
export function answerText(
  answer: FullAnswer,
  text: string,
  { bytes, listed, file, claims = [] }: Room,
): Markup {
  const characters = [...text.slice(0, 2 * MAX_LENGTH)].slice(0, MAX_LENGTH);
  const shown = fitting(characters, answer.spans, bytes);
  const cut = characters.slice(0, shown).join('');
  const parts = partsOf(cut, answer, characters.slice(0, shown), listed);
  const within = (start: number, end: number) => piecesOf(cut, parts, start, end);
  const pieces: Markup[] = [];
  let from = 0;
  for (const [at, { start, end }] of wrongIn(cut, claims, parts).entries()) {
    const id = at === 0 ? WRONG_ANCHOR : undefined;
    pieces.push(within(from, start), html`<mark class="wrong" id=${id}>${within(start, end)}</mark>`);
    from = end;
  }
  return html`<p class="answer-text" dir="auto">${pieces}${within(from, cut.length)}${cut.length < text.length ? '…' : ''}</p>
    ${cut.length < text.length ? html`<p class="note">The first ${whole(shown)} of ${whole(lengthOf(text))} characters. The API has all of them${file === undefined ? '' : html`: <a href=${file}>JSON</a>`}, as the text of the answer.</p>` : null}`;
}

/** A range of a text with the parts that are in it. None is in it in part. */
function piecesOf(text: string, parts: readonly Part[], from: number, to: number): Markup[] {
  const pieces: Markup[] = [];
  let at = from;
  for (const { start, end, markup } of parts) {
    if (start < from || end > to) continue;
    pieces.push(visibleLines(text.slice(at, start)), markup(visibleLines(text.slice(start, end))));
    at = end;
  }
  return [...pieces, visibleLines(text.slice(at, to))];
}

/** The sentences that state a claim, in order and without overlap, each with all of the names and links that it begins or ends in. */
function wrongIn(text: string, claims: readonly string[], parts: readonly Part[]): Range[] {
  const found = claims
    .flatMap((claim) => claimIn(text, claim)?.sentence ?? [])
    .sort((a, b) => a.start - b.start);
  const ranges: Range[] = [];
  for (const { start, end } of found) {
    const cut = parts.filter((part) => part.start < end && part.end > start);
    const range = {
      start: Math.min(start, ...cut.map((part) => part.start)),
      end: Math.max(end, ...cut.map((part) => part.end)),
    };
    const last = ranges.at(-1);
    if (last && range.start < last.end)
      ranges[ranges.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else ranges.push(range);
  }
  return ranges;
}

/** The code points of a text. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

const ESCAPED = '&<>"\'';

/** How many of the characters fit into the bytes, with the marks of the names among them. */
function fitting(characters: readonly string[], spans: readonly NameSpan[], bytes: number): number {
  const starts = new Set(spans.map(({ start }) => start));
  let used = 0;
  for (const [at, character] of characters.entries()) {
    used += ESCAPED.includes(character) ? 6 : Buffer.byteLength(visibleLines(character));
    if (starts.has(at)) used += MARK_BYTES;
    if (used > bytes) return at;
  }
  return characters.length;
}

function partsOf(
  text: string,
  { spans, citations }: FullAnswer,
  characters: readonly string[],
  listed: number,
): Part[] {
  const links = linksIn(text, citations, listed);
  const offsets = [0];
  for (const character of characters) offsets.push(offsets.at(-1)! + character.length);
  const names = spans
    .filter(({ end }) => end < offsets.length)
    .map(({ start, end, ...span }) => ({
      start: offsets[start]!,
      end: offsets[end]!,
      markup: (shown: string) => html`<mark class=${whoseName(span)}>${shown}</mark>`,
    }))
    .filter((name) => !links.some((link) => name.start < link.end && link.start < name.end));
  return [...links, ...names].sort((a, b) => a.start - b.start);
}

/** The citations that a part of an answer refers to, by a number in brackets or an address. */
export function citedIn(passage: string, { citations }: FullAnswer): FullAnswer['citations'] {
  const cited = [...passage.matchAll(REFERENCE)].map(({ 0: match, 1: number }) =>
    number === undefined ? canonicalUrl(match.replace(TRAILING, '')).url : Number(number),
  );
  return citations.filter(({ url, position }) => cited.includes(url) || cited.includes(position));
}

const TRAILING = /[.,;:!?*_]+$/;
/** Addresses, and numbers in brackets as engines write them for citations. */
const REFERENCE = /https?:\/\/[^\s<>"'()[\]{}]{1,2000}|\[(\d{1,3})\]/gi;
/** More are not links: a text may consist of them. */
const MAX_LINKS = 60;

/** What in a text leads to a page that the answer cites. */
function linksIn(text: string, citations: FullAnswer['citations'], listed: number): Part[] {
  const cited = new Set(citations.map(({ url }) => url));
  const links: Part[] = [];
  for (const { 0: match, 1: number, index: start } of text.matchAll(REFERENCE)) {
    if (links.length === MAX_LINKS) break;
    if (number !== undefined) {
      const position = Number(number);
      if (position < 1 || position > listed) continue;
      const markup = (shown: string) =>
        html`<a class="cite" href=${`#${citationAnchor(position)}`}>${shown}</a>`;
      links.push({ start, end: start + match.length, markup });
    } else {
      const address = match.replace(TRAILING, '');
      if (!cited.has(canonicalUrl(address).url)) continue;
      const markup = (shown: string) => externalLink(address, shown, 200);
      links.push({ start, end: start + address.length, markup });
    }
  }
  return links;
}

/** What the marks mean. */
export const legend = (brand: string, isWrong: boolean): Markup => html`
  <ul class="legend names">
    <li><mark class="own">${userText(brand, 40)}</mark> the brand</li>
    <li><mark class="rival">Name</mark> a competitor</li>
    <li><mark class="other">Name</mark> a name that is not tracked</li>
    ${isWrong ? html`<li><mark class="wrong">Sentence</mark> wrong by your facts</li>` : null}
  </ul>`;
