/** A block of the page: a heading, what it is about, its content, and where its numbers come from. */

import { definitionNamed } from '../../../../contract/explanations.js';
import { type Noted, noteFor } from '../../../../contract/notes.js';
import { html, type Markup } from '../html.js';
import type { Files, Served, Withheld } from '../reads.js';
import { longDay, userText } from './text.js';

export interface Card {
  /** Its anchor. */
  readonly id: string;
  readonly title: string;
  /** What the numbers are about, next to the title: a window, or a prompt. */
  readonly about?: Markup;
  /** Where the API serves the numbers of the card, if `read` is not given. */
  readonly source?: string;
  /** The read of its numbers: the card names its source and its files, and says what it is not filtered by. */
  readonly read?: Served | undefined;
  readonly wide?: boolean;
  /** A class of its own, for its place. */
  readonly kind?: string;
}

export const card = ({ id, title, about, source, read, wide, kind }: Card, content: Markup): Markup => html`
  <section class=${['card', ...(wide ? ['wide'] : []), ...(kind === undefined ? [] : [kind])].join(' ')} id=${id} aria-labelledby=${`${id}-title`} data-source=${read?.source ?? source}>
    <div class="card-head">
      <h2 id=${`${id}-title`}>${title}</h2>
      ${about === undefined && read?.beyond === undefined ? null : html`<p class="about">${about}${read?.beyond === undefined ? null : html`${about ? ', ' : ''}<strong>${read.beyond}</strong>`}</p>`}
    </div>
    ${content}
    ${read?.files === undefined ? null : fileLinks(title, read.files)}
  </section>`;

/** Links to the numbers of a block, as the API sends them. */
export const fileLinks = (of: string, { json, csv }: Files): Markup =>
  html`<p class="foot files"><a href=${json} aria-label=${`${of} as JSON`}>JSON</a> <a href=${csv} aria-label=${`${of} as CSV`}>CSV</a></p>`;

/** A block, or in its place the reason why its read is refused. */
export const unlessRefused = <R extends object>(
  read: R | Withheld,
  of: Card,
  block: (read: R) => Markup,
): Markup => ('refused' in read ? card(of, empty(read.refused)) : block(read));

/** A read, or something else where it is refused. */
export const loadedOr = <R extends object, T>(otherwise: T, read: R | Withheld | null): R | T =>
  read === null || 'refused' in read ? otherwise : read;

/** A question mark that opens the definition of a field: a sentence that tells what it is, its formula and its name beneath. */
export function define(label: string, field: string): Markup {
  const { what, formula } = definitionNamed(field);
  return html`
  <details class="define">
    <summary aria-label=${`What is ${label}?`}>?</summary>
    <p>${what}</p>
    <p class="formula">${formula}</p>
    <p class="formula">In the API: <code>${field}</code></p>
  </details>`;
}

/** A note of a read in the words of the page. */
export function noteOf(body: Noted): Markup {
  const words = noteFor('page', body, longDay);
  return words === null ? null : html`<p class="note">${userText(words, 900)}</p>`;
}

/** The text of a block without rows. */
export const empty = (text: string): Markup => html`<p class="empty">${text}</p>`;

/** The same of a read whose days may have no answers: then it says so, and what they have instead. */
export const unmeasured = (body: Noted & { readonly measured: unknown }, text: string): Markup =>
  (body.measured === null ? noteOf(body) : null) ?? empty(text);
