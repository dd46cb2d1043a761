/** How a metric moved, in the numbers that people see: their difference, and whether it is a change. */

import type { MetricChange } from '../../../../contract/intervals.js';
import {
  differenceSeen,
  differenceText,
  type MeasureName,
  moveText,
  scaleOf,
  type Verdict,
} from '../../../../contract/measures.js';
import { html, type Markup } from '../html.js';
import { formatOf, numberField } from './numbers.js';
import { userText } from './text.js';

export const isMove = (verdict: Verdict | null): boolean => verdict === 'up' || verdict === 'down';

/** The difference of two values as they are shown, in points. */
const shownDifference = (metric: MeasureName, now: number, before: number): number =>
  Number((scaleOf(metric).shown * differenceSeen(metric, now, before)).toFixed(1));

/** A change without a verdict that is as large as this says that there are too few answers. */
const LARGE = 5;

export interface Step {
  readonly metric: MeasureName;
  readonly now: number | null;
  readonly before: number | null;
  readonly verdict: Verdict | null;
  /** Whether it is of the brand of the page: only then is more good. */
  readonly isOwn: boolean;
  /** The answers behind `now`. */
  readonly answers?: number;
}

/** `▲ +6.2 pp`, or `−3.9 points, may be chance`: a difference that may be chance is not a move. Null: there is nothing to compare. */
export function changeOf({ metric, now, before, verdict, isOwn, answers }: Step): Markup {
  if (now === null || before === null || verdict === null || verdict === 'unknown') return null;
  const difference = shownDifference(metric, now, before);
  const amount = differenceText(metric, differenceSeen(metric, now, before));
  if (!isMove(verdict)) {
    const isLarge = Math.abs(difference) >= LARGE && answers !== undefined;
    const why = isLarge ? `too few answers to be sure (${answers})` : 'may be chance';
    return html`<span class="chance">${difference === 0 ? 'the same' : `${amount}, ${why}`}</span>`;
  }
  return html`<span class=${`verdict ${verdict}${isOwn ? (verdict === 'up' ? ' good' : ' bad') : ''}`}><span class="aural">${verdict} </span>${moveText(metric, differenceSeen(metric, now, before))}</span>`;
}

/** The third line of a tile: the change with its verdict, else the value before. */
export function tileChange(
  field: string,
  metric: MeasureName,
  now: number | null,
  { verdict, previous, reason }: MetricChange,
): Markup {
  const format = formatOf(metric);
  if (isMove(verdict))
    return html`${changeOf({ metric, now, before: previous, verdict, isOwn: true })} <span class="chance">from ${numberField(`${field}.previous`, previous, format)}</span>`;
  if (verdict === 'unknown' || previous === null)
    return html`<span class="chance" title=${reason ?? undefined}>change unknown</span>`;
  const isSame = now !== null && shownDifference(metric, now, previous) === 0;
  return html`<span class="chance">${numberField(`${field}.previous`, previous, format)} before, ${isSame ? 'the same' : 'may be chance'}</span>`;
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
