/** How a metric moved, in words. */
import type { MetricChange } from '../../../contract/intervals.js';
import type { Verdict } from '../../../contract/metrics.js';
import { html, type Markup } from '../html.js';
import { datum, type Format } from './datum.js';
import { said } from './text.js';

const words: Readonly<Record<Verdict, string>> = {
  up: 'up',
  down: 'down',
  no_clear_change: 'no clear change',
  unknown: 'change unknown',
};

const isMove = (verdict: Verdict): boolean => verdict === 'up' || verdict === 'down';

/** The verdict first: a difference that may be chance is not shown as a move. */
export function change(field: string, { delta, verdict }: MetricChange, format: Format): Markup {
  return html`<span class=${`verdict ${verdict}`}>
    ${words[verdict]}${isMove(verdict) ? html` ${datum(`${field}.delta`, delta, format)}` : null}
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
    ${[...labelsOf].map(([reason, labels]) => html`<li>Change${about(labels)} unknown: ${said(reason)}</li>`)}
  </ul>`;
}

/** The same in a table, where it is a mark; the words are for screen readers. */
export const changeMark = (field: string, change: MetricChange, format: Format): Markup =>
  isMove(change.verdict)
    ? html`<small class=${`verdict ${change.verdict}`}
        ><span class="aural">${change.verdict}</span> ${datum(`${field}.delta`, change.delta, format)}</small
      >`
    : null;
