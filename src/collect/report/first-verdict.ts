/** When a verdict (up, down, no clear change) is first possible: it needs days with answers in two windows. */
import { WINDOW_DAYS } from '../../contract/limits.js';
import { LEAST_UNITS } from '../../contract/measures.js';
import { addDays, windowEnding } from '../../server/days.js';

/**
 * The first day from today on whose windows have enough days with answers, if each later day has answers.
 * @param days Those with answers so far.
 * @returns Null: verdicts are possible already.
 */
export function firstVerdictDay(days: ReadonlySet<string>, today: string): string | null {
  const hasAnswers = (day: string) => day > today || days.has(day);
  const daysOf = (end: string) =>
    Array.from({ length: WINDOW_DAYS }, (_, back) => addDays(end, -back)).filter(hasAnswers).length;
  for (let ahead = 0; ; ahead++) {
    const { start, end } = windowEnding(addDays(today, ahead));
    const isEnough =
      hasAnswers(end) && daysOf(end) >= LEAST_UNITS && daysOf(addDays(start, -1)) >= LEAST_UNITS;
    if (isEnough) return ahead === 0 ? null : end;
  }
}
