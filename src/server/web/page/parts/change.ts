/** How a metric moved: the value before, the difference with its unit, and whether it is a change. */

import type { MetricChange } from '../../../../contract/intervals.js';
import { differenceText, type MeasureName, moveText, type Verdict } from '../../../../contract/measures.js';
import { html, type Markup } from '../html.js';
import type { Loaded } from '../reads.js';
import { formatOf, numberField } from './numbers.js';
import { userText } from './text.js';

const words: Readonly<Record<Verdict, string>> = {
  up: 'up',
  down: 'down',
  no_clear_change: 'no clear change',
  unknown: 'change unknown',
};

const isMove = (verdict: Verdict): boolean => verdict === 'up' || verdict === 'down';

/** The difference with its sign and unit; of a metric that moved it is never `±0.0`. */
const difference = (field: string, metric: MeasureName, { difference, verdict }: MetricChange): Markup =>
  numberField(`${field}.${metric}.difference`, difference, (value) =>
    isMove(verdict) ? moveText(metric, value) : differenceText(metric, value),
  );

/**
 * `from 30.5 to 27.4: down −3.1 points`, `from 27.4 to 27.8: +0.4 points, no clear change`, `change unknown`: a difference that
 * may be chance is not a move.
 */
export function change(body: Loaded<'overview'>['body'], metric: MeasureName): Markup {
  const field = 'overview.change';
  const each = body.change[metric];
  const { verdict, previous } = each;
  const format = formatOf(metric);
  const isKnown = verdict !== 'unknown' && previous !== null && each.difference !== null;
  if (!isKnown) return html`<span class=${`verdict ${verdict}`}>${words[verdict]}</span>`;
  const amount = difference(field, metric, each);
  return html`<span class="step">from ${numberField(`${field}.${metric}.previous`, previous, format)} to ${numberField(`overview.${metric}`, body[metric], format)}</span>: <span class=${`verdict ${verdict}`}>${isMove(verdict) ? html`${words[verdict]} ${amount}` : html`${amount}, ${words[verdict]}`}</span>`;
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

/** A move in a table, where it is a mark; the words are for screen readers. */
export const changeMark = (field: string, metric: MeasureName, each: MetricChange): Markup =>
  isMove(each.verdict)
    ? html`<small class=${`verdict ${each.verdict}`}
        ><span class="aural">${each.verdict}</span> ${difference(field, metric, each)}</small
      >`
    : null;
