/** What the effect of a mark needs to be known, and the sentences of where it is not. */
import type { MeasureName } from './measures.js';
import { counted } from './wording.js';

/** The metrics whose denominators are answers, so that each prompt has its own. */
export const effectMetrics = ['visibility', 'presence_rate'] as const satisfies readonly MeasureName[];

/** Days of each window, and of the windows of a plan. */
export const EFFECT_DAYS = { minimum: 7, maximum: 56, default: 28 } as const;
export const PLANNED_DAYS = [7, 14, 28, 56] as const;
/** Days with answers that each window needs, and prompts that the line of the controls needs. */
export const LEAST_EFFECT_DAYS = 7;
export const LEAST_CONTROLS = 8;

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
