/** Why metrics moved, in a line each: the prompts, engines, … that the change is because of. */
import type { BrandReads, ReadParams } from '../../contract/brand-reads.js';
import type { MeasureName, Verdict } from '../../contract/measures.js';
import { noteFor } from '../../contract/notes.js';
import { becauseOf } from '../../contract/waterfall.js';

export const hasMoved = (verdict: Verdict | undefined): boolean => verdict === 'up' || verdict === 'down';

/** Drivers that are looked through for reasons. */
const DRIVERS = '50';

/**
 * A read for each metric.
 * @param moved The metrics that moved.
 * @returns `Because of best espresso machine? (−2.4 points).`, or why there is no such reason; none where the read is refused.
 */
export async function readReasons(
  reads: BrandReads,
  moved: readonly MeasureName[],
  params: ReadParams,
): Promise<ReadonlyMap<MeasureName, string>> {
  const reasons = await Promise.all(
    moved.map(async (metric): Promise<[MeasureName, string | null]> => {
      const why = await reads.loadIfPossible('why', { ...params, metric, limit: DRIVERS });
      if ('refused' in why) return [metric, null];
      return [metric, becauseOf(why) ?? noteFor('table', why)];
    }),
  );
  return new Map(reasons.filter((each): each is [MeasureName, string] => each[1] !== null));
}
