/** The text of an answer for a terminal: wrapped, names marked by weight and colour, addresses as links. */
import { printableLines } from '../../contract/printable.js';
import type { NameSpan } from '../../contract/reads/answer.js';
import { escaped } from './markdown.js';
import { emphasised, type Format, fitted, hyperlink, linkable, widthOf } from './terminal.js';

/** Whose name it is. */
export type Whose = 'brand' | 'competitor' | 'not tracked';

export const whoseName = ({ entity, is_brand }: Pick<NameSpan, 'entity' | 'is_brand'>): Whose =>
  is_brand ? 'brand' : entity === null ? 'not tracked' : 'competitor';

export const looks: { readonly [whose in Whose]: readonly Format[] } = {
  brand: ['bold', 'cyan'],
  competitor: ['bold', 'magenta'],
  'not tracked': ['bold'],
};

/** A part of the text that looks the same, by its places in `MarkedText.text`. */
interface Segment {
  readonly start: number;
  readonly end: number;
  readonly whose?: Whose | undefined;
  /** The address that it is a part of. */
  readonly address?: string | undefined;
}

/** A text without what a terminal would execute, and its segments without gaps. */
export interface MarkedText {
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** A line of the text as it is printed, and its columns. */
export interface TextLine {
  readonly shown: string;
  readonly width: number;
}

const BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const ADDRESS = /https?:\/\/[^\s<>"'`()[\]{}|\\^]+/g;
/** What ends a sentence behind an address, and is no part of it. */
const SENTENCE_END = /[.,;:!?…。，、]+$/;

type Spans = readonly Pick<NameSpan, 'start' | 'end' | 'entity' | 'is_brand'>[];

/** @param spans In order; their places count code points of the text. */
export function markedText(original: string, spans: Spans): MarkedText {
  let text = '';
  const names: Segment[] = [];
  let at = 0;
  let points = 0;
  /** Appends the original up to a code point. */
  const take = (point: number): void => {
    const from = at;
    for (; points < point && at < original.length; points++)
      at += original.codePointAt(at)! > 0xff_ff ? 2 : 1;
    text += printableLines(original.slice(from, at).replace(BREAKS, '\n'));
  };
  for (const span of spans) {
    take(span.start);
    const start = text.length;
    take(span.end);
    if (text.length > start) names.push({ start, end: text.length, whose: whoseName(span) });
  }
  take(Number.POSITIVE_INFINITY);
  return { text, segments: segmentsOf(text.length, names, addressesIn(text)) };
}

const addressesIn = (text: string): Segment[] =>
  [...text.matchAll(ADDRESS)].map(({ 0: found, index }) => {
    const address = found.replace(SENTENCE_END, '');
    return { start: index, end: index + address.length, address };
  });

/** Names may stand in addresses: each segment has the name and the address that it is a part of. */
function segmentsOf(length: number, names: readonly Segment[], addresses: readonly Segment[]): Segment[] {
  const places = [...names, ...addresses].flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set([0, ...places, length])].sort((a, b) => a - b);
  const [nameAt, addressAt] = [finder(names), finder(addresses)];
  return cuts
    .slice(0, -1)
    .map((start, at) => ({ start, end: cuts[at + 1]!, ...addressAt(start), ...nameAt(start) }))
    .map((segment, at) => ({ ...segment, start: cuts[at]!, end: cuts[at + 1]! }));
}

/** Finds the segment at places that only grow. */
function finder(segments: readonly Segment[]): (place: number) => Segment | undefined {
  let at = 0;
  return (place) => {
    while (at < segments.length && segments[at]!.end <= place) at++;
    const found = segments[at];
    return found && found.start <= place ? found : undefined;
  };
}

/** @param width Terminal columns; undefined: a line per line of the text. */
export function textLines({ text, segments }: MarkedText, width: number | undefined): TextLine[] {
  const lines: TextLine[] = [];
  let at = 0;
  let first = 0;
  for (const paragraph of text.split('\n')) {
    for (const line of fitted(paragraph, width)) {
      // Between two lines a space may be left out.
      at = text.indexOf(line, at);
      const end = at + line.length;
      while (first < segments.length && segments[first]!.end <= at) first++;
      let shown = '';
      for (let next = first; next < segments.length && segments[next]!.start < end; next++) {
        const segment = segments[next]!;
        shown += drawn(text.slice(Math.max(at, segment.start), Math.min(end, segment.end)), segment);
      }
      lines.push({ shown, width: width === undefined ? 0 : widthOf(line) });
      at = end;
    }
    at += 1;
  }
  return lines;
}

function drawn(text: string, { whose, address }: Segment): string {
  const shown = whose === undefined ? text : emphasised(looks[whose], text, process.stdout);
  const target = linkable(address);
  return target === undefined ? shown : hyperlink(target, shown);
}

/** What begins a heading, a quotation, a list without numbers, a rule or code, and no escape of a text removes. */
const LINE_MARKUP = /(?<=^\s*)[#>+=~-]/;

/** The text as a Markdown quotation with bold names. */
export function markdownText({ text, segments }: MarkedText): string {
  const bold = segments.map(({ start, end, whose }) => {
    const part = text.slice(start, end);
    return whose === undefined ? escaped(part) : `**${escaped(part)}**`;
  });
  return bold
    .join('')
    .split('\n')
    .map((line) => `> ${line.replace(LINE_MARKUP, '\\$&')}`.trimEnd())
    .join('\n');
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Whether a terminal may write the text from right to left, which would mix up columns. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);
