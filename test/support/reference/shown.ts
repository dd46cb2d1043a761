/** How often engines showed an answer at all, of the runs that were asked. */
import type { Window } from './days.js';
import { dayOf, daysOf } from './days.js';
import type { DayCount, ExpectedBounds } from './intervals.js';
import { lagOf, shareInterval } from './intervals.js';
import type { RunRecord } from './records.js';
import { roundTo } from './rounding.js';

export interface ExpectedShown {
  shown_rate: number | null;
  interval: ExpectedBounds;
  asked_count: number;
}

export interface ExpectedShownDays extends ExpectedShown {
  points: { date: string; shown_rate: number | null; asked_count: number }[];
}

/** The runs of a window that were chosen: with an answer, and without one. */
export interface Asked {
  window: Window;
  runs: RunRecord[];
  unshown: RunRecord[];
}

/** The runs that count: of the engines of which a run states its outcome. Null: none does. */
function countingOf({ runs, unshown }: Asked): Omit<Asked, 'window'> | null {
  const engines = new Set([...runs, ...unshown].filter((run) => run.outcome).map(({ engine }) => engine));
  const counts = (run: RunRecord) => engines.has(run.engine);
  return engines.size === 0 ? null : { runs: runs.filter(counts), unshown: unshown.filter(counts) };
}

const rateOf = (shown: number, unshown: number) => ({
  shown_rate: shown + unshown === 0 ? null : roundTo(shown / (shown + unshown), 3),
  asked_count: shown + unshown,
});

const numberOn = (runs: RunRecord[], date: string) =>
  runs.filter((run) => dayOf(run.collected_at) === date).length;

export function expectedShown(asked: Asked): ExpectedShown | null {
  const counting = countingOf(asked);
  if (counting === null) return null;
  const days = daysOf(asked.window).map((date, day): DayCount => {
    const shown = numberOn(counting.runs, date);
    return [day, shown, shown + numberOn(counting.unshown, date)];
  });
  const { shown_rate, asked_count } = rateOf(counting.runs.length, counting.unshown.length);
  return { shown_rate, interval: shareInterval(days, lagOf(asked.window)), asked_count };
}

export function expectedShownDays(asked: Asked): ExpectedShownDays | null {
  const whole = expectedShown(asked);
  if (whole === null) return null;
  const { runs, unshown } = countingOf(asked)!;
  const points = daysOf(asked.window).map((date) => ({
    date,
    ...rateOf(numberOn(runs, date), numberOn(unshown, date)),
  }));
  return { ...whole, points };
}
