import { averagePosition, entityMeasureNames } from '../../../contract/measures.js';
import { compareText } from '../../../contract/order.js';
import type { Competitor } from '../../../contract/reads/competitors.js';
import { type Comparison, changesOf } from '../metrics/change.js';
import { intervalsOf } from '../metrics/intervals.js';
import { scoresOf } from '../metrics/values.js';
import { gapOf } from '../sums/name-gaps.js';
import { type TrackedEntity, trackedEntities } from '../sums/tracked-entities.js';
import { comparisons } from './comparison.js';
import { cutPage } from './list-page.js';
import { brandRefOf, type Reader } from './reader.js';
import { sliceOf, sumsSourceOf } from './slice.js';
import { daysFields } from './slice-days.js';

interface Compared {
  readonly entity: TrackedEntity;
  readonly comparison: Comparison;
  /** The first day of which it is measured; null: all are. */
  readonly since: string | null;
}

/** Every tracked entity is computed for any page: they are few, and shares need them all. */
export const reader: Reader<'competitors'> = async (context, params) => {
  const { db, brand, page } = context;
  const slice = await sliceOf(context, params);
  const from = await sumsSourceOf(context, slice, slice.prior.start, params);
  const [tracked, { compare, days, gaps }] = await Promise.all([
    trackedEntities(db, { brandKey: brand.key }),
    comparisons(context, 'every entity', slice, from),
  ]);
  const extent = await daysFields(context, slice, { hasZeros: true, days, gaps });
  const entities = tracked.map(
    (entity): Compared => ({
      entity,
      comparison: compare(entity),
      since: gapOf(gaps, entity.entity)?.measuredSince ?? null,
    }),
  );
  const envelope = { brand: brandRefOf(brand) };
  if (!page) {
    const ranked = entities.sort(
      (a, b) =>
        presentOf(b) - presentOf(a) ||
        compareText(a.entity.name, b.entity.name) ||
        compareText(a.entity.id, b.entity.id),
    );
    return { ...envelope, competitors: ranked.map(rowOf), ...extent };
  }
  const after = page.after?.[0];
  const following = entities
    .filter(({ entity }) => after === undefined || compareText(entity.id, after) > 0)
    .sort((a, b) => compareText(a.entity.id, b.entity.id));
  const { rows, next_cursor } = cutPage(page, following, (row) => [row.entity.id]);
  return { ...envelope, competitors: rows.map(rowOf), ...extent, next_cursor };
};

const presentOf = ({ comparison }: Compared): number => comparison.current.entity.present;

function rowOf({ entity, comparison, since }: Compared): Competitor {
  const { current } = comparison;
  return {
    id: entity.id,
    name: entity.name,
    domain: entity.domain,
    is_brand: entity.entity === 0,
    ...scoresOf(entityMeasureNames, current),
    avg_position: averagePosition.value(current.entity),
    intervals: intervalsOf(entityMeasureNames, current),
    change: changesOf(entityMeasureNames, comparison),
    measured_since: since,
  };
}
