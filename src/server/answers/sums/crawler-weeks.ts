/** What the sums of crawler hits by week, path and agent count, and how their rows are found. */
import { REFUSALS } from '../../../contract/reads/gaps.js';

/** What is counted of hits with a status, each with its condition. */
export const COUNTED = {
  requests: 'true',
  refused: `status in (${REFUSALS.join(', ')}) or status between 500 and 599`,
  served: 'status between 200 and 399',
  unstated: 'status is null',
} as const;

/** The refused ones of some hits. */
export const refusedCount = `count(*) filter (where ${COUNTED.refused})`;

export const crawlCounts = Object.keys(COUNTED) as (keyof typeof COUNTED)[];

/** The hash of a path, as rows have it. */
export const pathHash = (path: string): string => `substring(sha256(convert_to(${path}, 'UTF8')) for 16)`;

export const WEEK_DAYS = [1, 2, 3, 4, 5, 6, 7] as const;
