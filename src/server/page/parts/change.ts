/** How a metric moved, in words. */

import type { MetricChange } from '../../../contract/intervals.js';
import type { MeasureName, Verdict } from '../../../contract/measures.js';
import { moveText } from '../../../contract/measures.js';
import { html, type Markup } from '../html.js';
import { numberField } from './numbers.js';
import { userText } from './text.js';

const words: Readonly<Record<Verdict, string>> = {
  up: 'up',
  down: 'down',
  no_clear_change: 'no clear change',
  unknown: 'change unknown',
};

const isMove = (verdict: Verdict): boolean => verdict === 'up' || verdict === 'down';

const moved = (field: string, metric: MeasureName, { difference }: MetricChange): Markup =>
  numberField(`${field}.${metric}.difference`, difference, (value) => moveText(metric, value));

/**
 * The verdict first: a difference that may be chance is not shown as a move.
 * @param field The object of changes.
 */
export function change(field: string, metric: MeasureName, each: MetricChange): Markup {
  const { verdict } = each;
  return html`<span class=${`verdict ${verdict}`}>
    ${words[verdict]}${isMove(verdict) ? html` ${moved(field, metric, each)}` : null}
  </span>`;
}

/** Why changes are not known: each reason once, with the metrics that have it. */
export function reasons(changes: readonly (readonly [label: string, change: MetricChange])[]): Markup {
  const labelsOf = new Map<string, string[]>();
  for (const [label, { reason }] of changes)
    if (reason !== null) labelsOf.set(reason, [...(labelsOf.get(reason) ?? []), label]);
  if (labelsOf.size === 0) return null;
  const about = (labels: readonly string[]) =>
    labels.length === changes.length ? '' : ` of ${labels.join(', ')}`;
  return html`<ul class="foot reasons">
    ${[...labelsOf].map(([reason, labels]) => html`<li>Change${about(labels)} unknown: ${userText(reason)}</li>`)}
  </ul>`;
}

/** The same in a table, where it is a mark; the words are for screen readers. */
export const changeMark = (field: string, metric: MeasureName, each: MetricChange): Markup =>
  isMove(each.verdict)
    ? html`<small class=${`verdict ${each.verdict}`}
        ><span class="aural">${each.verdict}</span> ${moved(field, metric, each)}</small
      >`
    : null;
