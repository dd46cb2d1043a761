/** A bar behind a number: decoration, since the number is beside it. */
import { html, type Markup } from '../html.js';

/** @param part 0 to 1; null: not measured, without a bar */
export const bar = (part: number | null, kind = ''): Markup => {
  if (part === null) return null;
  const width = Math.round(1000 * Math.min(1, Math.max(0, part))) / 10;
  return html`<svg class=${`bar ${kind}`} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="4" /><rect class="fill" width=${width} height="4" />
  </svg>`;
};
