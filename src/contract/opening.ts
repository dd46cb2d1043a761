/** The window on which faces for people open: the page, the summary, reports. Reads of the API keep their own default. */
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
 * @param read The scorecard of as many days; at most as many calls as there are lengths, the longest first.
 */
export async function openingOf<S extends Scorecard>(
  read: (days: number) => PromiseLike<S>,
): Promise<Opening<S>> {
  let shortest: Opening<S> | undefined;
  for (const days of LENGTHS) {
    const overview = await read(days);
    if (hasVerdict(overview)) return { days, overview };
    // Shorter windows have none either.
    if (overview.run_count === 0) break;
    shortest = { days, overview };
  }
  return shortest ?? { days: DEFAULT_OPENING, overview: await read(DEFAULT_OPENING) };
}
