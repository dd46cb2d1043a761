/** Texts from engines, web pages and users. They may be hostile: each is escaped, shortened, and without control characters. */
import { escapeControls } from '../../../contract/escape-controls.js';
import { html, type Markup } from '../html.js';

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
