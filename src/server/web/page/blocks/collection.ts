/** How the collections of a brand stand: the last one, and the next. */
import { type CollectionFault, faultText } from '../../../../contract/collection.js';
import { type CollectionState, faultOf } from '../../../answers/collections.js';
import { html, type Markup } from '../html.js';
import { whole } from '../parts/numbers.js';
import { moment, noun, userText } from '../parts/text.js';

/** A collection that is later than this has not begun. */
const LATE_MS = 10 * 60_000;

/** What the page says of them; null: no server collects for the brand by itself. */
export interface CollectionLine extends Omit<CollectionState, 'obstacle'> {
  readonly isLate: boolean;
  /** Whether answers are being collected, or will be within a minute. */
  readonly isBeginning: boolean;
  /** Why none can begin, else why the last one gave no answer. */
  readonly fault: CollectionFault | null;
  readonly canBegin: boolean;
}

/** A server looks at the clock once a minute. */
const SOON_MS = 60_000;

const isRunning = ({ last }: Pick<CollectionState, 'last'>): boolean =>
  last?.startedAt != null && last.outcome === null;
const isPast = ({ nextAt }: CollectionState, now: Date, byMs: number): boolean =>
  nextAt !== null && now.getTime() - nextAt.getTime() > byMs;

export const collectionLineOf = (state: CollectionState, now: Date): CollectionLine => ({
  last: state.last,
  nextAt: state.nextAt,
  isLate: isPast(state, now, LATE_MS),
  isBeginning:
    isRunning(state) ||
    (state.obstacle === null && isPast(state, now, -SOON_MS) && !isPast(state, now, LATE_MS)),
  fault: faultOf(state),
  canBegin: state.obstacle === null,
});

const time = (at: Date): Markup =>
  html`<time datetime=${at.toISOString()}>${moment(at.toISOString())}</time>`;

/** Sentences that follow others. */
export const collectionSentences = (line: CollectionLine): Markup => html`
  ${lastSentence(line)}
  ${line.fault && html` <strong>${line.canBegin ? 'It gave no answer' : 'The next one cannot begin'}: ${userText(faultText(line.fault), MAX_FAULT)}</strong>`}
  ${line.canBegin ? nextSentence(line) : null}`;

/** A plan may have many faults. */
const MAX_FAULT = 500;

function lastSentence({ last }: CollectionLine): Markup {
  if (last?.startedAt && isRunning({ last }))
    return html` Answers are being collected since ${time(last.startedAt)}.`;
  return last?.endedAt && last.outcome !== null
    ? html` Last collection: ${time(last.endedAt)}${gave(last)}.`
    : null;
}

function nextSentence({ nextAt, isLate }: CollectionLine): Markup {
  if (nextAt === null) return null;
  return isLate
    ? html` The next one was due ${time(nextAt)} and has not begun: whoever operates this server sees why.`
    : html` Next collection: ${time(nextAt)}.`;
}

function gave({ answered, missing, costUsd, assumedUsd }: NonNullable<CollectionLine['last']>): string {
  if (answered === null || missing === null) return '';
  const all = answered + missing;
  const cost = costUsd === null ? '' : ` for ${assumedUsd ? 'at most ' : ''}$${costUsd.toFixed(2)}`;
  return `, ${whole(answered)} of ${whole(all)} ${noun(all, 'answer')}${cost}`;
}
