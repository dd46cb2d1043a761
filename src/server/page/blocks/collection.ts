/** How the collections of a brand stand: the last one, and the next. */
import type { CollectionState } from '../../collections.js';
import { html, type Markup } from '../html.js';
import { whole } from '../parts/numbers.js';
import { moment, noun } from '../parts/text.js';

/** A collection that is later than this has not begun. */
const LATE_MS = 10 * 60_000;

/** What the page says of them; null: no server collects for the brand by itself. */
export interface CollectionLine extends Omit<CollectionState, 'obstacle'> {
  readonly isLate: boolean;
}

export const collectionLineOf = ({ last, nextAt }: CollectionState, now: Date): CollectionLine => ({
  last,
  nextAt,
  isLate: nextAt !== null && now.getTime() - nextAt.getTime() > LATE_MS,
});

const time = (at: Date): Markup =>
  html`<time datetime=${at.toISOString()}>${moment(at.toISOString())}</time>`;

/** Sentences that follow others. */
export const collectionSentences = ({ last, nextAt, isLate }: CollectionLine): Markup => html`
  ${last?.startedAt && last.outcome === null ? html` Answers are being collected since ${time(last.startedAt)}.` : null}
  ${last?.endedAt && last.outcome !== null ? html` Last collection: ${time(last.endedAt)}${gave(last)}.` : null}
  ${nextAt === null ? null : isLate ? html` The next one was due ${time(nextAt)} and has not begun: whoever operates this server sees why.` : html` Next collection: ${time(nextAt)}.`}`;

function gave({ answered, missing, costUsd, assumedUsd }: NonNullable<CollectionLine['last']>): string {
  if (answered === null || missing === null) return '';
  const all = answered + missing;
  const cost = costUsd === null ? '' : ` for ${assumedUsd ? 'at most ' : ''}$${costUsd.toFixed(2)}`;
  return `, ${whole(answered)} of ${whole(all)} ${noun(all, 'answer')}${cost}`;
}
