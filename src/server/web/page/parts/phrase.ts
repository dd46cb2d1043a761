/** Phrases of the contract: their numbers with the names of their fields, their names as texts of users, their days in words. */
import type { Phrase } from '../../../../contract/phrase.js';
import { html, type Markup } from '../html.js';
import { longDay, userText } from './text.js';

/** @param longest Of a name. */
export const phrase = (parts: Phrase, longest = 60): Markup =>
  parts.map((part) => {
    if (typeof part === 'string') return part;
    if ('name' in part) return userText(part.name, longest);
    if ('day' in part) return html`<time datetime=${part.day}>${longDay(part.day)}</time>`;
    return part.field === null
      ? part.text
      : html`<data value=${String(part.value)} data-field=${part.field}>${part.text}</data>`;
  });
