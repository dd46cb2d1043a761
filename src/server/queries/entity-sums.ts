import type { EntitySums } from '../metrics/entity-metrics.js';
import { statement } from './statement.js';

export interface EntityRow extends EntitySums {
  /** 0 is the brand itself. */
  entity: number;
}

/** Sums per entity over a window on some engines; entities never seen in it have no row. */
export const entitySums = statement<
  EntityRow,
  { brandKey: number; start: string; end: string; engines: readonly string[] }
>(
  'entity_sums',
  `select entity, sum(present_runs)::bigint as present, sum(position_sum)::bigint as "positionSum",
     sum(weight_sum)::bigint as "weightSum", sum(positive)::bigint as positive, sum(neutral)::bigint as neutral,
     sum(negative)::bigint as negative, sum(citations)::bigint as citations
   from day_entity
   where brand_key = :brandKey and day between :start and :end and engine = any(:engines)
   group by entity`,
);
