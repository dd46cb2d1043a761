/** A block of the page: a heading, what it is about, its content, and where its numbers come from. */

import { type NoteCode, type Noted, noted, noteFor } from '../../../../contract/notes.js';
import { html, type Markup } from '../html.js';
import type { Served, Withheld } from '../reads.js';
import { longDay, userText } from './text.js';

export interface Card {
  /** Its anchor. */
  readonly id: string;
  readonly title: string;
  /** Stands instead of the title, with numbers. */
  readonly heading?: Markup;
  /** What the numbers are about, next to the title: a window, or a prompt. */
  readonly about?: Markup;
  /** Where the API serves the numbers of the card, if `read` is not given. */
  readonly source?: string;
  /** The read of its numbers: the card names its source, and says what it is not filtered by. */
  readonly read?: Served | undefined;
  /** A class of its own, for its place. */
  readonly kind?: string;
}

export const card = (
  { id, title, heading, about, source, read, kind }: Card,
  content: Markup,
): Markup => html`
  <section class=${kind === undefined ? 'card' : `card ${kind}`} id=${id} aria-labelledby=${`${id}-title`} data-source=${read?.source ?? source}>
    <div class="card-head">
      <h2 id=${`${id}-title`}>${heading ?? title}</h2>
      ${about === undefined && read?.beyond === undefined ? null : html`<p class="about">${about}${read?.beyond === undefined ? null : html`${about ? ', ' : ''}<strong>${read.beyond}</strong>`}</p>`}
    </div>
    ${content}
  </section>`;

/** A block, or in its place the reason why its read is refused. */
export const unlessRefused = <R extends object>(
  read: R | Withheld,
  of: Card,
  block: (read: R) => Markup,
): Markup => ('refused' in read ? card(of, empty(read.refused)) : block(read));

/** A read, or something else where it is refused. */
export const loadedOr = <R extends object, T>(otherwise: T, read: R | Withheld | null): R | T =>
  read === null || 'refused' in read ? otherwise : read;

/** A note of a read in the words of the page. */
export function noteOf(body: Noted): Markup {
  const words = noteFor('page', body, longDay);
  return words === null ? null : html`<p class="note">${userText(words, 900)}</p>`;
}

/** One of the facts of a read, where it holds. */
export const noteAbout = (code: NoteCode, { notes }: Noted): Markup =>
  noteOf(noted(notes.filter((each) => each.code === code)));

/** The text of a block without rows. */
export const empty = (text: string): Markup => html`<p class="empty">${text}</p>`;

/** The text of a block without rows; if the days have no answers, the note of the read, which says what they have instead. */
export const unmeasured = (body: Noted & { readonly measured: unknown }, text: string): Markup =>
  (body.measured === null ? noteOf(body) : null) ?? empty(text);
