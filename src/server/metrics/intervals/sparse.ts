/**
 * Few mentions: a window without any has a variance of zero, and a window with some has one that is measured on too few days,
 * so that a handful of answers would seem a move. There the variance that independent answers would have is the least.
 * Elsewhere it is not, because asking the same prompts every day varies less than independent answers do.
 */
import { type MeasureName, scaleOf } from '../../../contract/measures.js';
import { WEIGHT_UNIT } from '../entity-metrics.js';
import { lowestRatio, type Sample, type Sums } from './sample.js';

/** Windows with fewer observations of the entity are sparse; for a share also those with fewer of all others. */
const LEAST_OBSERVATIONS = 5;

/** The values of a metric in one window, one for each observation. */
interface Observed {
  /** How many of them count for the entity. */
  readonly own: number;
  readonly all: number;
  readonly sum: number;
  /** The sum of their squares; of visibility, whose squares are not stored, at most. */
  readonly squares: number;
}

const share = (own: number, all: number): Observed => ({ own, all, sum: own, squares: own });

const observedIn: Readonly<Record<MeasureName, (sums: Sums) => Observed>> = {
  visibility: ({ entity: { present, weightSum }, totals: { runs } }) => {
    const sum = weightSum / WEIGHT_UNIT;
    return { own: present, all: runs, sum, squares: sum };
  },
  presence_rate: ({ entity, totals }) => share(entity.present, totals.runs),
  share_of_voice_fraction: ({ entity, totals }) => share(entity.present, totals.presences),
  citation_share: ({ entity, totals }) => share(entity.citations, totals.citations),
  sentiment_index: ({ entity: { positive, neutral, negative } }) => {
    const scored = positive + neutral + negative;
    return { own: scored, all: scored, sum: positive - negative, squares: positive + negative };
  },
};

const isSparse = (metric: MeasureName, { own, all }: Observed): boolean =>
  own < LEAST_OBSERVATIONS || (scaleOf(metric).unit === 'fraction_0_1' && all - own < LEAST_OBSERVATIONS);

/**
 * The least variance of the difference between two windows: that of independent observations, with one more at each end of
 * the scale (after A. Agresti, B. Caffo, Simple and Effective Confidence Intervals for Proportions, 2000). 0: neither
 * window is sparse. Both have observations.
 */
export function leastVariance(metric: MeasureName, current: Sample, previous: Sample): number {
  const windows = [current, previous].map(observedIn[metric]);
  if (!windows.some((each) => isSparse(metric, each))) return 0;
  const lowest = lowestRatio[metric];
  const total = (of: (observed: Observed) => number) => windows.reduce((sum, each) => sum + of(each), 0);
  const all = total((each) => each.all) + 2;
  const mean = (total((each) => each.sum) + lowest + 1) / all;
  const squares = (total((each) => each.squares) + lowest ** 2 + 1) / all;
  return (squares - mean ** 2) * total((each) => 1 / each.all);
}
