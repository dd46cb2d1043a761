/** What opens over the page, without a script: a button and what it opens. */
import { definitionNamed } from '../../../../contract/explanations.js';
import { html, type Markup } from '../html.js';

export interface Pop {
  /** Unique in the page. */
  readonly id: string;
  /** What the button says. */
  readonly button: Markup;
  /** The name of the button where it is a sign. */
  readonly label?: string;
  readonly look?: string;
}

export const pop = ({ id, button, label, look }: Pop, content: Markup): Markup => html`
  <button type="button" class=${look} popovertarget=${`pop-${id}`} aria-label=${label}>${button}</button>
  <div popover="auto" id=${`pop-${id}`} class="pop">${content}</div>`;

/** A question mark that opens the definition of a field: a sentence that tells what it is, its formula and its name beneath. */
export function define(label: string, field: string, more: Markup = null): Markup {
  const { what, formula } = definitionNamed(field);
  return pop(
    { id: `define-${field}`, button: '?', label: `What is ${label}?`, look: 'define' },
    html`<p>${what}</p>${more}
    <p class="formula">${formula}</p>
    <p class="formula">In the API: <code>${field}</code></p>`,
  );
}
