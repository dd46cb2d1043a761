/** What the effect of a mark needs to be known, and how it is told. It is a comparison, so no word of it claims a cause. */
import { amountText, differenceText, type MeasureName, valueText } from './measures.js';
import type { Effect } from './reads/effect.js';

/** The metrics whose denominators are answers, so that each prompt has its own. */
export const effectMetrics = ['visibility', 'presence_rate'] as const satisfies readonly MeasureName[];

/** Days of each window, and of the windows of a plan. */
export const EFFECT_DAYS = { minimum: 7, maximum: 56, default: 28 } as const;
export const PLANNED_DAYS = [7, 14, 28, 56] as const;
/** Days with answers that each window needs, and prompts that the line of the controls needs. */
export const LEAST_EFFECT_DAYS = 7;
export const LEAST_CONTROLS = 8;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Why there is no verdict, with the sentence of each reason. */
export const effectReasons = {
  too_few_days: (before: number, after: number) =>
    `Answers were collected on ${counted(before, 'day')} of the window before and ${after} of the one after; a verdict needs ${LEAST_EFFECT_DAYS} of each.`,
  too_few_controls: (controls: number) =>
    `${counted(controls, 'prompt')} of the others ${controls === 1 ? 'was' : 'were'} asked in both windows; a verdict needs ${LEAST_CONTROLS} to compare with.`,
  no_treated_prompts: () =>
    'No active prompt of those that it is about was asked in both windows on the same engines.',
  surfaces_moved: (surface: string) =>
    `The surfaces changed: the share of ${surface} in the answers differs by more than 20 points between the windows, so that they are not comparable.`,
  moved_before: () => 'These prompts already moved away from the others in the same direction before it.',
  nothing_done: () => 'Nothing was done yet.',
} as const satisfies Record<string, (...values: never[]) => string>;
export type EffectReason = keyof typeof effectReasons;
export const effectReasonCodes = Object.keys(effectReasons) as EffectReason[];

/** A reason as data and as a sentence. */
export const effectReason = <R extends EffectReason>(
  code: R,
  ...values: Parameters<(typeof effectReasons)[R]>
) => ({
  reason_code: code,
  reason: (effectReasons[code] as (...values: unknown[]) => string)(...values),
});

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
      `The other ${control.prompts} explain ${differenceText(metric, predicted - before)} of it.`,
      `Beyond that: ${differenceText(metric, effect)}${interval ? ` (${boundsText(metric, interval)})` : ''}${
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

/** Two differences without their unit: `+6.1 to +15.1`. */
const boundsText = (metric: MeasureName, bounds: readonly [number, number]): string =>
  bounds.map((bound) => differenceText(metric, bound).split(' ')[0]).join(' to ');
