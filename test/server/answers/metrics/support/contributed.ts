/** Cells of a change, and whether they moved. */
import type { Sums } from '../../../../../src/contract/measures.js';
import type { Contribution } from '../../../../../src/server/answers/metrics/contributions.js';
import { type Sample, sampleOfDays } from '../../../../../src/server/answers/metrics/samples.js';

/** The sums of days in a row. */
export const sampleOf = (days: readonly Sums[], hasDomain = true, related = 1): Sample =>
  sampleOfDays(
    days.map((sums, ago) => ({ ago, ...sums })),
    { related, hasDomain },
  );

export const isMoved = ({ verdict }: Contribution): boolean => verdict === 'up' || verdict === 'down';
