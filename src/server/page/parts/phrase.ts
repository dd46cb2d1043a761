/** Phrases of the contract: their numbers with the names of their fields, their names as texts of users. */
import type { Phrase } from '../../../contract/phrase.js';
import { html, type Markup } from '../html.js';
import { userText } from './text.js';

export const phrase = (parts: Phrase): Markup =>
  parts.map((part) => {
    if (typeof part === 'string') return part;
    if ('name' in part) return userText(part.name, 60);
    return part.field === null
      ? part.text
      : html`<data value=${String(part.value)} data-field=${part.field}>${part.text}</data>`;
  });

/** The name of the read whose numbers the phrase has; undefined if it has none. */
export const readIn = (parts: Phrase): string | undefined =>
  parts
    .map((part) => (typeof part === 'object' && 'field' in part ? part.field : null))
    .find((field) => field !== null)
    ?.split('.')[0];
