/** How an effect is told. It is a comparison, so no word of it claims a cause. */
import { amountText, differenceSeen, differenceText, type MeasureName, valueText } from './measures.js';
import type { Effect } from './reads/effect.js';
import { counted } from './wording.js';

const movement = (metric: MeasureName, { before, after }: { before: number; after: number }): string => {
  const [from, to] = [valueText(metric, before), valueText(metric, after)];
  if (from === to) return `stayed at ${from}`;
  return `${after > before ? 'rose' : 'fell'} from ${from} to ${to}`;
};

const AS_FAR = 'as far as prompts nobody touched can tell';

/** What the verdict says of what was done. */
const VERDICTS = {
  up: `it helped, ${AS_FAR}`,
  down: `a loss, ${AS_FAR}`,
  no_clear_change: 'no clear effect: that may be chance',
} as const;

/** The name of what was done, in a sentence. */
const nameOf = ({ mark, since }: Pick<Effect, 'mark' | 'since'>): string =>
  mark ? `of “${mark.text}”` : `chosen, since ${since}`;

/**
 * What the effect says, in sentences for people: what the prompts did, what the others explain of it, and what is left. Where it is
 * not known, why.
 */
export function effectSentences(data: Effect): string[] {
  const { metric, treated, control, effect, interval, predicted, verdict, reason, detectable } = data;
  const { before, after, prompts } = treated;
  const sentences: string[] = [];
  if (before !== null && after !== null && prompts > 0)
    sentences.push(
      `The ${counted(prompts, 'prompt')} ${nameOf(data)} ${movement(metric, { before, after })}.`,
    );
  if (effect !== null && predicted !== null && before !== null)
    sentences.push(
      `The other ${control.prompts} explain ${differenceText(metric, differenceSeen(metric, predicted, before))} of it.`,
      `Beyond that: ${differenceText(metric, effectSeen(metric, after, predicted) ?? effect)}${interval ? ` (${boundsText(metric, interval)})` : ''}${
        verdict === 'unknown' ? '.' : `: ${VERDICTS[verdict]}.`
      }`,
    );
  if (verdict === 'unknown') sentences.push(`Whether it helped is unknown. ${reason ?? ''}`.trim());
  if (detectable !== null && verdict === 'no_clear_change')
    sentences.push(
      `So many prompts and days show an effect of ${amountText(metric, detectable)} or more in four of five cases.`,
    );
  return sentences;
}

/** What is left beyond the prediction, of the two values as they are shown; null where one is not known. */
export const effectSeen = (metric: MeasureName, after: number | null, predicted: number | null) =>
  after === null || predicted === null ? null : differenceSeen(metric, after, predicted);

/** Two differences without their unit: `+6.1 to +15.1`. */
const boundsText = (metric: MeasureName, bounds: readonly [number, number]): string =>
  bounds.map((bound) => differenceText(metric, bound).split(' ')[0]).join(' to ');
