/** A block of the page: a heading, what it is about, its content, and where its numbers come from. */

import { definitionNamed } from '../../../contract/explanations.js';
import { STATISTICS_READ } from '../../../contract/slice.js';
import { html, type Markup } from '../html.js';
import type { Withheld } from '../reads.js';
import { longDay, userText } from './text.js';

// Notes of the API in the words of the page, whose readers know no fields and send no requests.

/** Sentences about what the page does not show: the trend of a history, and how to read the fields of sentiment. */
const LEFT_OUT =
  /No trend.*?(?:in the window before\.|live run horizon \([^)]*\)\.)|A single day has no trend\.|sentiment_index is 50.*/g;

/** @returns Null if nothing is left. */
const inPageTerms = (note: string | null): string | null =>
  note
    ?.replace(LEFT_OUT, '')
    .replace('The slice selected no answer', 'No answer was collected')
    .replace(/ in this (?:scope|slice)\b/, ' from these engines')
    .replace(STATISTICS_READ, 'the chart by day')
    .replace(
      'so hits are null: not measured, not zero. Ship logs to POST /api/v1/crawler-events.',
      'so requests are not measured. Whoever operates the site can send its logs to this server.',
    )
    .replace('so zero hits may be missing data', 'so zero requests may be missing logs')
    .replace('so verdicts are null', 'so what it allows is not known')
    .replace(/\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, (date) => longDay(date))
    .trim() || null;

export interface Card {
  /** Its anchor. */
  readonly id: string;
  readonly title: string;
  /** What the numbers are about, next to the title: a window, or a prompt. */
  readonly about?: Markup;
  /** Where the API serves the numbers of the card. */
  readonly source?: string;
  readonly wide?: boolean;
}

export const card = ({ id, title, about, source, wide }: Card, content: Markup): Markup => html`
  <section class=${wide ? 'card wide' : 'card'} id=${id} aria-labelledby=${`${id}-title`} data-source=${source}>
    <div class="card-head">
      <h2 id=${`${id}-title`}>${title}</h2>
      ${about === undefined ? null : html`<p class="about">${about}</p>`}
    </div>
    ${content}
  </section>`;

/** A block, or in its place the reason why its read is refused. */
export const unlessRefused = <R extends object>(
  read: R | Withheld,
  of: Card,
  block: (read: R) => Markup,
): Markup => ('refused' in read ? card(of, empty(read.refused)) : block(read));

/** A question mark that opens the definition of a field: what it tells, and its formula beneath. */
export function define(label: string, field: string): Markup {
  const { what, formula } = definitionNamed(field);
  return html`
  <details class="define">
    <summary aria-label=${`What is ${label}?`}>?</summary>
    <p>${what}</p>
    <p class="formula">${formula}</p>
  </details>`;
}

/** A note of a read in the words of the page. */
export function noteOf(note: string | null): Markup {
  const words = inPageTerms(note);
  return words === null ? null : html`<p class="note">${userText(words, 900)}</p>`;
}

/** The text of a block without rows. */
export const empty = (text: string): Markup => html`<p class="empty">${text}</p>`;
