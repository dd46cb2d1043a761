/** Texts from engines, web pages and users. They may be hostile: each is escaped, shortened, and without control characters. Days and times. */

import { longDay, moment, span } from '../../../../contract/day-words.js';
import type { EngineId } from '../../../../contract/engines.js';
import { engineLabel } from '../../../../contract/glossary.js';
import { escapeControls } from '../../../../contract/printable.js';
import type { MeasuredDays } from '../../../../contract/slice.js';
import { daysBetween } from '../../../base/days.js';
import { html, type Markup } from '../html.js';

export { day, longDay, moment, span } from '../../../../contract/day-words.js';
export { plural as noun } from '../../../../contract/wording.js';

const MAX_LENGTH = 240;
/** A longer address is shown without a link. */
const MAX_LINK_LENGTH = 2000;

const countries = new Intl.DisplayNames(['en-GB'], { type: 'region', fallback: 'none' });

/** The name of the country that a region code is; else the code. */
export function regionName(code: string): string {
  const isCountry = /^[a-z]{2}$/i.test(code);
  return (isCountry ? countries.of(code.toUpperCase()) : undefined) ?? truncated(code, 40);
}

/** The name of an engine; of an unknown one its id, shortened. */
export const engineName = (id: string): string => truncated(engineLabel(id), 40);

/** A text on one line, shortened, with control characters and direction marks written out. */
export function truncated(text: string, longest = MAX_LENGTH): string {
  const line = text
    .slice(0, 2 * longest)
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...line];
  const cut = characters.length > longest ? `${characters.slice(0, longest).join('')}…` : line;
  return escapeControls(cut);
}

/** A joiner within a word or an emoji, which Persian, Hindi and families of emoji are written with. */
const JOINER =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}])[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}])/u;

/** A text of several lines, with control characters and direction marks written out; a tab is four spaces. */
export const visibleLines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .split('\n')
    .map((line) =>
      line
        .split(new RegExp(`(${JOINER.source})`, 'u'))
        .map((part, at) => (at % 2 === 1 ? part : escapeControls(part)))
        .join(''),
    )
    .join('\n');

/** Latin letters, and signs without a direction: nothing that could turn what is around it. */
const LEFT_TO_RIGHT = /^[\u0020-\u02af\u2010-\u2027]*$/u;

/** A text whose writing direction does not affect its surroundings. */
export function userText(text: string, longest?: number): Markup {
  const shown = truncated(text, longest);
  return LEFT_TO_RIGHT.test(shown) ? shown : html`<bdi>${shown}</bdi>`;
}

/** A link to a page of the web; a text if the address is not http or https. */
export function externalLink(url: string, label: string = url, longest?: number): Markup {
  const isWeb = url.length <= MAX_LINK_LENGTH && /^https?:\/\//i.test(url) && URL.canParse(url);
  const text = userText(label === '' ? url : label, longest);
  return isWeb ? html`<a href=${new URL(url).href} rel="noopener noreferrer nofollow">${text}</a>` : text;
}

// The window and the engines that a block is about, in words.

interface Sliced {
  readonly window: { readonly start: string | null; readonly end: string | null };
  /** The days that have answers; null if none has. */
  readonly measured: MeasuredDays;
  readonly slice: { readonly engines: readonly (EngineId | (string & {}))[] | null } | null;
}

/** `24 Oct – 20 Nov 2026`, the part of it that has answers, and the engines of a filter; null if the read has no window. */
export function aboutOf({ window: { start, end }, measured, slice }: Sliced): string | null {
  if (start === null || end === null) return null;
  const engines = slice?.engines ? [slice.engines.map(engineName).join(', ')] : [];
  return [span(start, end), ...measuredPart(start, end, measured), ...engines].join(', ');
}

/** Which days were measured. Empty if only the last day has no answer: the current day may not be collected yet. */
function measuredPart(start: string, end: string, measured: MeasuredDays): string[] {
  if (measured === null) return [];
  const { first_day, last_day } = measured;
  const isEarly = daysBetween(last_day, end) > 1;
  if (first_day > start)
    return [`measured ${isEarly ? span(first_day, last_day) : `from ${longDay(first_day)} on`}`];
  return isEarly ? [`measured to ${longDay(last_day)}`] : [];
}

/** A time as `22 Nov 2026, 09:54 UTC`. */
export const plainTime = (time: Date): string => moment(time.toISOString());
export const dateTime = (time: Date): Markup =>
  html`<time datetime=${time.toISOString()}>${plainTime(time)}</time>`;
