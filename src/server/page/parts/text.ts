/** Texts from engines, web pages and users. They may be hostile: each is escaped, shortened, and without control characters. */

import type { EngineId } from '../../../contract/engines.js';
import { escapeControls } from '../../../contract/escape-controls.js';
import { engineLabel } from '../../../contract/glossary.js';
import type { MeasuredDays } from '../../../contract/slice.js';
import { daysBetween } from '../../days.js';
import { html, type Markup } from '../html.js';
import { longDay, span } from './dates.js';

// Names of engines.

/** The name of an engine; of an unknown one its id, shortened. */
export const engineName = (id: string): string => shown(engineLabel(id), 40);

const LONGEST = 240;
/** A longer address is shown without a link. */
const LONGEST_LINK = 2000;

/** The noun for a number of things: `answer` for one, else `answers`. */
export const noun = (count: number, one: string): string => (count === 1 ? one : `${one}s`);

/** A text on one line, shortened, with control characters and direction marks written out. */
export function shown(text: string, longest = LONGEST): string {
  const line = text
    .slice(0, 2 * longest)
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...line];
  const cut = characters.length > longest ? `${characters.slice(0, longest).join('')}…` : line;
  return escapeControls(cut);
}

/** A text whose writing direction does not affect its surroundings. */
export const said = (text: string, longest?: number): Markup => html`<bdi>${shown(text, longest)}</bdi>`;

/** A link to a page of the web; a text if the address is not http or https. */
export function outside(url: string, label: string = url, longest?: number): Markup {
  const isWeb = url.length <= LONGEST_LINK && /^https?:\/\//i.test(url) && URL.canParse(url);
  const text = said(label === '' ? url : label, longest);
  return isWeb ? html`<a href=${new URL(url).href} rel="noopener noreferrer nofollow">${text}</a>` : text;
}

// The window and the engines that a block is about, in words.

interface Sliced {
  readonly window: { readonly start: string | null; readonly end: string | null };
  /** The days that have answers; null: none has. */
  readonly measured: MeasuredDays;
  readonly slice: { readonly engines: readonly (EngineId | (string & {}))[] | null } | null;
}

/** `24 Oct – 20 Nov 2026`, the part of it that has answers, and the engines of a filter; null: the read has no window. */
export function aboutOf({ window: { start, end }, measured, slice }: Sliced): string | null {
  if (start === null || end === null) return null;
  const engines = slice?.engines ? [slice.engines.map(engineName).join(', ')] : [];
  return [span(start, end), ...measuredPart(start, end, measured), ...engines].join(', ');
}

/** Nothing where only the last day has no answer: the current day may not be collected yet. */
function measuredPart(start: string, end: string, measured: MeasuredDays): string[] {
  if (measured === null) return [];
  const { first_day, last_day } = measured;
  const isEarly = daysBetween(last_day, end) > 1;
  if (first_day > start)
    return [`measured ${isEarly ? span(first_day, last_day) : `from ${longDay(first_day)} on`}`];
  return isEarly ? [`measured to ${longDay(last_day)}`] : [];
}
