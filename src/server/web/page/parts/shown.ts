/** How often engines showed an answer when they were asked. */
import { title } from '../../../../contract/glossary.js';
import type { ShownInWindow } from '../../../../contract/surfaces.js';
import { html, type Markup } from '../html.js';
import { bounds, formatOf, numberField } from './numbers.js';
import { noun } from './text.js';

const asShare = formatOf('presence_rate');

/** `Shown: 57.0 % (48.0 % – 66.0 %) of 120 runs.`; null: no run states it. @param field The name of the object. */
export const shownRate = (field: string, shown: ShownInWindow): Markup =>
  shown === null || shown.asked_count === 0
    ? null
    : html`${title('shown_rate')}: ${numberField(`${field}.shown_rate`, shown.shown_rate, asShare)}${
        shown.interval === null ? null : html` (${bounds(`${field}.interval`, shown.interval, asShare)})`
      } of ${numberField(`${field}.asked_count`, shown.asked_count)} ${noun(shown.asked_count, 'question')}.`;
