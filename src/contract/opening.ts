/** The window on which faces for people open: the page, the summary, reports. Reads of the API keep their own default. */
import { leastDays } from './enough-days.js';
import { WINDOW_PRESETS } from './limits.js';
import type { Overview } from './reads/overview.js';
import { LEAD_METRIC } from './summary.js';

const LENGTHS = WINDOW_PRESETS.toSorted((a, b) => b - a);
/** The days on which a brand without answers opens. */
export const DEFAULT_OPENING = 28;

type Scorecard = Pick<Overview, 'run_count'> & Partial<Pick<Overview, 'change'>>;

const hasVerdict = ({ change }: Scorecard): boolean =>
  change !== undefined && change[LEAD_METRIC].verdict !== 'unknown';

export interface Opening<S> {
  readonly days: number;
  readonly overview: S;
}

/**
 * The longest window that has a verdict of the lead metric; while none has one, the shortest that has answers.
 * @param read The scorecard of as many days; at most as many calls as there are lengths.
 * @param collected The days since the first answer, with its own and today; 0: there is none. Windows whose days before are too few for a
 *   verdict are not read then.
 */
export async function openingOf<S extends Scorecard>(
  read: (days: number) => PromiseLike<S>,
  collected = Number.POSITIVE_INFINITY,
): Promise<Opening<S>> {
  const found = new Map<number, S>();
  let empty = collected === 0 ? Number.POSITIVE_INFINITY : 0;
  for (const days of LENGTHS.filter((length) => collected - length >= leastDays(length))) {
    const overview = await read(days);
    if (hasVerdict(overview)) return { days, overview };
    found.set(days, overview);
    // Shorter windows have none either.
    if (overview.run_count === 0) empty = days;
    if (empty > 0) break;
  }
  for (const days of LENGTHS.toReversed().filter((length) => length > empty)) {
    const overview = found.get(days) ?? (await read(days));
    if (overview.run_count > 0) return { days, overview };
  }
  return { days: DEFAULT_OPENING, overview: found.get(DEFAULT_OPENING) ?? (await read(DEFAULT_OPENING)) };
}
