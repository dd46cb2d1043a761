/** Page views of people whom an answer sent, as they are counted when logs arrive. */
import { type BrandWindow, type Db, plannedStatement, statement } from '../../base/statement.js';
import { pathHash } from './crawler-weeks.js';

export interface Counted {
  /** Null: visitors of no page view can be told apart. */
  readonly visits: number | null;
  readonly pageviews: number;
}

/** Sums of the rows of a group. */
const COUNTED = `case when sum(pageviews) > sum(without_visitor) then sum(visits)::bigint end as visits,
     sum(pageviews)::bigint as pageviews`;

const IN_WINDOW = 'from referral_days where brand_key = :brandKey and day between :start and :end';

export interface ReferredDay extends Counted {
  readonly day: string;
  readonly product: string;
  readonly withoutVisitor: number;
}

export const referredDays = statement<ReferredDay, BrandWindow>(
  'referred_days',
  `select day, product, ${COUNTED}, sum(without_visitor)::bigint as "withoutVisitor" ${IN_WINDOW} group by day, product`,
);

export interface ReferredPath extends Counted {
  readonly product: string;
  readonly path: string;
  /** Of all rows. */
  readonly total: number;
}

/** The pages with most visits. */
export const referredPaths = plannedStatement<ReferredPath, BrandWindow & { rows: number }>(
  'referred_paths',
  `select product, min(path) as path, ${COUNTED}, count(*) over () as total ${IN_WINDOW} group by product, hash
   order by coalesce(sum(visits), 0) desc, sum(pageviews) desc, min(path) collate "C", product limit :rows`,
);

/** The days on which logs state where people came from. */
export const referringDays = statement<{ day: string }, BrandWindow>(
  'referring_days',
  'select day from referral_scope where brand_key = :brandKey and day between :start and :end order by day',
);

export const isReferring = statement<{ found: boolean }, { brandKey: number }>(
  'is_referring',
  'select exists (select 1 from referral_scope where brand_key = :brandKey) as found',
);

const visitsOfPaths = plannedStatement<
  { path: string; visits: number | null },
  BrandWindow & { paths: readonly string[] }
>(
  'visits_of_paths',
  `select min(path) as path, ${COUNTED} ${IN_WINDOW}
     and hash in (select ${pathHash('p')} from unnest(cast(:paths as text[])) as x (p)) group by hash`,
);

/** The visits of paths; null: no day of the window is measured. A path without visits is absent. */
export async function visitsOf(
  db: Db,
  window: BrandWindow,
  paths: readonly string[],
): Promise<((path: string) => number | null) | null> {
  const [days, found] = await Promise.all([
    referringDays(db, window),
    visitsOfPaths(db, { ...window, paths }),
  ]);
  if (days.length === 0) return null;
  const byPath = new Map(found.map(({ path, visits }) => [path, visits]));
  return (path) => (byPath.has(path) ? byPath.get(path)! : 0);
}
