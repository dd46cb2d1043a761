import { everyDayOf } from '../../../../../src/server/base/days.js';
import { runOf } from '../../../intake/dataset/support/load.js';

const RUNS = 20;

interface DayOptions {
  readonly engine?: string;
  readonly runs?: number;
}

/** The runs of a day, of which so many name the brand; all name the competitor. */
export const runsOn = (
  day: string,
  named: number,
  { engine = 'chatgpt', runs = RUNS }: DayOptions = {},
): object[] =>
  Array.from({ length: runs }, (_, at) =>
    runOf(`${day}.${engine}.${at}`, {
      engine,
      prompt: at % 2 === 0 ? 'p' : 'q',
      collected_at: `${day}T08:00:00Z`,
      mentions: [{ name: 'Globex', order: 1 }, ...(at < named ? [{ name: 'Acme', order: 2 }] : [])],
    }),
  );

/** Runs of each day; from one day on fewer or more of them name the brand. The number varies a little from day to day. */
export const runsFrom = (
  start: string,
  end: string,
  { before, after, from }: { readonly before: number; readonly after: number; readonly from: string },
  options: DayOptions = {},
): object[] =>
  everyDayOf({ start, end }).flatMap((day, at) =>
    runsOn(day, (day < from ? before : after) + ((at * 5) % 3) - 1, options),
  );
