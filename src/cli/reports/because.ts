/** Why metrics moved, in a line each: the prompts, engines, … that the change is because of. */
import type { MeasureName, Verdict } from '../../contract/measures.js';
import { noteFor } from '../../contract/notes.js';
import { becauseOf } from '../../contract/waterfall.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import { isSvcError } from '../../sdk/errors.js';
import type { WhyParams } from '../../sdk/types.js';

export const hasMoved = (verdict: Verdict | undefined): boolean => verdict === 'up' || verdict === 'down';

/** Drivers that are looked through for reasons. */
const DRIVERS = 50;

/**
 * A request for each metric.
 * @param moved The metrics that moved.
 * @returns `Because of best espresso machine? (−2.4 points).`, or why there is no such reason; none from a server that has not the read.
 */
export async function readReasons(
  svc: SvcClient,
  moved: readonly MeasureName[],
  params: Omit<WhyParams, 'metric' | 'by' | 'limit'>,
  options: CallOptions,
): Promise<ReadonlyMap<MeasureName, string>> {
  const reasons = await Promise.all(
    moved.map(async (metric): Promise<[MeasureName, string | null]> => {
      try {
        const why = await svc.why({ ...params, metric, limit: DRIVERS }, options);
        return [metric, becauseOf(why) ?? (why.note && noteFor('table', why.note))];
      } catch (error) {
        if (isSvcError(error) && [400, 403, 404].includes(error.status ?? 0)) return [metric, null];
        throw error;
      }
    }),
  );
  return new Map(reasons.filter((each): each is [MeasureName, string] => each[1] !== null));
}
