/** Days of which an entity is not measured, because names were added after their answers were searched. */

import { type MeasureName, needsEveryEntity } from '../../../contract/measures.js';
import type { Window } from '../../base/days.js';
import { type Db, statement } from '../../base/statement.js';

/** Null: every day. */
export interface NameGap {
  readonly entity: number;
  /** Null: the brand itself. */
  readonly name: string | null;
  /** The first day whose answers were searched for the entity. */
  readonly measuredSince: string | null;
  /** The first day whose answers were searched for each of its spellings. */
  readonly spelledSince: string | null;
  /** The first day whose citations are known to be its own. */
  readonly citedSince: string | null;
}

/** The gaps of tracked entities that reach behind a day. */
export const nameGaps = statement<NameGap, { brandKey: number; start: string }>(
  'name_gaps',
  `select g.entity, c.name, g.measured_since as "measuredSince", g.spelled_since as "spelledSince",
     g.cited_since as "citedSince"
   from name_gaps g left join competitors c on c.brand_key = :brandKey and c.entity = g.entity
   where g.brand_key = :brandKey and (g.entity = 0 or c.retired_at is null)
     and greatest(g.measured_since, g.spelled_since, g.cited_since) > :start
   order by g.entity`,
);

/** What is known of the gaps of a brand before they are read: if omitted, nothing; null: it has none. */
interface Gapped {
  readonly key: number;
  readonly namesSince?: string | null;
}

/** The gaps that reach into a window or behind it. @param start The first day of the window. */
export const gapsBehind = async (
  db: Db,
  { key: brandKey, namesSince }: Gapped,
  start: string,
): Promise<NameGap[]> =>
  namesSince === null || (namesSince !== undefined && namesSince <= start)
    ? []
    : nameGaps(db, { brandKey, start });

export const gapOf = (gaps: readonly NameGap[], entity: number): NameGap | undefined =>
  gaps.find((gap) => gap.entity === entity);

/** Why two windows do not measure the same: the entity, and the day from which it is measured as it is now. */
export interface CrossedGap {
  readonly gap: NameGap;
  readonly since: string;
  readonly isOfSpelling: boolean;
}

/**
 * The gap for which a metric of an entity is not comparable between two windows; undefined: there is none. A share of all
 * entities is not comparable where any of them is measured on a part of the days only.
 */
export function crossedGap(
  metric: MeasureName,
  entity: number,
  gaps: readonly NameGap[],
  { window, prior }: { readonly window: Window; readonly prior: Window },
): CrossedGap | undefined {
  const isWithin = (since: string | null): since is string =>
    since !== null && since > prior.start && since <= window.end;
  for (const gap of gaps) {
    const isOwn = gap.entity === entity;
    if (metric === 'citation_share') {
      if (isOwn && gap.citedSince !== null && gap.citedSince > prior.start)
        return { gap, since: gap.citedSince, isOfSpelling: false };
      continue;
    }
    if (!isOwn && !needsEveryEntity(metric)) continue;
    const { measuredSince, spelledSince } = gap;
    const isUnmeasured = measuredSince !== null && measuredSince > prior.start;
    if (isUnmeasured && (isOwn || isWithin(measuredSince)))
      return { gap, since: measuredSince, isOfSpelling: false };
    if (isWithin(spelledSince)) return { gap, since: spelledSince, isOfSpelling: true };
  }
  return undefined;
}
